package sweep

import (
	"context"
	"fmt"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// fewestRounds gives a plan the weights that reach the target in the fewest rounds on its edges, and the proof of that.
// Weights of least r_asym stay where no others need fewer rounds.
func fewestRounds(ctx context.Context, p design.Problem, plan *design.Plan) (*design.Plan, error) {
	g, given, err := planWeights(plan)
	if err != nil {
		return nil, err
	}
	s := weights.Settings{Sign: p.Sign, MinEigenvalue: p.MinEigenvalue}
	var r *weights.RoundsResult
	if plan.Lift != nil {
		r, err = weights.SolveLiftRounds(ctx, *plan.Lift, given, plan.TargetError, s)
	} else {
		r, err = weights.SolveRounds(ctx, g, given, plan.TargetError, s)
	}
	if err != nil {
		return nil, err
	}
	if r.Skipped != "" {
		plan.Notes = append(plan.Notes, "weights of least r_asym, which may need more rounds than others: "+r.Skipped)
		return plan, nil
	}
	plan.Objective = design.Time
	if plan.Iterations == 0 || r.Rounds < plan.Iterations {
		before := len(given)
		if plan, err = reweighted(ctx, p, plan, g, r.Weights); err != nil {
			return nil, err
		}
		if _, left, err := planWeights(plan); err != nil || len(left) < before {
			// Edges that got no weight are gone; the proof is to speak of those that are left.
			return fewestRounds(ctx, p, plan)
		}
	}
	plan.RoundsBound = r.Bound
	if r.Bound != nil && r.Bound.Rounds > 1 {
		plan.Notes = append(plan.Notes,
			fmt.Sprintf("no weights on these edges reach the target in fewer than %d rounds", r.Bound.Rounds))
	}
	return plan, nil
}

// planWeights returns the graph of a plan and its weights: one per arc of its lift, or per edge where it has none.
func planWeights(plan *design.Plan) (*topology.Graph, []float64, error) {
	edges, perEdge := make([]topology.Edge, len(plan.Edges())), make([]float64, len(plan.Edges()))
	for k, e := range plan.Edges() {
		edges[k], perEdge[k] = topology.Edge{I: e.I, J: e.J}, e.Weight
	}
	g, err := topology.New(plan.Nodes, edges)
	if err != nil || plan.Lift == nil {
		return g, perEdge, err
	}
	perArc := make([]float64, len(plan.Lift.Arcs))
	plan.Lift.EachEdge(func(e topology.Edge, arc int) {
		k, _ := g.EdgeIndex(e.I, e.J)
		perArc[arc] = perEdge[k]
	})
	return g, perArc, nil
}

// reweighted is the plan with other weights, one per arc or edge; what it says about how it was found stays.
func reweighted(ctx context.Context, p design.Problem, plan *design.Plan, g *topology.Graph,
	given []float64) (*design.Plan, error) {
	var fresh *design.Plan
	var err error
	if plan.Lift != nil {
		fresh, err = weightedLift(ctx, p, *plan.Lift, given)
	} else {
		fresh, err = weighted(ctx, p, g, given)
	}
	if err != nil {
		return nil, err
	}
	fresh.Question, fresh.Provenance, fresh.WeightsBound = plan.Question, plan.Provenance, plan.WeightsBound
	fresh.SetBound(plan.Bound)
	return fresh, nil
}

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
