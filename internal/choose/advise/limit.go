package advise

import (
	"errors"
	"fmt"

	"github.com/batopo/batopo/topology"
)

// ErrLimit says that something needs more pairs or peers than are wanted.
var ErrLimit = errors.New("beyond the limits")

// within complains about a process in which more pairs talk, or a node with more others, than are wanted. Of graphs and
// schedules all rounds of a period count; an all-reduce is not made of edges. With hierarchical averaging the pairs
// between groups count: where two groups talk, every member does, each with its fellow.
func (s Setting) within(p *process) error {
	if p.plan == nil || p.timed() {
		return nil
	}
	pairs, peers := map[topology.Edge]bool{}, map[int]int{}
	most := 0
	for _, round := range p.plan.Rounds {
		for _, e := range round.Edges {
			pair := topology.Edge{I: min(e.I, e.J), J: max(e.I, e.J)}
			if pairs[pair] {
				continue
			}
			pairs[pair] = true
			peers[e.I]++
			peers[e.J]++
			most = max(most, peers[e.I], peers[e.J])
		}
	}
	talking := len(pairs)
	if p.plan.Inside != nil {
		talking *= len(p.plan.Inside.Groups[0])
	}
	if s.MaxEdges > 0 && talking > s.MaxEdges {
		return fmt.Errorf("%w: %d pairs talk in a period; at most %d are wanted", ErrLimit, talking, s.MaxEdges)
	}
	if s.MaxDegree > 0 && most > s.MaxDegree {
		return fmt.Errorf("%w: a node has %d peers in a period; at most %d are wanted", ErrLimit, most, s.MaxDegree)
	}
	return nil
}
