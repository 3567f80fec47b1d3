package feasible

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/topology"
)

// randomSpec is a small cluster in the general form: resources of few bandwidths, some with caps, and routes over one
// to three of them for most pairs.
func randomSpec(rng *rand.Rand, most int) cluster.Spec {
	n := 2 + rng.IntN(most-1)
	s := cluster.Spec{Nodes: n}
	kinds := []float64{1, 1, 2, 3, 5, 0.7, 1e-3}
	for l := range 1 + rng.IntN(6) {
		r := cluster.ResourceSpec{Name: fmt.Sprint("r", l), GBs: kinds[rng.IntN(len(kinds))]}
		if rng.IntN(3) == 0 {
			r.MaxEdges = 1 + rng.IntN(4)
		}
		s.Resources = append(s.Resources, r)
	}
	for _, e := range topology.AllPairs(n) {
		if rng.IntN(5) == 0 && len(s.Routes) > 0 {
			continue
		}
		route := cluster.RouteSpec{Pair: []int{e.I, e.J}}
		for k, l := range rng.Perm(len(s.Resources)) {
			if k < 1+rng.IntN(3) {
				route.Over = append(route.Over, s.Resources[l].Name)
			}
		}
		s.Routes = append(s.Routes, route)
	}
	return s
}

// bestUnits returns, by number of edges, the largest bandwidth that every edge of some connected graph gets, by
// looking at every set of candidates; 0 where no graph keeps to the caps.
func bestUnits(c *Hardware) []float64 {
	s := c.routes()
	best := make([]float64, len(s.Edges)+1)
	load := make([]int, s.resources)
	joined := topology.NewParts(s.nodes)
	for set := range uint64(1) << len(s.Edges) {
		if bits.OnesCount64(set) < s.nodes-1 {
			continue
		}
		clear(load)
		joined.Reset()
		for k := range s.Edges {
			if set>>k&1 == 1 {
				joined.JoinEnds(s.Edges[k])
				for _, l := range s.Route(int32(k)) {
					load[l]++
				}
			}
		}
		unit := math.Inf(1)
		for l, r := range c.Resources() {
			if load[l] > 0 {
				unit = min(unit, r.GBs/float64(load[l]))
			}
			if r.MaxEdges > 0 && load[l] > r.MaxEdges {
				unit = 0
			}
		}
		if joined.Count() == 1 {
			edges := bits.OnesCount64(set)
			best[edges] = max(best[edges], unit)
		}
	}
	return best
}

// Every answer for every budget on thousands of small clusters, against every set of candidates.
func TestAllocationIsExactOnSmallClusters(t *testing.T) {
	trials := 4000
	if testing.Short() {
		trials = 400
	}
	rng := rand.New(rand.NewPCG(7, 7))
	questions, impossible := 0, 0
	for trial := range trials {
		size := 5
		if trial%20 == 0 {
			size = 6
		}
		built, err := cluster.New(randomSpec(rng, size))
		if err != nil {
			t.Fatal(err)
		}
		c := On(built)
		best := bestUnits(c)
		for r := c.Nodes() - 1; r < len(best); r++ {
			questions++
			a, err := c.Allocate(context.Background(), r)
			switch {
			case best[r] == 0:
				impossible++
				if !errors.Is(err, ErrInfeasible) {
					t.Fatalf("trial %d: %d edges never fit, but the answer is %v and %v", trial, r, a, err)
				}
			case err != nil:
				t.Fatalf("trial %d: %d edges fit at %v, but the answer is %v", trial, r, best[r], err)
			case math.Abs(a.UnitGBs-best[r]) > 1e-8*best[r]:
				t.Fatalf("trial %d: %d edges fit at %v, but the unit is %v", trial, r, best[r], a.UnitGBs)
			}
		}
		checkBudgets(t, c, best)
	}
	t.Logf("%d questions, %d of them impossible", questions, impossible)
	if impossible == 0 || impossible == questions {
		t.Error("only one answer was ever right")
	}
}

// checkBudgets compares with what the best units imply: a new budget wherever more edges fit.
func checkBudgets(t *testing.T, c *Hardware, best []float64) {
	t.Helper()
	var want []int
	for r := c.Nodes() - 1; r < len(best); r++ {
		if best[r] > 0 && (r+1 == len(best) || best[r+1] < best[r]*(1-1e-9)) {
			want = append(want, r)
		}
	}
	budgets, err := c.Budgets(context.Background(), 100)
	if len(want) == 0 && errors.Is(err, ErrInfeasible) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for _, b := range budgets {
		got = append(got, b.MaxEdges)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("budgets %v, want %v", got, want)
	}
}
