package topology

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/batopo/batopo/internal/ground/limits"
)

// checkSize reports when a family of that name cannot have n nodes and the given number of edges.
func checkSize(family string, n, edges int) error {
	switch {
	case n < 1 || n > limits.Nodes:
		return fmt.Errorf("topology: %s on %d nodes; the number of nodes must be 1 … %d", family, n, limits.Nodes)
	case edges > limits.Edges:
		return limits.Refuse("topology: %s on %d nodes has %d edges; at most %d are supported", family, n, edges,
			limits.Edges)
	}
	return nil
}

// simple builds a graph from pairs of valid nodes, leaving out pairs of a node
// with itself and pairs that were already seen. Wrapping families need it: on a
// torus with a side of 2 both ways round are the same edge.
func simple(n int, pairs []Edge) *Graph {
	edges := make([]Edge, 0, len(pairs))
	for _, p := range pairs {
		if p.I != p.J {
			edges = append(edges, Edge{min(p.I, p.J), max(p.I, p.J)})
		}
	}
	slices.SortFunc(edges, Edge.Compare)
	return index(n, slices.Compact(edges))
}

// Path returns the path 0 – 1 – … – n−1.
func Path(n int) (*Graph, error) {
	if err := checkSize("a path", n, n-1); err != nil {
		return nil, err
	}
	edges := make([]Edge, n-1)
	for i := range edges {
		edges[i] = Edge{i, i + 1}
	}
	return index(n, edges), nil
}

// Ring returns the cycle on n nodes; for n = 2 it is a single edge, for n = 1 a single node.
func Ring(n int) (*Graph, error) {
	if err := checkSize("a ring", n, n); err != nil {
		return nil, err
	}
	return circulant(n, []int{1}), nil
}

// circulant joins i to i+s for every node i and every shift s, modulo n.
func circulant(n int, shifts []int) *Graph {
	pairs := make([]Edge, 0, n*len(shifts))
	for i := range n {
		for _, s := range shifts {
			pairs = append(pairs, Edge{i, (i + s) % n})
		}
	}
	return simple(n, pairs)
}

// GridShape returns the two factors of n that are closest to each other, the
// smaller one first: the sides of a grid or torus. A prime gives 1 and n.
func GridShape(n int) (rows, cols int) {
	rows = 1
	for f := 2; f*f <= n; f++ {
		if n%f == 0 {
			rows = f
		}
	}
	return rows, n / rows
}

// Grid returns the two-dimensional grid with sides GridShape(n), so a prime n
// gives a path. Node r·cols + c sits in row r and column c.
func Grid(n int) (*Graph, error) { return lattice("a grid", n, false) }

// Torus returns the two-dimensional torus with sides GridShape(n) as a simple
// graph: where both ways round lead to the same neighbour there is one edge,
// so a side of 2 has none doubled and a prime n gives a ring.
func Torus(n int) (*Graph, error) { return lattice("a torus", n, true) }

func lattice(family string, n int, wrap bool) (*Graph, error) {
	if err := checkSize(family, n, 2*n); err != nil {
		return nil, err
	}
	rows, cols := GridShape(n)
	pairs := make([]Edge, 0, 2*n)
	for r := range rows {
		for c := range cols {
			i := r*cols + c
			if wrap || c+1 < cols {
				pairs = append(pairs, Edge{i, r*cols + (c+1)%cols})
			}
			if wrap || r+1 < rows {
				pairs = append(pairs, Edge{i, (r+1)%rows*cols + c})
			}
		}
	}
	return simple(n, pairs), nil
}

// Hypercube returns the hypercube on n = 2^k nodes: nodes are joined when their numbers differ in one bit.
func Hypercube(n int) (*Graph, error) {
	if n < 1 || n&(n-1) != 0 {
		return nil, fmt.Errorf("topology: a hypercube on %d nodes; the number of nodes must be a power of 2", n)
	}
	dims := bits.Len(uint(n)) - 1
	if err := checkSize("a hypercube", n, n*dims/2); err != nil {
		return nil, err
	}
	pairs := make([]Edge, 0, n*dims)
	for i := range n {
		for k := range dims {
			pairs = append(pairs, Edge{i, i ^ 1<<k})
		}
	}
	return simple(n, pairs), nil
}

// Star returns the star with node 0 in the middle.
func Star(n int) (*Graph, error) {
	if err := checkSize("a star", n, n-1); err != nil {
		return nil, err
	}
	edges := make([]Edge, n-1)
	for i := range edges {
		edges[i] = Edge{0, i + 1}
	}
	return index(n, edges), nil
}

// Complete returns the graph with every edge.
func Complete(n int) (*Graph, error) {
	if err := checkSize("a complete graph", n, Pairs(n)); err != nil {
		return nil, err
	}
	return index(n, AllPairs(n)), nil
}

// KNearest returns the ring on which every node is joined to its k nearest
// nodes, k/2 on either side. k must be even, or n−1, which gives the complete graph.
func KNearest(n, k int) (*Graph, error) {
	if err := checkSize("a k-nearest graph", n, n*min(k, n)/2); err != nil {
		return nil, err
	}
	switch {
	case k < 0 || k > n-1 || n > 1 && k == 0:
		return nil, fmt.Errorf("topology: %d nearest of %d nodes; k must be 1 … %d", k, n, n-1)
	case k%2 == 1 && k != n-1:
		return nil, fmt.Errorf("topology: %d nearest of %d nodes; k must be even, half of it on either side", k, n)
	}
	shifts := make([]int, (k+1)/2)
	for s := range shifts {
		shifts[s] = s + 1
	}
	return circulant(n, shifts), nil
}
