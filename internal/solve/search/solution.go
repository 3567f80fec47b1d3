package search

import (
	"fmt"
	"slices"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/topology"
)

// A Solution is a graph with weights that a search has found.
type Solution struct {
	Graph   *topology.Graph
	Weights []float64 // one per edge of Graph

	// Lift describes the graph by a few arcs when it is symmetric, else it is nil. ArcWeights has one
	// entry per arc. Node (a, x) of the lift is node Labels[a·Size+x] of the graph; nil Labels
	// mean the same number.
	Lift       *topology.Lift
	ArcWeights []float64
	Labels     []int

	RAsym, Lambda2, LambdaN float64
	Kind                    design.Certainty // of these numbers

	// Bound is proved by Certificate: no weights on this graph have a smaller value. Only Polish sets them.
	Bound       float64
	Certificate *design.Certificate

	Method      string // such as "lift 4×32"
	Seed        uint64
	Evaluations int // spent on this candidate and the ones it grew from
	Stop        design.Stop

	frame *frame // in which it was found
	arcs  []topology.Arc
}

// Value returns what the problem minimises: r_asym, or λ₂ under a MinEigenvalue.
func (c *Solution) Value(p Problem) float64 {
	if p.MinEigenvalue != nil {
		return c.Lambda2
	}
	return c.RAsym
}

// newCandidate spreads weights on arcs over the graph.
func newCandidate(f *frame, arcs []topology.Arc, result *weights.Result) *Solution {
	c := &Solution{RAsym: result.RAsym, Lambda2: result.Lambda2, LambdaN: result.LambdaN, Kind: result.Kind,
		frame: f, arcs: slices.Clone(arcs)}
	order := topology.InOrder(len(arcs))
	slices.SortFunc(order, func(i, j int) int { return arcs[i].Compare(arcs[j]) })
	lift := f.lift(make([]topology.Arc, len(arcs)))
	c.ArcWeights = make([]float64, len(arcs))
	for i, o := range order {
		lift.Arcs[i], c.ArcWeights[i] = arcs[o], result.Weights[o]
	}
	c.spread(lift)
	if f.size > 1 {
		c.Lift, c.Labels = &lift, f.label
		c.Method = fmt.Sprintf("lift %d×%d", f.orbits, f.size)
	} else {
		c.ArcWeights = nil
		c.Method = "swap"
	}
	return c
}

// spread fills Graph and Weights from the arcs that have any weight.
func (c *Solution) spread(lift topology.Lift) {
	type weighted struct {
		topology.Edge
		weight float64
	}
	var all []weighted
	lift.EachEdge(func(e topology.Edge, arc int) {
		if c.frame.label != nil {
			i, j := c.frame.label[e.I], c.frame.label[e.J]
			e = topology.Edge{I: min(i, j), J: max(i, j)}
		}
		all = append(all, weighted{e, c.ArcWeights[arc]})
	})
	slices.SortFunc(all, func(a, b weighted) int { return a.Edge.Compare(b.Edge) })
	edges := make([]topology.Edge, len(all))
	c.Weights = make([]float64, len(all))
	for k, e := range all {
		edges[k], c.Weights[k] = e.Edge, e.weight
	}
	g, err := topology.New(lift.Nodes(), edges)
	if err != nil {
		panic(err) // a wiring holds no arc twice
	}
	c.Graph = g
}
