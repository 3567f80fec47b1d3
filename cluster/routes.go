package cluster

import (
	"sync"

	"github.com/batopo/batopo/topology"
)

// Routes are the candidate edges of a cluster with the resources that each passes, in flat arrays: on a fabric there is
// one route for every pair.
type Routes struct {
	Edges   []topology.Edge
	from    []int32 // candidate k passes over[from[k]:from[k+1]]
	over    []int32 // resources
	through []int32 // candidates by resource: those of l are through[start[l]:start[l+1]]
	start   []int32
	listed  func() [][]int
}

// newRoutes costs time and memory proportional to the number of candidates.
func newRoutes(c *Cluster) *Routes {
	s, resources := &Routes{Edges: c.Candidates()}, len(c.resources)
	s.from = make([]int32, 1, len(s.Edges)+1)
	var hops []Hop
	for _, edge := range s.Edges {
		hops = c.route(hops[:0], edge.I, edge.J)
		for _, h := range hops {
			s.over = append(s.over, int32(h.Resource))
		}
		s.from = append(s.from, int32(len(s.over)))
	}
	s.start = make([]int32, resources+1)
	for _, l := range s.over {
		s.start[l+1]++
	}
	for l := range resources {
		s.start[l+1] += s.start[l]
	}
	next := append([]int32(nil), s.start...)
	s.through = make([]int32, len(s.over))
	for k := range s.Edges {
		for _, l := range s.Route(int32(k)) {
			s.through[next[l]] = int32(k)
			next[l]++
		}
	}
	s.listed = sync.OnceValue(func() [][]int {
		out := make([][]int, resources)
		for l := range out {
			for _, k := range s.Through(int32(l)) {
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

// Routes lists the candidate edges with their resources, once.
func (c *Cluster) Routes() *Routes { return c.routes() }

// Route returns the resources of candidate k.
func (s *Routes) Route(k int32) []int32 { return s.over[s.from[k]:s.from[k+1]] }

// Through returns the candidates that pass resource l.
func (s *Routes) Through(l int32) []int32 { return s.through[s.start[l]:s.start[l+1]] }

// Uncapped counts the candidate edges that could use each resource.
func (c *Cluster) Uncapped() []int {
	most := make([]int, len(c.resources))
	for l := range most {
		if c.perNode {
			most[l] = c.nodes - 1
		} else {
			most[l] = len(c.routes().Through(int32(l)))
		}
	}
	return most
}

// Most returns the cap of every resource: its hardware cap or the number of
// candidate edges that could use it, whichever is less. This is ē of Algorithm 1.
func (c *Cluster) Most() []int {
	most := c.Uncapped()
	for l, r := range c.resources {
		if r.MaxEdges > 0 {
			most[l] = min(most[l], r.MaxEdges)
		}
	}
	return most
}
