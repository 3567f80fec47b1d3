package verify

import (
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/topology"
)

// routes hold the limits that a cluster's resources put on candidate edges, by limit and by candidate.
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

func newRoutes(c *cluster.Cluster, most []int) routes {
	r := routes{nodes: c.Nodes(), candidates: c.Candidates()}
	r.limits = design.ResourceLimits(c, most)
	r.counts = make([][]int32, len(r.candidates))
	for l, limit := range r.limits {
		for _, k := range limit.Edges {
			r.counts[k] = append(r.counts[k], int32(l))
		}
	}
	return r
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
