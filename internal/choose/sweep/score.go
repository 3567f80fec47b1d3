package sweep

import (
	"context"
	"fmt"
	"math"

	"github.com/batopo/batopo/design"
)

// NoiseDecay is γ of the effective number of neighbours in rankings for training.
const NoiseDecay = 0.9

// rank scores a plan by the criterion of the sweep.
func (w *sweeper) rank(ctx context.Context, plan *design.Plan) (c Scored, err error) {
	c = Scored{Plan: plan}
	if c.IterationMS, err = plan.IterationMS(w.problem.Cluster); err != nil {
		return c, err
	}
	switch {
	case w.Criterion == ByRate:
		c.Score = plan.RAsym
	case w.Criterion == PerNeighbor:
		c.Neighbors, err = effectiveNeighbors(ctx, plan)
		c.Score = c.IterationMS / c.Neighbors
		if w.alike { // until all are solved: within a budget rounds take as long
			c.Score = 1 / c.Neighbors
		}
	case plan.Iterations == 0:
		c.Score = math.Inf(1)
	default:
		c.Score = plan.TimeMS
	}
	return c, err
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
	return 0, fmt.Errorf("sweep: the effective number of neighbours needs all eigenvalues, "+
		"which %d nodes without symmetry do not give", plan.Nodes)
}

// mostNeighbors is an upper bound on n_W(γ) of the symmetric W on that many edges. With x = λ², n_W is n/(1−γ) over the
// sum of x/(1−γx), which is convex: the sum is least when all x but the all-ones vector's are alike. Their sum is
// ‖W‖² in the Frobenius norm, and a row of d+1 entries that add up to 1 has at least 1/(d+1) of it.
func mostNeighbors(nodes, edges int) float64 {
	n := float64(nodes)
	squares := n / (1 + 2*float64(edges)/n)
	x := max(0, squares-1) / (n - 1)
	return n / (1 - NoiseDecay) / (1/(1-NoiseDecay) + (n-1)*x/(1-NoiseDecay*x))
}
