package schedules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/solve/placement"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// Limits of what is built: peers of a node in a round, divisions of the nodes into early and late, and pairs of one
// round.
const (
	mostPeers    = 12
	mostFactors  = 40
	mostPairs    = 1 << 16
	mostForSpeed = 1024 // nodes, where the speed of each is looked up
)

// constructions lists exact schedules for the number of nodes.
func (h *hunt) constructions() []construction {
	n := h.problem.Cluster.Nodes()
	var list []construction
	for _, factors := range factorings(n, mostFactors) {
		if groups, err := grouped(n, factors); err == nil {
			list = append(list, construction{name: "groups of " + joined(factors, " × "), rounds: groups})
		}
	}
	if n&(n-1) == 0 && !h.problem.Positive {
		if s, err := mixing.OnePeerExponential(n); err == nil {
			list = append(list, construction{name: s.Name, rounds: s.Rounds})
		}
	}
	for k := 1; k <= min(n-1, mostPeers); k++ {
		if s, err := mixing.Base(n, k); err == nil {
			list = append(list, construction{name: fmt.Sprintf("base-%d", k+1), rounds: s.Rounds})
		}
	}
	return append(list, h.late()...)
}

func joined(list []int, between string) string {
	words := make([]string, len(list))
	for k, x := range list {
		words[k] = fmt.Sprint(x)
	}
	return strings.Join(words, between)
}

// factorings lists the ways to write n as a product of factors, largest first, those with the most factors first. A
// group of a prime number of nodes averages all at once, so a large prime factor means large groups.
func factorings(n, most int) [][]int {
	var list [][]int
	var split func(rest, largest int, so []int)
	split = func(rest, largest int, so []int) {
		if rest == 1 {
			if len(so) > 0 {
				list = append(list, slices.Clone(so))
			}
			return
		}
		for f := min(rest, largest); f >= 2; f-- {
			if rest%f == 0 && len(list) < 64*most {
				split(rest/f, f, append(so, f))
			}
		}
	}
	split(n, n, nil)
	slices.SortStableFunc(list, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	return list[:min(len(list), most)]
}

// grouped is the schedule in which round l averages the nodes that differ in digit l only, numbers written with the
// factors as bases.
func grouped(n int, factors []int) ([]*mixing.Matrix, error) {
	var rounds []*mixing.Matrix
	stride := 1
	for _, f := range factors {
		if n*(f-1)/2 > mostPairs {
			return nil, fmt.Errorf("schedules: groups of %d on %d nodes are more than %d pairs", f, n, mostPairs)
		}
		var edges []topology.Edge
		for i := range n {
			digit := i / stride % f
			for other := digit + 1; other < f; other++ {
				edges = append(edges, topology.Edge{I: i, J: i + (other-digit)*stride})
			}
		}
		w, err := averaged(n, edges, 1/float64(f))
		if err != nil {
			return nil, err
		}
		rounds = append(rounds, w)
		stride *= f
	}
	return rounds, nil
}

// averaged puts one weight on all edges.
func averaged(n int, edges []topology.Edge, weight float64) (*mixing.Matrix, error) {
	g, err := topology.New(n, edges)
	if err != nil {
		return nil, err
	}
	weights := make([]float64, len(edges))
	for k := range weights {
		weights[k] = weight
	}
	return mixing.FromEdges(g, weights)
}

// fastestFirst orders nodes by how soon they can talk to anybody, the soonest first, and says how soon that is.
func fastestFirst(c *cluster.Cluster) (order []int, soonest []float64) {
	soonest = make([]float64, c.Nodes())
	for i := range soonest {
		for j := range soonest {
			if i != j {
				if ms := placement.Alone(c, i, j); soonest[i] == 0 || ms < soonest[i] {
					soonest[i] = ms
				}
			}
		}
	}
	order = topology.InOrder(len(soonest))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(soonest[a], soonest[b]) })
	return order, soonest
}
