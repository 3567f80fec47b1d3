package topology

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/batopo/batopo/internal/ground/limits"
)

// An Edge joins two distinct nodes. In a Graph, I < J.
type Edge struct{ I, J int }

// Compare orders edges by I, then by J.
func (e Edge) Compare(f Edge) int {
	if c := cmp.Compare(e.I, f.I); c != 0 {
		return c
	}
	return cmp.Compare(e.J, f.J)
}

// A Graph is a simple undirected graph. It is immutable, so it can be shared freely.
type Graph struct {
	n     int
	edges []Edge // sorted, I < J
	start []int  // start[i] is where the neighbours of i begin
	peers []int  // neighbours, ascending per node
}

// New builds a graph from edges in any order and either direction. It reports
// every bad edge, up to a readable number, not only the first.
func New(n int, edges []Edge) (*Graph, error) {
	if err := checkSize("a graph", n, len(edges)); err != nil {
		return nil, err
	}
	sorted := make([]Edge, len(edges))
	var errs complaints
	for k, e := range edges {
		switch {
		case min(e.I, e.J) < 0 || max(e.I, e.J) >= n:
			errs.add("topology: edge %d is %d–%d, but nodes are 0 … %d", k, e.I, e.J, n-1)
		case e.I == e.J:
			errs.add("topology: edge %d joins node %d to itself; self weights follow from the others", k, e.I)
		}
		sorted[k] = Edge{min(e.I, e.J), max(e.I, e.J)}
	}
	slices.SortFunc(sorted, Edge.Compare)
	for k := 1; k < len(sorted); k++ {
		if sorted[k] == sorted[k-1] {
			errs.add("topology: edge %d–%d appears twice", sorted[k].I, sorted[k].J)
		}
	}
	if err := errs.join(); err != nil {
		return nil, err
	}
	return index(n, sorted), nil
}

// complaints are what is wrong with an input: a readable number of errors, and how many more there are.
type complaints struct {
	errs []error
	more int
}

func (c *complaints) add(format string, args ...any) {
	if len(c.errs) == limits.Complaints {
		c.more++
		return
	}
	c.errs = append(c.errs, fmt.Errorf(format, args...))
}

func (c *complaints) join() error {
	if c.more > 0 {
		c.errs = append(c.errs, fmt.Errorf("topology: … and %d more", c.more))
	}
	return errors.Join(c.errs...)
}

// index builds the neighbour lists of edges that are known to be sorted and valid.
func index(n int, edges []Edge) *Graph {
	g := &Graph{n: n, edges: edges, start: make([]int, n+1), peers: make([]int, 2*len(edges))}
	for _, e := range edges {
		g.start[e.I+1]++
		g.start[e.J+1]++
	}
	for i := range n {
		g.start[i+1] += g.start[i]
	}
	next := slices.Clone(g.start[:n])
	// Edges are sorted by (I, J): writing all J sides first would break the
	// ascending order, so smaller neighbours are written in one pass, larger in a second.
	for _, e := range edges {
		g.peers[next[e.J]] = e.I
		next[e.J]++
	}
	for _, e := range edges {
		g.peers[next[e.I]] = e.J
		next[e.I]++
	}
	return g
}

// Nodes returns the number of nodes.
func (g *Graph) Nodes() int { return g.n }

// Edges returns the edges in order. The slice is shared; do not write to it.
func (g *Graph) Edges() []Edge { return g.edges }

// Neighbors returns the neighbours of i in ascending order. The slice is shared; do not write to it.
func (g *Graph) Neighbors(i int) []int { return g.peers[g.start[i]:g.start[i+1]] }

// Degree returns the number of neighbours of i.
func (g *Graph) Degree(i int) int { return g.start[i+1] - g.start[i] }

// Degrees returns the degree of every node.
func (g *Graph) Degrees() []int {
	d := make([]int, g.n)
	for i := range d {
		d[i] = g.Degree(i)
	}
	return d
}

// MaxDegree returns the largest degree.
func (g *Graph) MaxDegree() int { return slices.Max(g.Degrees()) }

// EdgeIndex returns the position of {i, j} in Edges, or false.
func (g *Graph) EdgeIndex(i, j int) (int, bool) {
	return slices.BinarySearchFunc(g.edges, Edge{min(i, j), max(i, j)}, Edge.Compare)
}
