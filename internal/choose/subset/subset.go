// Package subset lists the parts of a cluster that may train faster without the rest: machines that are slow to compute
// or hang on slow links hold up all others in a synchronous job. It also divides the batch by the speed of nodes.
package subset

import (
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/topology"
)

// A Part of a cluster: the nodes that stay, both sides in words, and the cluster of those that stay.
type Part struct {
	Keep          []int
	Of            int // nodes of the whole
	Only, Without string
	Cluster       *cluster.Cluster // nil: a single node has no links
}

// Where says which nodes these are, by the shorter of both lists.
func (p *Part) Where() string {
	if 2*len(p.Keep) < p.Of {
		return "only " + p.Only
	}
	return "without " + p.Without
}

// Larger is how many times its batch every node computes where the nodes that stay compute the batch of all.
func (p *Part) Larger() float64 { return float64(p.Of) / float64(len(p.Keep)) }

// Singles are one node of every kind, each by itself.
func Singles(c *cluster.Cluster) (out []Part) {
	for _, same := range kindsOf(c) {
		drop := slices.DeleteFunc(topology.InOrder(c.Nodes()), func(i int) bool { return i == same[0] })
		out = append(out, Part{Keep: same[:1], Of: c.Nodes(), Only: nodesText(c, same[:1]), Without: nodesText(c, drop)})
	}
	return out
}

// Parts lists what may be left of a cluster: all without a node, a kind of nodes, the slowest ones or a group, and one
// group alone. Those that cannot be described or are not joined are missing.
func Parts(c *cluster.Cluster) (out []Part, err error) {
	if c.Nodes() > mostNodes {
		return nil, limits.Refuse("%d nodes; parts are looked for on at most %d", c.Nodes(), mostNodes)
	}
	units := unitsOf(c)
	seen := map[string]bool{}
	add := func(drop []int) {
		keep := slices.DeleteFunc(topology.InOrder(c.Nodes()), func(i int) bool { return slices.Contains(drop, i) })
		key := string(bitsOf(keep, c.Nodes()))
		if len(keep) < 2 || len(keep) == c.Nodes() || seen[key] {
			return
		}
		seen[key] = true
		spec, err := c.Part(keep)
		if err != nil {
			return
		}
		if part, err := cluster.New(spec); err == nil {
			out = append(out, Part{keep, c.Nodes(), wordsOf(c, units, keep), wordsOf(c, units, drop), part})
		}
	}
	for _, same := range kindsOf(c) {
		add(same[len(same)-1:])
		add(same)
	}
	for _, slower := range tailsOf(c) {
		add(slower)
	}
	for _, same := range alikeUnits(units) {
		var together []int
		for _, u := range same {
			together = append(together, u.nodes...)
		}
		add(together)
		last := same[len(same)-1].nodes
		add(last)
		add(slices.DeleteFunc(topology.InOrder(c.Nodes()), func(i int) bool { return slices.Contains(last, i) }))
	}
	return out, nil
}

// bitsOf marks the nodes of a set.
func bitsOf(nodes []int, n int) []byte {
	bits := make([]byte, n)
	for _, i := range nodes {
		bits[i] = 1
	}
	return bits
}
