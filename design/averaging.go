package design

import (
	"errors"
	"fmt"

	"github.com/batopo/batopo/internal/limits"
)

// A PlanKind says how nodes average.
type PlanKind string

// Gossip goes through rounds between neighbours; a collective is one exact average of all nodes.
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

// A Collective is an exact average of all nodes: along a ring, or up and down a tree.
type Collective struct {
	Algorithm string `json:"algorithm"`        // ring or tree
	Order     []int  `json:"order,omitempty"`  // ring: every node once, as they follow each other
	Parent    []int  `json:"parent,omitempty"` // tree: of every node; −1 for the root
}

// Inside makes a plan one of two levels. The nodes of a group average exactly among themselves; the rounds are
// among the groups, node k of a round being group k. Groups are of one size s: member m of each exchanges the
// m-th of s shards of the message with the members m of other groups.
type Inside struct {
	Groups [][]int `json:"groups"`
}

// parties returns how many nodes a round is among.
func (p *Plan) parties() int {
	if p.Inside != nil {
		return len(p.Inside.Groups)
	}
	return p.Nodes
}

// Plain returns nil for a plan whose rounds are matrices between nodes that average whole messages. Only those can be
// simulated, exported and rechecked so far.
func (p *Plan) Plain() error {
	switch {
	case p.Kind != GossipKind:
		return fmt.Errorf("kind is %q; only the rounds of a %s plan are matrices", p.Kind, GossipKind)
	case p.Inside != nil:
		return errors.New("averages inside groups too; its rounds are not matrices between nodes")
	}
	for t, r := range p.Rounds {
		if r.Part != 1 {
			return fmt.Errorf("rounds[%d] averages a part of %v of the message; it is not a matrix between nodes", t, r.Part)
		}
	}
	return nil
}

// checkAveraging refuses values out of range and parts that contradict each other.
func (p *Plan) checkAveraging() error {
	gossip := p.Kind == GossipKind
	switch {
	case p.Every < 1 || p.Every > limits.Rounds:
		return fmt.Errorf("every is %d; a round follows every 1 to %d steps", p.Every, limits.Rounds)
	case gossip && (len(p.Rounds) == 0 || p.Collective != nil):
		return errors.New("a gossip plan has rounds and no collective")
	case !gossip && (len(p.Rounds) > 0 || p.Collective == nil || p.Inside != nil || p.Directed):
		return errors.New("a collective plan has a collective; it has no rounds, nothing inside and no directed edges")
	case len(p.RoundMS) != len(p.Rounds):
		return fmt.Errorf("round_ms has %d entries for %d rounds", len(p.RoundMS), len(p.Rounds))
	}
	if err := p.checkInside(); err != nil {
		return err
	}
	if !gossip {
		return p.Collective.check(p.Nodes)
	}
	for t, r := range p.Rounds {
		if !(r.Part > 0 && r.Part <= 1) {
			return fmt.Errorf("rounds[%d].part is %v; it must be above 0 and at most 1", t, r.Part)
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
	return permutation("inside.groups", all, p.Nodes)
}

func (c *Collective) check(nodes int) error {
	switch {
	case c.Algorithm == "ring" && len(c.Parent) == 0:
		return permutation("collective.order", c.Order, nodes)
	case c.Algorithm == "tree" && len(c.Order) == 0:
		return c.checkTree(nodes)
	}
	return fmt.Errorf("collective.algorithm is %q; it must be \"ring\" with an order or \"tree\" with parents",
		c.Algorithm)
}

// checkTree follows parents up: a node that does not arrive at the only root is on a cycle.
func (c *Collective) checkTree(nodes int) error {
	if len(c.Parent) != nodes {
		return fmt.Errorf("collective.parent has %d entries for %d nodes", len(c.Parent), nodes)
	}
	roots, waiting := 0, make([]int, nodes) // waiting: children that were not taken off yet
	for i, up := range c.Parent {
		if up < -1 || up >= nodes {
			return fmt.Errorf("collective.parent[%d] is %d; parents are 0 … %d, and −1 above the root", i, up, nodes-1)
		}
		if up < 0 {
			roots++
		} else {
			waiting[up]++
		}
	}
	var leaves []int
	for i, children := range waiting {
		if children == 0 {
			leaves = append(leaves, i)
		}
	}
	for k := 0; k < len(leaves); k++ {
		up := c.Parent[leaves[k]]
		if up < 0 {
			continue
		}
		waiting[up]--
		if waiting[up] == 0 {
			leaves = append(leaves, up)
		}
	}
	if roots != 1 || len(leaves) != nodes {
		return errors.New("collective.parent is no tree: it must lead from every node to the one whose parent is −1")
	}
	return nil
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
