package design

import (
	"errors"
	"fmt"

	"github.com/batopo/batopo/internal/ground/limits"
)

// A PlanKind says how nodes average.
type PlanKind string

// Gossip goes through rounds between neighbours; a collective is one all-reduce over all nodes.
const (
	GossipKind     PlanKind = "gossip"
	CollectiveKind PlanKind = "collective"
)

// An Order says whether a node steps before it averages, or after.
type Order string

// The two orders of decentralized training.
const (
	AdaptThenCombine Order = "atc" // step, then average the result
	CombineThenAdapt Order = "cta" // average, then step
)

// Inside makes a plan one of hierarchical averaging. The nodes of a group average exactly among themselves; the rounds
// are among the groups, node k of a round being group k. Groups are of one size s: member m of each exchanges the m-th
// of s shards of the message with the members m of other groups. With Gradients the nodes of a group average gradients
// in every step, so that they agree at all times; the rounds, or the collective, only make the groups agree.
type Inside struct {
	Groups    [][]int `json:"groups"`
	Gradients bool    `json:"gradients,omitempty"`
}

// parties returns how many nodes a round is among.
func (p *Plan) parties() int {
	if p.Inside != nil {
		return len(p.Inside.Groups)
	}
	return p.Nodes
}

// Plain returns nil for a plan whose rounds are matrices between nodes.
func (p *Plan) Plain() error {
	if p.Inside != nil {
		return errors.New("averages inside groups too; its rounds are not matrices between nodes")
	}
	return p.gossips()
}

// gossips returns nil for a plan whose rounds are matrices, between nodes or groups.
func (p *Plan) gossips() error {
	if p.Kind != GossipKind {
		return fmt.Errorf("kind is %q; only the rounds of a %s plan are matrices", p.Kind, GossipKind)
	}
	return nil
}

// checkAveraging refuses values out of range and parts that contradict each other.
func (p *Plan) checkAveraging() error {
	gossip := p.Kind == GossipKind
	switch {
	case p.Every < 1 || p.Every > limits.Every:
		return fmt.Errorf("every is %d; a round follows every 1 to %d steps", p.Every, limits.Every)
	case p.Overlap && p.Order != CombineThenAdapt:
		return fmt.Errorf("overlap needs order %q: what is averaged after a step cannot travel while it is computed",
			CombineThenAdapt)
	case gossip && (len(p.Rounds) == 0 || p.Collective != nil):
		return errors.New("a gossip plan has rounds and no collective")
	case !gossip && (len(p.Rounds) > 0 || p.Collective == nil || p.Inside != nil && !p.Inside.Gradients || p.Directed):
		return errors.New("a collective plan has a collective; it has no rounds, no directed edges, and groups inside only " +
			"with gradients")
	case len(p.RoundMS) != max(1, len(p.Rounds)): // a collective is one round
		return fmt.Errorf("round_ms has %d entries for %d rounds", len(p.RoundMS), max(1, len(p.Rounds)))
	}
	if err := p.checkInside(); err != nil {
		return err
	}
	if !gossip {
		if err := p.Collective.check(p.parties()); err != nil {
			return err
		}
	}
	if err := p.checkClocks(); err != nil {
		return err
	}
	for t, r := range p.Rounds {
		if r.Part != 1 {
			return fmt.Errorf("rounds[%d].part is %v; it must be 1: this program knows rounds of whole messages", t, r.Part)
		}
	}
	return nil
}

// checkInside makes sure that the groups are a partition of the nodes into groups of one size.
func (p *Plan) checkInside() error {
	if p.Inside == nil {
		return nil
	}
	groups := p.Inside.Groups
	if len(groups) < 2 {
		return fmt.Errorf("inside.groups has %d groups; the rounds are among at least 2", len(groups))
	}
	var all []int
	for k, g := range groups {
		if len(g) != len(groups[0]) {
			return fmt.Errorf("inside.groups[%d] has %d nodes, group 0 has %d; groups are of one size",
				k, len(g), len(groups[0]))
		}
		all = append(all, g...)
	}
	if p.Inside.Gradients && len(groups[0]) < 2 {
		return errors.New("inside.gradients needs groups of at least 2 nodes")
	}
	return permutation("inside.groups", all, p.Nodes)
}

// permutation makes sure that a list names every node once.
func permutation(field string, list []int, nodes int) error {
	seen := make([]bool, nodes)
	for _, i := range list {
		if i < 0 || i >= nodes || seen[i] {
			return fmt.Errorf("%s names node %d twice or there is no such node; it must name each of 0 … %d once",
				field, i, nodes-1)
		}
		seen[i] = true
	}
	if len(list) != nodes {
		return fmt.Errorf("%s names %d of %d nodes; it must name each once", field, len(list), nodes)
	}
	return nil
}
