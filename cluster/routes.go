package cluster

import (
	"sync"

	"github.com/batopo/batopo/topology"
)

// routes are the candidate edges of a cluster with the resources that each passes, in flat arrays: on a fabric there is
// one route for every pair.
type routes struct {
	nodes     int
	resources int
	edges     []topology.Edge
	from      []int32 // candidate k passes over[from[k]:from[k+1]]
	over      []int32 // resources
	through   []int32 // candidates by resource: those of l are through[start[l]:start[l+1]]
	start     []int32
	kinds     func() *kinds // of resources by bandwidth; made when first asked for
	listed    func() [][]int
}

// newRoutes costs time and memory proportional to the number of candidates.
func newRoutes(c *Cluster) *routes {
	s := &routes{nodes: c.nodes, resources: len(c.resources), edges: c.Candidates()}
	s.from = make([]int32, 1, len(s.edges)+1)
	var hops []Hop
	for _, edge := range s.edges {
		hops = c.route(hops[:0], edge.I, edge.J)
		for _, h := range hops {
			s.over = append(s.over, int32(h.Resource))
		}
		s.from = append(s.from, int32(len(s.over)))
	}
	s.start = make([]int32, s.resources+1)
	for _, l := range s.over {
		s.start[l+1]++
	}
	for l := range s.resources {
		s.start[l+1] += s.start[l]
	}
	next := append([]int32(nil), s.start...)
	s.through = make([]int32, len(s.over))
	for k := range s.edges {
		for _, l := range s.route(int32(k)) {
			s.through[next[l]] = int32(k)
			next[l]++
		}
	}
	s.kinds = sync.OnceValue(func() *kinds { return newKinds(s, c.bandwidths()) })
	s.listed = sync.OnceValue(func() [][]int {
		out := make([][]int, s.resources)
		for l := range out {
			for _, k := range s.candidates(int32(l)) {
				out[l] = append(out[l], int(k))
			}
		}
		return out
	})
	return s
}

// Over returns for every resource the candidate edges that pass it, as positions in Candidates, ascending. They must
// not be changed.
func (c *Cluster) Over() [][]int { return c.routes().listed() }

// route returns the resources of candidate k.
func (s *routes) route(k int32) []int32 { return s.over[s.from[k]:s.from[k+1]] }

// candidates returns those that pass resource l.
func (s *routes) candidates(l int32) []int32 { return s.through[s.start[l]:s.start[l+1]] }
