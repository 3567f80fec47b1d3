package advise

import (
	"errors"
	"fmt"

	"github.com/batopo/batopo/topology"
)

// A limit says how many pairs of nodes may talk, and with how many others a node may. It holds for graphs and
// schedules, where all rounds of a period count; an all-reduce is not made of edges. With hierarchical averaging the
// pairs between groups count: where two groups talk, every member does, each with its fellow.
type limit struct{ edges, degree int }

// ErrLimit says that something needs more pairs or peers than are wanted.
var ErrLimit = errors.New("beyond the limits")

// check complains about a process that needs more.
func (l limit) check(p *process) error {
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
	if l.edges > 0 && talking > l.edges {
		return fmt.Errorf("%w: %d pairs talk in a period; at most %d are wanted", ErrLimit, talking, l.edges)
	}
	if l.degree > 0 && most > l.degree {
		return fmt.Errorf("%w: a node has %d peers in a period; at most %d are wanted", ErrLimit, most, l.degree)
	}
	return nil
}
