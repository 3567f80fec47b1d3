package bound

import (
	"context"
	"slices"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/feasible"
)

// degreeGain is how much better a bound under a maximum degree must be to be worth a second line.
const degreeGain = 1e-6

// Problem returns the bound for the problem as posed. degree is a larger bound that holds only for graphs
// whose degrees are at most 2·MaxEdges/Nodes, rounded up; it is nil when that gives
// nothing more or the problem limits degrees itself.
func Problem(ctx context.Context, p design.Problem) (posed design.Bound, degree *design.Bound, err error) {
	l, err := FromProblem(ctx, p)
	if err != nil {
		return posed, nil, err
	}
	if posed, err = l.Best(); err != nil || l.Degrees != nil {
		return posed, nil, err
	}
	limited, err := l.withDegrees(design.EvenDegree(l.MaxEdges, l.Nodes)).Best()
	if err != nil || limited.RAsym < posed.RAsym+degreeGain {
		return posed, nil, err
	}
	return posed, &limited, nil
}

// FromProblem derives the limits that a problem puts on graphs. On a cluster where not every pair loads
// just its two nodes it lists the candidate edges.
func FromProblem(ctx context.Context, p design.Problem) (Limits, error) {
	p = p.WithDefaults()
	l := Limits{Nodes: p.Cluster.Nodes(), MaxEdges: p.MaxEdges, Sign: p.Sign, MinEigenvalue: p.MinEigenvalue}
	if err := p.Validate(); err != nil {
		return Limits{}, err
	}
	var shared *sharing
	if !p.Cluster.Homogeneous() {
		a, err := feasible.On(p.Cluster).Allocate(ctx, p.MaxEdges)
		if err != nil {
			return Limits{}, err
		}
		if p.Cluster.PerNode() {
			l.Degrees = a.Edges
		} else {
			shared = newSharing(l.Nodes, p.Cluster.Candidates(), design.ResourceLimits(p.Cluster, a.Edges))
			l.Degrees, l.Cuts = shared.degrees(), shared.cuts()
		}
	}
	if p.MaxDegree > 0 {
		l = l.withDegrees(p.MaxDegree)
	}
	if shared != nil {
		l.Gates = shared.gates(min(l.MaxEdges, sum(l.Degrees)/2))
	}
	return l, nil
}

// withDegrees returns the limits with every degree limited to most as well.
func (l Limits) withDegrees(most int) Limits {
	if l.Degrees == nil {
		l.Degrees = slices.Repeat([]int{most}, l.Nodes)
		return l
	}
	l.Degrees = slices.Clone(l.Degrees)
	for i, d := range l.Degrees {
		l.Degrees[i] = min(d, most)
	}
	return l
}
