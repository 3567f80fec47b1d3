package sweep

import (
	"context"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// weightedLift describes a lift with one weight per arc as a plan; arcs without weight are left out.
func weightedLift(ctx context.Context, p design.Problem, lift topology.Lift, given []float64) (*design.Plan, error) {
	l := topology.Lift{Orbits: lift.Orbits, Size: lift.Size}
	var used []float64
	for k, arc := range lift.Arcs {
		if given[k] != 0 {
			l.Arcs, used = append(l.Arcs, arc), append(used, given[k])
		}
	}
	g, arcOf := l.Graph()
	edgeWeights := make([]float64, len(arcOf))
	for k, a := range arcOf {
		edgeWeights[k] = used[a]
	}
	w, err := mixing.FromEdges(g, edgeWeights)
	if err != nil {
		return nil, err
	}
	plan, err := design.NewPlan(ctx, p.Cluster, w, liftSpectrum(l, used))
	if err != nil {
		return nil, err
	}
	plan.Lift = &l
	return asked(plan, p), nil
}
