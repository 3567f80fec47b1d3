package mixing

import (
	"fmt"
	"math"

	"github.com/batopo/batopo/topology"
)

// BottleneckTrees are the trees among which Marfoq, Xu, Neglia and Vidal 2020 choose where access lines are slow and a
// node's line is shared by its peers (δ-MBST, Algorithm 1 of "Throughput-optimal topology design for cross-silo
// federated learning"): a Hamiltonian path in the cube of the minimum spanning tree, whose slowest link is at most
// three times the least possible where delays obey the triangle inequality, and for every δ from 2 to n − 1 the tree
// that Prim's method grows when no node may have more than δ peers. The one with the least cycle time counts. Every
// pair must have a delay.
func BottleneckTrees(n int, delay func(i, j int) float64) ([]*topology.Graph, error) {
	if err := checkNodes("trees of bounded degree", n, 2); err != nil {
		return nil, err
	}
	both := func(e topology.Edge) float64 { return delay(e.I, e.J) + delay(e.J, e.I) }
	for _, e := range topology.AllPairs(n) {
		if d := both(e); !(d >= 0) || math.IsInf(d, 0) {
			return nil, fmt.Errorf("mixing: the delay of %d and %d is %v; trees of bounded degree need all of them",
				e.I, e.J, d)
		}
	}
	path, err := topology.New(n, cubePath(n, quickest(n, topology.AllPairs(n), both)))
	if err != nil {
		return nil, err
	}
	list := []*topology.Graph{path}
	for most := 2; most < n; most++ {
		tree, err := topology.New(n, primWithin(n, most, both))
		if err != nil {
			return nil, err
		}
		list = append(list, tree)
	}
	return list, nil
}

// primWithin grows a tree from node 0 by the cheapest edge from a node that has fewer than most peers.
func primWithin(n, most int, delay func(topology.Edge) float64) []topology.Edge {
	inside, degree := make([]bool, n), make([]int, n)
	inside[0] = true
	tree := make([]topology.Edge, 0, n-1)
	for len(tree) < n-1 {
		from, to, least := -1, -1, math.Inf(1)
		for i := range n {
			if !inside[i] || degree[i] >= most {
				continue
			}
			for j := range n {
				if !inside[j] && delay(ordered(i, j)) < least {
					from, to, least = i, j, delay(ordered(i, j))
				}
			}
		}
		inside[to] = true
		degree[from]++
		degree[to]++
		tree = append(tree, ordered(from, to))
	}
	return tree
}

func ordered(i, j int) topology.Edge { return topology.Edge{I: min(i, j), J: max(i, j)} }

// cubePath visits all nodes of a tree such that neighbours on the way are at most three edges of the tree apart. An
// edge u–v of the tree divides it: in the part of u a path goes from u to one of its neighbours there, in the part of v
// from a neighbour of v to v, and the two neighbours are three edges apart.
func cubePath(n int, tree []topology.Edge) []topology.Edge {
	near := make([][]int, n)
	for _, e := range tree {
		near[e.I], near[e.J] = append(near[e.I], e.J), append(near[e.J], e.I)
	}
	cut := map[topology.Edge]bool{}
	var walk func(u, v int) []int // from u to its neighbour v, through all that hangs on both
	side := func(u int) []int {   // from u through its part to one of its neighbours, or u alone
		for _, next := range near[u] {
			if !cut[ordered(u, next)] {
				return walk(u, next)
			}
		}
		return []int{u}
	}
	walk = func(u, v int) []int {
		cut[ordered(u, v)] = true
		path, back := side(u), side(v)
		for k := len(back) - 1; k >= 0; k-- {
			path = append(path, back[k])
		}
		return path
	}
	var edges []topology.Edge
	order := walk(tree[0].I, tree[0].J)
	for k := 1; k < len(order); k++ {
		edges = append(edges, ordered(order[k-1], order[k]))
	}
	return edges
}
