package search

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/batopo/batopo/topology"
)

// A Start is a graph to go on from, such as the answer to a budget of a few edges more or less.
type Start struct {
	Graph   *topology.Graph
	Weights []float64 // one per edge; where not all edges fit, the heaviest stay
}

// given returns the starts of the caller as far as they fit the problem: each with the most symmetry that it has, edges
// that do not fit left out and others put in their place.
func (p *Portfolio) given() []*Solution {
	var out []*Solution
	for i, s := range p.starts {
		for k := len(p.frames) - 1; k >= 0; k-- {
			f := p.frames[k]
			arcs, ok := f.arcsOf(s)
			if !ok {
				continue
			}
			w := newWiring(f)
			for _, a := range arcs {
				if w.fits(a) {
					w.add(a)
				}
			}
			w.fill(rand.New(rand.NewPCG(p.seed, uint64(i)<<32|3)))
			if g, _ := f.lift(w.arcs).Graph(); w.missing() == 0 && g.Connected() {
				out = append(out, &Solution{frame: f, arcs: w.arcs})
			}
			break
		}
	}
	return out
}

// arcsOf returns the arcs of a graph in a frame, the heaviest first; false where the graph does not have that symmetry.
func (f *frame) arcsOf(s Start) ([]topology.Arc, bool) {
	if s.Graph.Nodes() != f.nodes() {
		return nil, false
	}
	place := topology.InOrder(f.nodes()) // of a node in the lift
	for i, node := range f.label {
		place[node] = i
	}
	type part struct {
		edges  int
		weight float64
	}
	parts := map[topology.Arc]part{}
	l := f.lift(nil)
	for k, e := range s.Graph.Edges() {
		i, j := place[e.I], place[e.J]
		a := l.Canonical(topology.Arc{A: i / f.size, B: j / f.size, S: j%f.size - i%f.size})
		parts[a] = part{parts[a].edges + 1, parts[a].weight + s.Weights[k]}
	}
	arcs := make([]topology.Arc, 0, len(parts))
	for a, part := range parts {
		if part.edges != f.edgesOf(a) {
			return nil, false
		}
		arcs = append(arcs, a)
	}
	slices.SortFunc(arcs, func(a, b topology.Arc) int {
		return cmp.Or(cmp.Compare(parts[b].weight/float64(parts[b].edges), parts[a].weight/float64(parts[a].edges)),
			a.Compare(b))
	})
	return arcs, true
}
