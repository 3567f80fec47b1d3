package feasible

import (
	"context"

	"github.com/batopo/batopo/design"
)

// Space lists the candidate edges and the limits that cluster, budget and maximum
// degree put on them. It costs O(n²) memory on a cluster where any pair may be an edge.
func Space(ctx context.Context, p design.Problem) (design.Space, error) {
	return space(p, func() (Allocation, error) { return On(p.Cluster).Allocate(ctx, p.MaxEdges) })
}

// PrintedSpace is Space as the paper prints it: M z = e with the e of Algorithm 1. A maximum degree stays an upper
// limit; a homogeneous cluster has no M, and there it is Space.
func PrintedSpace(ctx context.Context, p design.Problem) (design.Space, error) {
	s, err := Space(ctx, p)
	if err != nil || p.Cluster.Homogeneous() {
		return s, err
	}
	s, err = space(p, func() (Allocation, error) { return On(p.Cluster).Algorithm1(p.MaxEdges) })
	if err != nil {
		return design.Space{}, err
	}
	s.Exact = true
	return s, s.Validate()
}

// space is Space with the capacities that allocate returns.
func space(p design.Problem, allocate func() (Allocation, error)) (design.Space, error) {
	if err := p.Validate(); err != nil {
		return design.Space{}, err
	}
	c := p.Cluster
	s := design.Space{Nodes: c.Nodes(), Candidates: c.Candidates(), MaxEdges: p.MaxEdges}
	if !c.Homogeneous() {
		a, err := allocate()
		if err != nil {
			return design.Space{}, err
		}
		s.Limits = design.ResourceLimits(c, a.Edges)
	}
	if p.MaxDegree > 0 {
		most := func(int) int { return p.MaxDegree }
		s.Limits = append(s.Limits, design.DegreeLimits(s.Nodes, s.Candidates, most, c.NodeName)...)
	}
	return s, s.Validate()
}
