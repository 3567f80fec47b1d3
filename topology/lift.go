package topology

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/batopo/batopo/internal/ground/limits"
)

// An Arc of a lift joins node (A, x) to node (B, x+S mod size) for every x.
type Arc struct {
	A int `json:"a"`
	B int `json:"b"`
	S int `json:"s"`
}

// A Lift is a graph that a cyclic group acts on: Orbits·Size nodes (a, x), and
// for every arc one edge per x. Node (a, x) has the number a·Size + x.
//
// A few arcs thus describe a graph of any size; its adjacency matrix splits
// into Size Hermitian blocks of Orbits × Orbits, which is what makes searching
// among lifts cheap.
type Lift struct {
	Orbits int   `json:"orbits"`
	Size   int   `json:"size"`
	Arcs   []Arc `json:"arcs"`
}

// Nodes returns the number of nodes.
func (l Lift) Nodes() int { return l.Orbits * l.Size }

// Node returns the number of node (a, x).
func (l Lift) Node(a, x int) int { return a*l.Size + x }

// Canonical returns the one spelling used for arc (a,b,s): a ≤ b, 0 ≤ s < Size,
// and inside one orbit 2s ≤ Size. (a,b,s) and (b,a,−s) are the same arc.
func (l Lift) Canonical(arc Arc) Arc {
	a, b, s := arc.A, arc.B, arc.S%l.Size
	if a > b {
		a, b, s = b, a, -s
	}
	s = (s + l.Size) % l.Size
	if a == b {
		s = min(s, l.Size-s)
	}
	return Arc{a, b, s}
}

// Matching reports whether a canonical arc is a perfect matching inside its
// orbit: it then gives Size/2 edges instead of Size.
func (l Lift) Matching(arc Arc) bool { return arc.A == arc.B && 2*arc.S == l.Size }

// EdgesOf returns how many edges a canonical arc stands for.
func (l Lift) EdgesOf(arc Arc) int {
	if l.Matching(arc) {
		return l.Size / 2
	}
	return l.Size
}

// Edges returns the number of edges of the lift.
func (l Lift) Edges() int {
	total := 0
	for _, arc := range l.Arcs {
		total += l.EdgesOf(arc)
	}
	return total
}

// Compare orders arcs by A, B, S.
func (a Arc) Compare(b Arc) int {
	return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B), cmp.Compare(a.S, b.S))
}

// NewLift checks the arcs and puts them in canonical order. Lifts from anywhere else than our own searches come through
// here; their sizes are such that Graph needs no more than any other graph.
func NewLift(orbits, size int, arcs []Arc) (Lift, error) {
	switch {
	case orbits < 1 || size < 1:
		return Lift{}, fmt.Errorf("topology: a lift needs at least 1 orbit of size 1, got %d of size %d", orbits, size)
	case orbits > limits.Nodes/size:
		return Lift{}, fmt.Errorf("topology: a lift of %d orbits of size %d; it may have at most %d nodes",
			orbits, size, limits.Nodes)
	case len(arcs) > 2*limits.Edges/size:
		return Lift{}, fmt.Errorf("topology: a lift of %d arcs on orbits of size %d; it may have at most %d edges",
			len(arcs), size, limits.Edges)
	}
	l := Lift{Orbits: orbits, Size: size, Arcs: make([]Arc, len(arcs))}
	var errs complaints
	for k, arc := range arcs {
		if min(arc.A, arc.B) < 0 || max(arc.A, arc.B) >= orbits {
			errs.add("topology: arc %d joins orbits %d and %d, but orbits are 0 … %d", k, arc.A, arc.B, orbits-1)
			continue
		}
		l.Arcs[k] = l.Canonical(arc)
		if l.Arcs[k].A == l.Arcs[k].B && l.Arcs[k].S == 0 {
			errs.add("topology: arc %d of orbit %d has shift 0, which joins nodes to themselves", k, arc.A)
		}
	}
	slices.SortFunc(l.Arcs, Arc.Compare)
	for k := 1; k < len(l.Arcs); k++ {
		if l.Arcs[k] == l.Arcs[k-1] {
			errs.add("topology: arc %v appears twice", l.Arcs[k])
		}
	}
	if err := errs.join(); err != nil {
		return Lift{}, err
	}
	if edges := l.Edges(); edges > limits.Edges {
		return Lift{}, fmt.Errorf("topology: a lift of %d edges; at most %d are supported", edges, limits.Edges)
	}
	return l, nil
}

// EachEdge calls yield with every edge and the position of its arc, arc by arc.
func (l Lift) EachEdge(yield func(e Edge, arc int)) {
	for k, arc := range l.Arcs {
		for x := range l.EdgesOf(arc) {
			i, j := l.Node(arc.A, x), l.Node(arc.B, (x+arc.S)%l.Size)
			yield(Edge{min(i, j), max(i, j)}, k)
		}
	}
}

// Graph returns the graph and, for each of its edges, the position of its arc.
func (l Lift) Graph() (*Graph, []int) {
	type labelled struct {
		Edge
		arc int
	}
	all := make([]labelled, 0, l.Edges())
	l.EachEdge(func(e Edge, arc int) { all = append(all, labelled{e, arc}) })
	slices.SortFunc(all, func(a, b labelled) int { return a.Edge.Compare(b.Edge) })
	edges, arcs := make([]Edge, len(all)), make([]int, len(all))
	for k, e := range all {
		edges[k], arcs[k] = e.Edge, e.arc
	}
	return index(l.Nodes(), edges), arcs
}
