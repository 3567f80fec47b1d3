package verify

import (
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/topology"
)

// routes hold the limits that a cluster's resources put on candidate edges, one for each, and which count for whom.
type routes struct {
	nodes      int
	candidates []topology.Edge
	limits     []design.Limit
	counts     [][]int32 // the limits that each candidate counts against

	// Scratch of most: candidates that it was asked about and that no limit spoke about yet, and how many of them count
	// against each limit.
	open []bool
	used []int
}

// newRoutes walks the routes of all candidates.
func newRoutes(c *cluster.Cluster) *routes {
	r := &routes{nodes: c.Nodes(), candidates: c.Candidates(), limits: make([]design.Limit, len(c.Resources()))}
	r.counts = make([][]int32, len(r.candidates))
	var hops []cluster.Hop
	for k, e := range r.candidates {
		hops = c.Route(hops[:0], e.I, e.J)
		for _, h := range hops {
			r.counts[k] = append(r.counts[k], int32(h.Resource))
			limit := &r.limits[h.Resource]
			limit.Edges = append(limit.Edges, k)
		}
	}
	for l, resource := range c.Resources() {
		limit := &r.limits[l]
		limit.Name, limit.Max = resource.Name, len(limit.Edges)
		if node, ok := r.meeting(limit.Edges); ok {
			limit.Kind, limit.Node = design.NodeResource, node
		}
	}
	return r
}

// meeting returns the node at which all of some candidates end, if there is one.
func (r *routes) meeting(edges []int) (node int, ok bool) {
	if len(edges) == 0 {
		return 0, false
	}
	first := r.candidates[edges[0]]
	left, right := true, true
	for _, k := range edges {
		e := r.candidates[k]
		left = left && (e.I == first.I || e.J == first.I)
		right = right && (e.I == first.J || e.J == first.J)
	}
	if left {
		return first.I, true
	}
	return first.J, right
}

// within are the same routes with other capacities.
func (r *routes) within(e []int) *routes {
	s := &routes{nodes: r.nodes, candidates: r.candidates, limits: slices.Clone(r.limits), counts: r.counts}
	for l := range s.limits {
		s.limits[l].Max = e[l]
	}
	return s
}

// degrees returns how many neighbours each node can have at most.
func (r *routes) degrees() []int {
	at := make([][]int, r.nodes) // candidates at each node
	for k, e := range r.candidates {
		at[e.I], at[e.J] = append(at[e.I], k), append(at[e.J], k)
	}
	degrees := make([]int, r.nodes)
	for i, edges := range at {
		degrees[i] = r.most(edges)
	}
	return degrees
}

// most returns how many of some candidates there can be at most. Resources are taken one after the other, the one that
// forbids most first; each speaks only about edges that none before it spoke about, so what they forbid adds up.
// A candidate is closed once, whatever the number of resources: a plan may name groups between which millions of
// candidates pass thousands of ports.
func (r *routes) most(edges []int) int {
	if r.used == nil {
		r.used, r.open = make([]int, len(r.limits)), make([]bool, len(r.candidates))
	}
	var touched []int32
	for _, k := range edges {
		r.open[k] = true
		for _, l := range r.counts[k] {
			if r.used[l] == 0 {
				touched = append(touched, l)
			}
			r.used[l]++
		}
	}
	slices.Sort(touched)
	most := len(edges)
	for {
		tightest, forbidden := int32(-1), 0
		for _, l := range touched {
			if more := r.used[l] - r.limits[l].Max; more > forbidden {
				tightest, forbidden = l, more
			}
		}
		if tightest < 0 {
			break
		}
		most -= forbidden
		r.close(edges, tightest)
	}
	for _, k := range edges {
		r.open[k] = false
	}
	for _, l := range touched {
		r.used[l] = 0
	}
	return most
}

// close closes those of the edges that count against a limit.
func (r *routes) close(edges []int, limit int32) {
	through := r.limits[limit].Edges
	if len(through) > len(edges) {
		through = edges
	}
	for _, k := range through {
		if r.open[k] && slices.Contains(r.counts[k], limit) {
			r.open[k] = false
			for _, l := range r.counts[k] {
				r.used[l]--
			}
		}
	}
}
