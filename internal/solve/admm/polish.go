package admm

import (
	"context"

	"github.com/batopo/batopo/design"
)

// polish continues the iteration on every support of the shortlist alone, where the problem is
// convex, and keeps the best valid weights it passes.
func (r *runner) polish(ctx context.Context) error {
	for k := range r.short.list {
		w, err := r.newWeights(&r.short.list[k])
		if err == nil {
			err = w.run(ctx)
		}
		if err != nil {
			return err
		}
		r.report.PolishIterations += w.iterations
		if k == 0 || r.short.list[k].rAsym < r.report.RAsym {
			r.report.RAsym, r.report.PolishStop, r.report.Polish = r.short.list[k].rAsym, w.stop, w.history
		}
	}
	r.short.sort()
	return nil
}

// weights is the iteration on one frozen support.
type weights struct {
	*runner
	c          *candidate
	it         *iteration
	appraiser  *appraiser
	places     []int // position among the candidates of every edge of the support
	trial      []float64
	iterations int
	stop       design.Stop
	history    []Sample
}

func (r *runner) newWeights(c *candidate) (*weights, error) {
	p := r.problem.frozen(c.chosen)
	it, err := r.newIteration(p)
	if err != nil {
		return nil, err
	}
	w := &weights{runner: r, c: c, it: it, appraiser: newAppraiser(p.n, p.edges), trial: make([]float64, p.m),
		stop: design.BudgetSpent}
	for k, in := range c.chosen {
		if in {
			w.places = append(w.places, k)
		}
	}
	for k, at := range w.places {
		w.trial[k] = c.weights[at]
	}
	it.begin(polishRho/float64(p.n), 1-c.rAsym, w.trial, nil)
	return w, nil
}

// The weights are a convex problem, so ρ may be changed to balance the residuals. It
// begins where it usually ends, at polishRho/n.
const (
	polishRho    = 16.0
	balanceEvery = 2 * checkEvery
	balanceRatio = 4.0
	balanceStep  = 1.5
)

func (w *weights) run(ctx context.Context) error {
	for k := 1; k <= w.settings.PolishIterations; k++ {
		if stop := stopped(ctx); stop != "" {
			w.stop = stop
			return nil
		}
		if err := w.it.step(); err != nil {
			return err
		}
		w.iterations = k
		if k%checkEvery != 0 {
			continue
		}
		primal, dual := w.it.residuals()
		w.history = thin(w.history, Sample{k, w.it.rho, primal, dual, w.it.x.lambda[0]})
		w.keepIfBetter()
		w.progress.advance(design.Polishing, primal, dual, 0)
		if primal <= w.settings.Tolerance && dual <= w.settings.Tolerance {
			w.stop = design.Converged
			return nil
		}
		if k%balanceEvery == 0 {
			w.balance(primal, dual)
		}
	}
	return nil
}

// keepIfBetter makes x₁ valid and keeps it when it is the best so far.
func (w *weights) keepIfBetter() {
	copy(w.trial, w.it.y.g)
	r := w.appraiser.scale(w.trial)
	if r >= w.c.rAsym {
		return
	}
	w.c.rAsym = r
	for k, at := range w.places {
		w.c.weights[at] = w.trial[k]
	}
	w.progress.best(w.c)
}

func (w *weights) balance(primal, dual float64) {
	switch {
	case primal > balanceRatio*dual:
		w.it.rho *= balanceStep
	case dual > balanceRatio*primal:
		w.it.rho /= balanceStep
	}
}
