package design

import (
	"fmt"
	"math"

	"github.com/batopo/batopo/internal/ground/limits"
)

// A TimeBound proves that no all-reduce takes less time on the plan's cluster, in a form: whole
// messages round after round, or anything at all. docs/research/bounds.md has the proofs.
type TimeBound struct {
	MS     float64       `json:"ms"`
	Kind   TimeBoundKind `json:"kind"`   // which argument; verify repeats it
	Whole  bool          `json:"whole"`  // about schedules that send whole messages in rounds; otherwise about all
	Detail string        `json:"detail"` // in words
	// Prices and Groups are what the argument "prices" leaves free. Any choice gives a proof.
	Prices []HopPrice `json:"prices,omitempty"`
	Groups [][]int    `json:"groups,omitempty"`
}

// A TimeBoundKind names the argument of a bound on time.
type TimeBoundKind string

// The arguments.
const (
	SpreadBound TimeBoundKind = "spread" // what a node can have heard of after some rounds
	PricesBound TimeBoundKind = "prices" // what has to pass the resources, each at its price
)

// A HopSide is the direction in which a resource is passed.
type HopSide string

// The directions: out of a sender, into a receiver, or a link that a pair uses both ways at once.
const (
	Leaving  HopSide = "leaving"
	Entering HopSide = "entering"
	Between  HopSide = "between"
)

// A HopPrice is the share of the time that is charged to a resource in one direction; shares sum to 1.
type HopPrice struct {
	Resource string  `json:"resource"`
	Side     HopSide `json:"side"`
	Price    float64 `json:"price"`
}

// SpeaksOf reports whether the bound is about plans such as p, so that p's time can be held against it: whole messages
// where it is about these, and an average so exact that everybody must have heard of everybody.
func (b *TimeBound) SpeaksOf(p *Plan) bool {
	if b.Whole && !p.sendsWhole() {
		return false
	}
	return p.Kind == CollectiveKind || b.Kind == SpreadBound || Heard(p.Nodes, p.TargetError) == p.Nodes
}

// sendsWhole reports whether no message is cut up on its way.
func (p *Plan) sendsWhole() bool {
	if p.Kind == GossipKind {
		return p.Plain() == nil
	}
	c := p.Collective
	if c.Algorithm == RingForm || c.Chunks > 1 {
		return false
	}
	for _, step := range c.Steps {
		for _, t := range step {
			if t.Begin > 0 || t.End < 1 {
				return false
			}
		}
	}
	return true
}

// Validate reports what makes the bound of a plan on these nodes unreadable.
func (b *TimeBound) Validate(nodes int) error {
	switch {
	case b.Kind != SpreadBound && b.Kind != PricesBound:
		return fmt.Errorf("time_bound.kind is %q; it must be %q or %q", b.Kind, SpreadBound, PricesBound)
	case b.Kind == SpreadBound && (!b.Whole || len(b.Prices) > 0 || len(b.Groups) > 0):
		return fmt.Errorf("time_bound: the argument %q is about whole messages and has no prices and groups", b.Kind)
	case !(b.MS >= 0) || math.IsInf(b.MS, 0):
		return fmt.Errorf("time_bound.ms is %v; it must be a number that is not negative", b.MS)
	case len(b.Prices) > limits.Edges:
		return fmt.Errorf("time_bound has %d prices; at most %d", len(b.Prices), limits.Edges)
	}
	for k, p := range b.Prices {
		if !(p.Price >= 0 && p.Price <= 1) {
			return fmt.Errorf("time_bound.prices[%d] is %v; it must be between 0 and 1", k, p.Price)
		}
	}
	if b.Kind == SpreadBound {
		return nil
	}
	var all []int
	for _, g := range b.Groups {
		all = append(all, g...)
	}
	return permutation("time_bound.groups", all, nodes)
}
