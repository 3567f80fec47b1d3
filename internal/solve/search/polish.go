package search

import (
	"context"
	"math"
	"slices"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/topology"
)

// Polish solves for the weights of a candidate to full accuracy, drops the edges that
// get none, and adds the certificate. A cancelled ctx may leave the candidate unchanged.
func Polish(ctx context.Context, p Problem, c *Solution) (*Solution, error) {
	s := weights.Settings{Sign: p.Sign, MinEigenvalue: p.MinEigenvalue}
	// A certificate speaks of nodes in the order of the lift, which renamed nodes do not have.
	s.NoCertificate = c.frame.label != nil
	var result *weights.Result
	var err error
	if c.frame.size > 1 {
		result, err = weights.SolveLift(ctx, c.frame.lift(c.arcs), s)
	} else {
		result, err = solveGraph(ctx, c.frame, c.arcs, s)
	}
	if err != nil {
		return nil, err
	}
	if result.Value(s) > c.Value(p) { // cancelled half-way
		return c, nil
	}
	arcs := slices.Clone(c.arcs)
	if c.frame.fill == nil {
		arcs, result.Weights = used(arcs, result.Weights)
	}
	polished := newCandidate(c.frame, arcs, result)
	polished.Bound, polished.Certificate = result.Bound, result.Certificate
	polished.Seed, polished.Evaluations, polished.Stop = c.Seed, c.Evaluations, c.Stop
	return polished, nil
}

// used returns the arcs whose weight is not zero, and these weights.
func used(arcs []topology.Arc, weight []float64) ([]topology.Arc, []float64) {
	var keptArcs []topology.Arc
	var kept []float64
	for k, a := range arcs {
		if weight[k] != 0 {
			keptArcs, kept = append(keptArcs, a), append(kept, weight[k])
		}
	}
	return keptArcs, kept
}

// mostDense is the largest number of edges for which optimal weights without symmetry
// are affordable: a Newton step costs its third power.
const mostDense = 1500

// solveGraph solves for the weights of arcs without symmetry, one per arc: optimal ones, or beyond
// mostDense edges the nominal weights times the best factor, whose bound is then 0.
func solveGraph(ctx context.Context, f *frame, arcs []topology.Arc, s weights.Settings) (*weights.Result, error) {
	if len(arcs) > mostDense {
		return scaled(f, arcs, s), nil
	}
	edges := make([]topology.Edge, len(arcs))
	for k, a := range arcs {
		edges[k] = topology.Edge{I: a.A, J: a.B}
	}
	g, err := topology.New(f.orbits, edges)
	if err != nil {
		return nil, err
	}
	result, err := weights.Solve(ctx, g, s)
	if err != nil {
		return nil, err
	}
	sorted := result.Weights // in the order of the graph's edges
	result.Weights = make([]float64, len(arcs))
	for k, e := range edges {
		at, _ := g.EdgeIndex(e.I, e.J)
		result.Weights[k] = sorted[at]
	}
	return result, nil
}

// scaled returns the nominal weights times the best factor.
func scaled(f *frame, arcs []topology.Arc, s weights.Settings) *weights.Result {
	w := newWiring(f)
	w.set(arcs)
	low, high := newRuler(f).ends(w)
	rows := make([]float64, f.orbits)
	weight := make([]float64, len(arcs))
	for k, a := range arcs {
		weight[k] = f.nominal(a)
		rows[a.A] += weight[k]
		rows[a.B] += weight[k]
	}
	factor := 2 / (low + high)
	if s.MinEigenvalue != nil {
		factor = (1 - *s.MinEigenvalue) / high
	}
	if s.Sign != design.Free {
		factor = min(factor, 1/slices.Max(rows))
	}
	for k := range weight {
		weight[k] *= factor
	}
	lambda2, lambdaN := 1-factor*low, 1-factor*high
	return &weights.Result{Weights: weight, Lambda2: lambda2, LambdaN: lambdaN,
		RAsym: max(math.Abs(lambda2), math.Abs(lambdaN)),
		Kind:  design.Estimate, Stop: design.Converged} // the ends come from Lanczos steps
}
