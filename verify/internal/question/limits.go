// Package question recomputes, for the checker, what a plan's question allows: how many edges its resources may carry,
// which degrees and cuts that leaves, and what an argument proves about every matrix within. No solver is used.
package question

import (
	"errors"
	"slices"
)

// Limits say which matrices a bound speaks about: symmetric W with rows that sum to 1 on a
// connected graph that keeps to them.
type Limits struct {
	Nodes   int
	Edges   int   // the most there may be
	Degrees []int // the most neighbours of each node, ascending: no argument asks whose limit it is
	Cuts    []Cut
	Routes  *Routes  // what edges between parts of the cluster share; nil where every pair loads just its two nodes
	Signed  bool     // weights may be negative
	Lowest  *float64 // μ in W ⪰ μI; with it bounds are on λ₂, without it on r_asym
}

// Capped limits every degree to most, and with that the edges.
func (l Limits) Capped(most int) (Limits, error) {
	l.Degrees = slices.Clone(l.Degrees)
	ends := 0
	for i, d := range l.Degrees {
		l.Degrees[i] = min(d, most)
		ends += l.Degrees[i]
	}
	l.Edges = min(l.Edges, ends/2)
	if l.Degrees[0] < 1 || l.Edges < l.Nodes-1 {
		return Limits{}, errors.New("no connected graph keeps to the limits, so there is nothing to bound")
	}
	return l, nil
}

// largest is the most neighbours that any node may have.
func (l Limits) largest() int { return l.Degrees[l.Nodes-1] }

// smallest is a degree that some node cannot exceed.
func (l Limits) smallest() int { return min(l.Degrees[0], 2*l.Edges/l.Nodes) }
