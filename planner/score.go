package planner

import (
	"context"
	"fmt"
	"math"

	"github.com/batopo/batopo/design"
)

// NoiseDecay is γ of the effective number of neighbours in rankings for training.
const NoiseDecay = 0.9

func (w *sweeper) byTime() bool { return w.problem.Objective == design.Time }

func (w *sweeper) forTraining() bool { return w.byTime() && w.problem.Purpose == design.Training }

// score is what a sweep minimises. neighbors is n_W(γ) where it is part of that, 0 otherwise.
func (w *sweeper) score(ctx context.Context, plan *design.Plan) (value, neighbors float64, err error) {
	switch {
	case !w.byTime():
		return plan.RAsym, 0, nil
	case w.forTraining():
		neighbors, err = effectiveNeighbors(ctx, plan)
		return (plan.CommunicationMS + plan.ComputeMS) / neighbors, neighbors, err
	case plan.Iterations == 0:
		return math.Inf(1), 0, nil
	}
	return plan.TimeMS, 0, nil
}

// text is a score in words.
func (w *sweeper) text(score float64) string {
	if w.forTraining() {
		return fmt.Sprintf("%.4g ms per neighbour", score)
	}
	return fmt.Sprintf("%.4g ms", score)
}

// better reports whether b's plan is to be preferred to that of other, which may have none.
func (b *Budget) better(other *Budget) bool {
	if other.Plan == nil || b.Score != other.Score {
		return other.Plan == nil || b.Score < other.Score
	}
	return b.Plan.RAsym < other.Plan.RAsym
}

// effectiveNeighbors is n_W(γ) of a plan; it needs all eigenvalues.
func effectiveNeighbors(ctx context.Context, plan *design.Plan) (float64, error) {
	rounds, err := plan.Matrices()
	if err != nil {
		return 0, err
	}
	spectrum, err := rounds[0].Spectrum(ctx)
	if err != nil {
		return 0, err
	}
	if n, ok := spectrum.EffectiveNeighbors(NoiseDecay); ok {
		return n, nil
	}
	return 0, fmt.Errorf("planner: the effective number of neighbours needs all eigenvalues, which %d nodes without symmetry do not give", plan.Nodes)
}

// mostNeighbors is more than n_W(γ) of any symmetric W on so many edges. With x = λ², n_W is n/(1−γ) over the sum of x/(1−γx),
// which is convex: the sum is least when all x but that of the all-ones vector are alike. Their sum is ‖W‖² in the
// Frobenius norm, and a row of d+1 entries that add up to 1 has at least 1/(d+1) of it.
func mostNeighbors(nodes, edges int) float64 {
	n := float64(nodes)
	squares := n / (1 + 2*float64(edges)/n)
	x := max(0, squares-1) / (n - 1)
	return n / (1 - NoiseDecay) / (1/(1-NoiseDecay) + (n-1)*x/(1-NoiseDecay*x))
}
