package feasible

import (
	"context"
	"slices"

	"github.com/batopo/batopo/topology"
)

// A trial of every choice, with pruning: the last resort that finds a feasible selection or
// proves that there is none.
type exhaustion struct {
	s         *Selection
	undecided []bool
	open      []int // undecided candidates per limit
	visits    int   // left
	ctx       context.Context
}

// exhaust reports the outcome: found leaves a feasible choice in s; otherwise done says
// that all choices were excluded within the given number of visits.
func (s *Selection) exhaust(ctx context.Context, visits int) (found, done bool) {
	s.clear()
	x := &exhaustion{ctx: ctx, s: s, undecided: make([]bool, len(s.in)), open: make([]int, len(s.load)), visits: visits}
	for k, used := range s.ix.used {
		x.undecided[k] = used
		if used {
			for _, l := range s.ix.uses[k] {
				x.open[l]++
			}
		}
	}
	found = x.descend()
	return found, x.visits > 0
}

func (x *exhaustion) descend() bool {
	if x.visits == 0 || !x.promising() {
		return false
	}
	x.visits--
	if x.visits%1024 == 0 && x.ctx.Err() != nil {
		x.visits = 0
		return false
	}
	if x.s.feasible() {
		return true
	}
	k := x.next()
	if k == None {
		return false
	}
	x.decide(k)
	x.s.add(k)
	if x.descend() {
		return true
	}
	x.s.remove(k)
	if x.descend() {
		return true
	}
	x.undecided[k] = true
	for _, l := range x.s.ix.uses[k] {
		x.open[l]++
	}
	return false
}

func (x *exhaustion) decide(k int) {
	x.undecided[k] = false
	for _, l := range x.s.ix.uses[k] {
		x.open[l]--
	}
}

// promising reports whether the choice so far may still become feasible.
func (x *exhaustion) promising() bool {
	space := &x.s.ix.space
	if len(x.s.chosen) > space.MaxEdges {
		return false
	}
	for l, limit := range space.Limits {
		if x.s.load[l] > limit.Max || x.s.ix.fill[l] && x.s.load[l]+x.open[l] < limit.Max {
			return false
		}
	}
	// Everything still possible must connect the nodes.
	x.s.components()
	for k, open := range x.undecided {
		if open && x.s.fits(k) {
			x.s.union(k)
		}
	}
	return x.s.parts.Count() == 1
}

// next picks an undecided candidate on the limit with the fewest of them, so that contradictions show early. One that
// closes a cycle does not help, unless a limit must be filled.
func (x *exhaustion) next() int {
	x.s.components()
	helps := func(k int) bool {
		return x.undecided[k] && (x.s.ix.bound[k] || !x.s.closes(k))
	}
	tightest, fewest := None, 0
	for l, limit := range x.s.ix.space.Limits {
		open := 0
		for _, k := range limit.Edges {
			if helps(k) {
				open++
			}
		}
		if open > 0 && (tightest == None || open < fewest) {
			tightest, fewest = l, open
		}
	}
	if tightest == None {
		return slices.IndexFunc(topology.InOrder(len(x.undecided)), helps) // None where there is none
	}
	edges := x.s.ix.space.Limits[tightest].Edges
	return edges[slices.IndexFunc(edges, helps)]
}
