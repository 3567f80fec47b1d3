package search

import (
	"context"
	"fmt"
	"math/bits"
	"time"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/topology"
)

// fewCandidates is how many candidate edges a restricted problem may have so that looking at every choice of them is
// quicker than a search.
const fewCandidates = 15

// enumerable reports whether [Exhaust] can settle the problem.
func (p Problem) enumerable() bool {
	if p.uniform() {
		return p.Nodes <= ExhaustiveNodes
	}
	if p.Space != nil {
		return len(p.Space.Candidates) <= fewCandidates
	}
	return topology.Pairs(p.Nodes) <= fewCandidates
}

// A choice is a set of candidate edges, one bit each.
type choice uint32

// choices returns every choice that keeps the rules and to which no edge can be added.
func choices(s design.Space) []choice {
	m := len(s.Candidates)
	good := make([]bool, 1<<m)
	for c := range choice(1 << m) {
		good[c] = c.keeps(s)
	}
	var out []choice
	for c := range choice(1 << m) {
		if !good[c] {
			continue
		}
		extensible := false
		for k := range m {
			extensible = extensible || c>>k&1 == 0 && good[c|1<<k]
		}
		if !extensible {
			out = append(out, c)
		}
	}
	return out
}

// keeps reports whether a choice keeps the budget and the limits and connects all nodes.
func (c choice) keeps(s design.Space) bool {
	count := bits.OnesCount32(uint32(c))
	if count < s.Nodes-1 || count > s.MaxEdges {
		return false
	}
	for _, l := range s.Limits {
		load := 0
		for _, k := range l.Edges {
			load += int(c >> k & 1)
		}
		if load > l.Max || s.MustFill(l) && load < l.Max {
			return false
		}
	}
	reached := uint32(1)
	for {
		before := reached
		for k, e := range s.Candidates {
			if c>>k&1 == 1 && (reached>>e.I|reached>>e.J)&1 == 1 {
				reached |= 1<<e.I | 1<<e.J
			}
		}
		if reached == before {
			return bits.OnesCount32(reached) == s.Nodes
		}
	}
}

// enumerate is Exhaust for a restricted problem with few candidates.
func enumerate(ctx context.Context, p Problem, progress func(design.Progress)) (*Solution, error) {
	started := time.Now()
	space := p.space()
	all := choices(space)
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: every choice of the %d candidate edges was tried",
			feasible.ErrInfeasible, len(space.Candidates))
	}
	census := &census{problem: p, frame: frames(p, nil)[0]}
	for i, c := range all {
		if ctx.Err() != nil {
			break
		}
		var arcs []topology.Arc
		for k, e := range space.Candidates {
			if c>>k&1 == 1 {
				arcs = append(arcs, topology.Arc{A: e.I, B: e.J})
			}
		}
		if err := census.look(ctx, arcs); err != nil {
			return nil, err
		}
		if progress != nil && i%64 == 0 {
			progress(census.progress(i, len(all), started))
		}
	}
	return census.finish(ctx)
}
