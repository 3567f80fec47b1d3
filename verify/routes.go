package verify

import (
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/topology"
)

// routes hold which resources every candidate edge passes, and how many edges each resource may carry.
type routes struct {
	nodes      int
	candidates []topology.Edge
	start      []int   // where the resources of each candidate begin in passed
	passed     []int32 // resources, candidate after candidate
	most       []int   // edges that each resource may carry
}

func newRoutes(c *cluster.Cluster, most []int) routes {
	r := routes{nodes: c.Nodes(), candidates: c.Candidates(), start: []int{0}, most: most}
	var hops []cluster.Hop
	for _, e := range r.candidates {
		hops = c.Route(hops[:0], e.I, e.J)
		for _, h := range hops {
			r.passed = append(r.passed, int32(h.Resource))
		}
		r.start = append(r.start, len(r.passed))
	}
	return r
}

// over returns the resources of candidate k.
func (r routes) over(k int) []int32 { return r.passed[r.start[k]:r.start[k+1]] }

// degrees returns how many neighbours each node can have at most. Resources are taken one
// after the other, the one that forbids most first; each speaks only about edges that none before it
// spoke about, so what they forbid adds up.
func (r routes) degrees() []int {
	at := make([][]int, r.nodes) // candidates at each node
	for k, e := range r.candidates {
		at[e.I], at[e.J] = append(at[e.I], k), append(at[e.J], k)
	}
	degrees := make([]int, r.nodes)
	used := make([]int, len(r.most)) // how many of the open candidates pass each resource
	for i, open := range at {
		degrees[i] = len(open)
		for len(open) > 0 {
			clear(used)
			for _, k := range open {
				for _, l := range r.over(k) {
					used[l]++
				}
			}
			tightest, forbidden := -1, 0
			for l, u := range used {
				if u-r.most[l] > forbidden {
					tightest, forbidden = l, u-r.most[l]
				}
			}
			if tightest < 0 {
				break
			}
			degrees[i] -= forbidden
			open = slices.DeleteFunc(open, func(k int) bool { return slices.Contains(r.over(k), int32(tightest)) })
		}
	}
	return degrees
}

// cuts returns, for every resource without whose edges the nodes fall apart, the part that is
// hardest to leave: all edges out of it pass the resource. Resources of a single node limit its degree, which says more.
func (r routes) cuts() []cut {
	own := make([][]topology.Edge, len(r.most)) // candidates over each resource
	for k, e := range r.candidates {
		for _, l := range r.over(k) {
			own[l] = append(own[l], e)
		}
	}
	var cuts []cut
	for l, most := range r.most {
		if len(own[l]) == 0 || meetAtOneNode(own[l]) {
			continue
		}
		inside := 0
		for _, m := range r.partsWithout(l) {
			if m*(r.nodes-m) > inside*(r.nodes-inside) {
				inside = m
			}
		}
		if inside > 0 {
			cuts = append(cuts, cut{inside: inside, edges: most})
		}
	}
	return cuts
}

func meetAtOneNode(edges []topology.Edge) bool {
	first, second := true, true // whether all edges end at either end of the first
	for _, e := range edges {
		first = first && (e.I == edges[0].I || e.J == edges[0].I)
		second = second && (e.I == edges[0].J || e.J == edges[0].J)
	}
	return first || second
}

// partsWithout returns the sizes of the parts that remain connected when no candidate over the
// resource is used. The smaller of two parts is merged into the larger.
func (r routes) partsWithout(resource int) []int {
	part, members := make([]int, r.nodes), make([][]int, r.nodes)
	for i := range r.nodes {
		part[i], members[i] = i, []int{i}
	}
	for k, e := range r.candidates {
		a, b := part[e.I], part[e.J]
		if a == b || slices.Contains(r.over(k), int32(resource)) {
			continue
		}
		if len(members[a]) < len(members[b]) {
			a, b = b, a
		}
		for _, i := range members[b] {
			part[i] = a
		}
		members[a], members[b] = append(members[a], members[b]...), nil
		if len(members[a]) == r.nodes {
			break
		}
	}
	var sizes []int
	for _, m := range members {
		if len(m) > 0 {
			sizes = append(sizes, len(m))
		}
	}
	return sizes
}
