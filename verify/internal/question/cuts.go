package question

import (
	"math"
	"slices"

	"github.com/batopo/batopo/topology"
)

// A Cut is a set of nodes that few edges can leave.
type Cut struct{ Inside, Edges int }

// Cuts returns, for every resource without whose edges the nodes fall apart, the part that is hardest to leave: all
// edges out of it pass the resource. Resources of a single node limit its degree, which says more.
//
// What passes none of a batch of resources is joined once for the batch, so with √s resources in each of √s batches a
// candidate is looked at √s times, and √s times more for each batch with a resource on its way; not s times.
func (r *Routes) Cuts() []Cut {
	var shared []int32
	for l, limit := range r.Limits {
		if _, single := limit.AtNode(); !single {
			shared = append(shared, int32(l))
		}
	}
	all := make([]int, len(r.Candidates))
	for k := range all {
		all[k] = k
	}
	var cuts []Cut
	passed := make([]bool, len(r.Limits)) // scratch of join
	for batch := range slices.Chunk(shared, 1+int(math.Sqrt(float64(len(shared))))) {
		outside := topology.NewParts(r.Nodes)
		through := r.join(outside, all, batch, passed)
		for _, l := range batch {
			parts := outside.Clone()
			r.join(parts, through, []int32{l}, passed)
			if parts.Count() > 1 {
				cuts = append(cuts, Cut{Inside: hardest(parts, r.Nodes), Edges: r.Limits[l].Max})
			}
		}
	}
	return cuts
}

// join joins the ends of those of the edges that count against none of the limits, and returns the others, or none
// where all nodes are joined without them.
func (r *Routes) join(parts *topology.Parts, edges []int, limits []int32, passed []bool) (others []int) {
	clear(passed)
	for _, l := range limits {
		passed[l] = true
	}
	for _, k := range edges {
		if parts.Count() == 1 {
			return nil
		}
		if slices.ContainsFunc(r.Counts[k], func(l int32) bool { return passed[l] }) {
			others = append(others, k)
		} else {
			parts.JoinEnds(r.Candidates[k])
		}
	}
	return others
}

// hardest returns the size of the part that leaves most pairs of nodes on different sides, of two such the first.
func hardest(parts *topology.Parts, nodes int) (inside int) {
	size := make([]int, nodes) // of each part, at its first node
	for i := range size {
		size[parts.Of(i)]++
	}
	for _, m := range size {
		if m*(nodes-m) > inside*(nodes-inside) {
			inside = m
		}
	}
	return inside
}
