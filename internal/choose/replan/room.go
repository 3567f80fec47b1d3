package replan

import (
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/topology"
)

// A room counts how many edges every resource carries, and how many it may carry within a round time. Edges are
// undirected, so both directions of a full-duplex resource carry the same, and the slower one decides.
type room struct {
	c         *cluster.Cluster
	degree    int // the most neighbours of a node; 0 means any number
	load, may []int
	degrees   []int
	hops      []cluster.Hop
	over      []int // scratch: resources of one edge, each once
}

func newRoom(c *cluster.Cluster, degree int, edges []topology.Edge) *room {
	r := &room{c: c, degree: degree, load: make([]int, len(c.Resources())), may: make([]int, len(c.Resources())),
		degrees: make([]int, c.Nodes())}
	for _, e := range edges {
		r.count(e, 1)
	}
	return r
}

// resources returns what an edge passes; it is empty where the pair cannot talk.
func (r *room) resources(e topology.Edge) []int {
	r.hops = r.c.Route(r.hops[:0], e.I, e.J)
	r.over = r.over[:0]
	for _, h := range r.hops {
		if !slices.Contains(r.over, h.Resource) {
			r.over = append(r.over, h.Resource)
		}
	}
	return r.over
}

func (r *room) count(e topology.Edge, by int) {
	for _, l := range r.resources(e) {
		r.load[l] += by
	}
	r.degrees[e.I] += by
	r.degrees[e.J] += by
}

// within sets what resources may carry for a round of that many milliseconds. Latencies of other resources on a
// route are left out here; the plan that comes out is priced in full.
func (r *room) within(ms float64) {
	const slack = 1 + 1e-9 // a round time that came from a division holds the edges it was computed for
	for l, x := range r.c.Resources() {
		most := math.Floor((ms - x.LatencyMS) / r.edgeMS(x) * slack)
		r.may[l] = int(min(max(most, 0), math.MaxInt32))
		if x.MaxEdges > 0 {
			r.may[l] = min(r.may[l], x.MaxEdges)
		}
	}
}

// edgeMS is how much longer a resource takes for one more edge.
func (r *room) edgeMS(x cluster.Resource) float64 {
	return r.c.Model().MessageMB/slower(x) + x.PerMessageMS
}

func slower(x cluster.Resource) float64 {
	return min(x.Toward(cluster.Sender), x.Toward(cluster.Receiver))
}

// fits reports whether one more edge can be carried.
func (r *room) fits(e topology.Edge) bool {
	over := r.resources(e)
	if len(over) == 0 || r.degree > 0 && max(r.degrees[e.I], r.degrees[e.J]) >= r.degree {
		return false
	}
	return !slices.ContainsFunc(over, func(l int) bool { return r.load[l] >= r.may[l] })
}

// tooMuch counts the edges that resources carry beyond what they may.
func (r *room) tooMuch() int {
	sum := 0
	for l, load := range r.load {
		sum += max(0, load-r.may[l])
	}
	return sum
}

// levels lists round times from the present one down: each is what some loaded resource takes for a whole number of
// edges, and at each lower one some edge has to go.
func (r *room) levels(most int) []float64 {
	var all []float64
	for l, x := range r.c.Resources() {
		for k := 1; k <= r.load[l]; k++ {
			all = append(all, x.LatencyMS+float64(k)*r.edgeMS(x))
		}
	}
	slices.Sort(all)
	slices.Reverse(all)
	var out []float64
	for _, ms := range all {
		if len(out) == 0 || ms < out[len(out)-1]*(1-1e-6) {
			out = append(out, ms)
		}
		if len(out) == most {
			break
		}
	}
	return out
}
