package verify

import (
	"errors"
	"fmt"
	"slices"

	"github.com/batopo/batopo/topology"
)

// limits rechecks what the plan was asked to keep to, in every round.
func (k *check) limits() {
	p := k.plan
	k.holds("connected", k.connected() || p.RAsym >= 1-neverTolerance,
		"some nodes cannot reach each other, yet r_asym is below 1")
	if p.MaxEdges > 0 {
		pairs := make([][]topology.Edge, len(k.matrices))
		most := 0
		for t, w := range k.matrices {
			pairs[t] = w.Graph().Edges()
			most = max(most, len(pairs[t]))
		}
		k.atMost("edge budget", float64(p.MaxEdges), float64(most), "more edges than asked for")
		if p.Inside == nil { // between groups a budget says how many edges, not which
			k.candidates(pairs)
			k.resourceLimits()
		}
	}
	if p.Inside == nil {
		k.resourceEdges()
	}
	if p.DegreeLimit > 0 {
		if k.found("max_degree") == OK {
			k.atMost("degree limit", float64(p.DegreeLimit), float64(p.MaxDegree), "a node has more neighbours than asked for")
		} else {
			k.unproved("degree limit", float64(p.DegreeLimit), "max_degree, which must keep it, is not proved")
		}
	}
}

// connected reports whether the edges of all rounds together join all nodes.
func (k *check) connected() bool {
	parts := topology.NewParts(k.parties())
	for _, w := range k.matrices {
		for i := range k.parties() {
			from, weight := w.Row(i)
			for t, j := range from {
				if weight[t] != 0 {
					parts.Join(i, j)
				}
			}
		}
	}
	return parts.Count() == 1
}

// candidates checks that every edge joins a pair that the cluster lets be joined.
func (k *check) candidates(rounds [][]topology.Edge) {
	if k.cluster.PerNode() {
		return
	}
	allowed := k.cluster.Candidates() // sorted
	for _, edges := range rounds {
		for _, e := range edges {
			if _, ok := slices.BinarySearchFunc(allowed, e, topology.Edge.Compare); !ok {
				k.holds("candidate edges", false, fmt.Sprintf("the cluster does not let %d and %d be joined", e.I, e.J))
				return
			}
		}
	}
	k.holds("candidate edges", true, "")
}

// resourceEdges checks the claim M z = e by counting the edges on every resource.
func (k *check) resourceEdges() {
	e := k.plan.ResourceEdges
	if e == nil {
		return
	}
	if len(e) != len(k.cluster.Resources()) {
		k.holds("resource_edges", false, fmt.Sprintf("there are %d numbers for %d resources",
			len(e), len(k.cluster.Resources())))
		return
	}
	for _, w := range k.matrices {
		load, err := k.carried(arcs(w))
		if err != nil {
			k.holds("resource_edges", false, err.Error())
			return
		}
		for l, r := range k.cluster.Resources() {
			if count := load.edges(l); count != e[l] {
				k.holds("resource_edges", false, fmt.Sprintf("%s carries %d edges, not %d", r.Name, count, e[l]))
				return
			}
		}
	}
	k.holds("resource_edges", true, "")
}

// resourceLimits checks that no resource carries more edges in a round than it may, by counting the edges on it. The
// capacities of a budget are made for one connected graph; a round of a schedule need not be connected, and only the
// caps of the hardware limit it.
func (k *check) resourceLimits() {
	const claim = "resource limits"
	if k.cluster.Homogeneous() {
		return
	}
	s, err := k.stock()
	if errors.Is(err, errTooLarge) {
		k.unproved(claim, 0, err.Error())
		return
	}
	if err := k.room(s.Most); err != nil || !k.plan.Static() {
		k.holds(claim, err == nil, fmt.Sprint(err))
		return
	}
	c, err := k.capacities()
	if err != nil {
		k.holds(claim, false, err.Error())
		return
	}
	switch over, tight := k.room(c.Roomy), k.room(c.Tight); {
	case over != nil:
		k.holds(claim, false, fmt.Sprintf("%v: a connected graph of %d edges leaves each more bandwidth", over,
			k.plan.MaxEdges))
	case tight != nil:
		k.unproved(claim, 0, fmt.Sprintf("neither a graph of %d edges whose edges get more bandwidth was found, nor a "+
			"proof that there is none", k.plan.MaxEdges))
	default:
		k.holds(claim, true, "")
	}
}
