package question

import (
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/topology"
)

// Routes hold the limits that a cluster's resources put on candidate edges, one for each, and which count for whom.
type Routes struct {
	Nodes      int
	Candidates []topology.Edge
	Limits     []design.Limit
	Counts     [][]int32 // the limits that each candidate counts against

	// Scratch of most: candidates that it was asked about and that no limit spoke about yet, and how many of them count
	// against each limit.
	open []bool
	used []int
}

// NewRoutes walks the routes of all candidates.
func NewRoutes(c *cluster.Cluster) *Routes {
	r := &Routes{Nodes: c.Nodes(), Candidates: c.Candidates(), Limits: make([]design.Limit, len(c.Resources()))}
	r.Counts = make([][]int32, len(r.Candidates))
	var hops []cluster.Hop
	for k, e := range r.Candidates {
		hops = c.Route(hops[:0], e.I, e.J)
		for _, h := range hops {
			r.Counts[k] = append(r.Counts[k], int32(h.Resource))
			limit := &r.Limits[h.Resource]
			limit.Edges = append(limit.Edges, k)
		}
	}
	for l, resource := range c.Resources() {
		limit := &r.Limits[l]
		limit.Name, limit.Max = resource.Name, len(limit.Edges)
		if node, ok := r.meeting(limit.Edges); ok {
			limit.Kind, limit.Node = design.NodeResource, node
		}
	}
	return r
}

// meeting returns the node at which all of some candidates end, if there is one.
func (r *Routes) meeting(edges []int) (node int, ok bool) {
	if len(edges) == 0 {
		return 0, false
	}
	first := r.Candidates[edges[0]]
	left, right := true, true
	for _, k := range edges {
		e := r.Candidates[k]
		left = left && (e.I == first.I || e.J == first.I)
		right = right && (e.I == first.J || e.J == first.J)
	}
	if left {
		return first.I, true
	}
	return first.J, right
}

// Within are the same routes with other capacities.
func (r *Routes) Within(e []int) *Routes {
	s := &Routes{Nodes: r.Nodes, Candidates: r.Candidates, Limits: slices.Clone(r.Limits), Counts: r.Counts}
	for l := range s.Limits {
		s.Limits[l].Max = e[l]
	}
	return s
}

// Degrees returns how many neighbours each node can have at most.
func (r *Routes) Degrees() []int {
	at := make([][]int, r.Nodes) // candidates at each node
	for k, e := range r.Candidates {
		at[e.I], at[e.J] = append(at[e.I], k), append(at[e.J], k)
	}
	degrees := make([]int, r.Nodes)
	for i, edges := range at {
		degrees[i] = r.most(edges)
	}
	return degrees
}

// most returns how many of some candidates there can be at most. Resources are taken one after the other, the one that
// forbids most first; each speaks only about edges that none before it spoke about, so what they forbid adds up.
// A candidate is closed once, whatever the number of resources: a plan may name groups between which millions of
// candidates pass thousands of ports.
func (r *Routes) most(edges []int) int {
	if r.used == nil {
		r.used, r.open = make([]int, len(r.Limits)), make([]bool, len(r.Candidates))
	}
	var touched []int32
	for _, k := range edges {
		r.open[k] = true
		for _, l := range r.Counts[k] {
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
			if more := r.used[l] - r.Limits[l].Max; more > forbidden {
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
func (r *Routes) close(edges []int, limit int32) {
	through := r.Limits[limit].Edges
	if len(through) > len(edges) {
		through = edges
	}
	for _, k := range through {
		if r.open[k] && slices.Contains(r.Counts[k], limit) {
			r.open[k] = false
			for _, l := range r.Counts[k] {
				r.used[l]--
			}
		}
	}
}
