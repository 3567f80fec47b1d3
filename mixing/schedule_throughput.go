package mixing

import (
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/topology"
)

// quickest is the minimum spanning tree of links by their delays; nil where they do not connect all nodes.
func quickest(n int, links []topology.Edge, delay func(topology.Edge) float64) []topology.Edge {
	tree := topology.LightestForest(n, links, delay)
	if len(tree) < n-1 {
		return nil
	}
	return tree
}

// ThroughputTree is the tree of Marfoq, Xu, Neglia and Vidal 2020, "Throughput-optimal topology design for cross-silo
// federated learning": the minimum spanning tree by the delays of links, which has the least cycle time of all
// undirected overlays where links, not access lines, are what is slow. Its authors give it the weights of least r_asym,
// negative ones allowed.
func ThroughputTree(n int, links []topology.Edge, delay func(topology.Edge) float64) (*topology.Graph, error) {
	tree := quickest(n, links, delay)
	if tree == nil {
		return nil, fmt.Errorf("mixing: the links do not connect all %d nodes; a tree needs that", n)
	}
	return topology.New(n, tree)
}

// ThroughputRing is the ring of the same paper: Christofides' tour through all nodes by the mean delay of both
// directions, each node sending to the next one. Every pair must have a delay. A node's own value and the one from the
// node before it have weights of one half.
func ThroughputRing(n int, delay func(i, j int) float64) (*Matrix, error) {
	if err := checkNodes("a ring by delays", n, 3); err != nil {
		return nil, err
	}
	order, err := christofides(n, func(i, j int) float64 { return (delay(i, j) + delay(j, i)) / 2 })
	if err != nil {
		return nil, err
	}
	arcs := make([]Arc, n)
	for k, i := range order {
		arcs[k] = Arc{i, order[(k+1)%n], 0.5}
	}
	return FromArcs(n, arcs)
}

// christofides walks along a minimum spanning tree and a cheapest matching of its odd nodes, leaving out nodes it has
// been to. Where distances obey the triangle inequality that is at most half as long again as the shortest tour.
func christofides(n int, distance func(i, j int) float64) ([]int, error) {
	length := func(e topology.Edge) float64 { return distance(e.I, e.J) }
	for _, e := range topology.AllPairs(n) {
		if d := length(e); !(d >= 0) || math.IsInf(d, 0) {
			return nil, fmt.Errorf("mixing: the delay of %d and %d is %v; a ring by delays needs all of them", e.I, e.J, d)
		}
	}
	tree := quickest(n, topology.AllPairs(n), length)
	degree := make([]int, n)
	for _, e := range tree {
		degree[e.I]++
		degree[e.J]++
	}
	var odd []int
	for i, d := range degree {
		if d%2 == 1 {
			odd = append(odd, i)
		}
	}
	near := make([][]int, n)
	for _, e := range append(tree, cheapestPairs(odd, distance)...) {
		near[e.I], near[e.J] = append(near[e.I], e.J), append(near[e.J], e.I)
	}
	seen, order := make([]bool, n), make([]int, 0, n)
	for _, i := range circuit(near) {
		if !seen[i] {
			seen[i] = true
			order = append(order, i)
		}
	}
	return order, nil
}

// circuit goes along every edge once (Hierholzer).
func circuit(near [][]int) []int {
	left := make([][]int, len(near))
	for i := range near {
		left[i] = slices.Clone(near[i])
	}
	var walk []int
	stack := []int{0}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		if len(left[at]) == 0 {
			walk = append(walk, at)
			stack = stack[:len(stack)-1]
			continue
		}
		to := left[at][0]
		left[at] = left[at][1:]
		back := slices.Index(left[to], at)
		left[to] = slices.Delete(left[to], back, back+1)
		stack = append(stack, to)
	}
	return walk
}

// mostPaired is up to how many nodes the cheapest pairs are found by trying all; beyond, pairs are exchanged while
// that helps.
const mostPaired = 16

// cheapestPairs divides an even number of nodes into pairs of least total distance.
func cheapestPairs(nodes []int, distance func(i, j int) float64) []topology.Edge {
	if len(nodes) > mostPaired {
		return exchangedPairs(nodes, distance)
	}
	k := len(nodes)
	cost, choice := make([]float64, 1<<k), make([]int, 1<<k)
	for set := 1; set < 1<<k; set++ {
		cost[set] = math.Inf(1)
		first := 0
		for set>>first&1 == 0 {
			first++
		}
		for j := first + 1; j < k; j++ {
			if rest := set &^ (1<<first | 1<<j); set>>j&1 == 1 {
				if c := cost[rest] + distance(nodes[first], nodes[j]); c < cost[set] {
					cost[set], choice[set] = c, first<<8|j
				}
			}
		}
	}
	var pairs []topology.Edge
	for set := 1<<k - 1; set > 0; {
		a, b := choice[set]>>8, choice[set]&255
		pairs = append(pairs, topology.Edge{I: nodes[a], J: nodes[b]})
		set &^= 1<<a | 1<<b
	}
	return pairs
}

// exchangedPairs begins with neighbours in the list and exchanges partners while that shortens the total.
func exchangedPairs(nodes []int, distance func(i, j int) float64) []topology.Edge {
	list := slices.Clone(nodes)
	for better := true; better; {
		better = false
		for a := 0; a < len(list); a += 2 {
			for b := a + 2; b < len(list); b += 2 {
				for _, x := range []int{b, b + 1} {
					now := distance(list[a], list[a+1]) + distance(list[b], list[b+1])
					list[a+1], list[x] = list[x], list[a+1]
					if distance(list[a], list[a+1])+distance(list[b], list[b+1]) < now*(1-1e-12) {
						better = true
					} else {
						list[a+1], list[x] = list[x], list[a+1]
					}
				}
			}
		}
	}
	var pairs []topology.Edge
	for a := 0; a < len(list); a += 2 {
		pairs = append(pairs, topology.Edge{I: list[a], J: list[a+1]})
	}
	return pairs
}
