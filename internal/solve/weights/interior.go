package weights

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/weights/internal/matrix"
)

// interior is a primal-dual interior-point method with Mehrotra's predictor and
// corrector. Weights and multipliers start strictly feasible and stay so: weights because Z is
// recomputed from them, multipliers up to rounding, which every Newton step repairs.
type interior struct {
	p *program
	c cone

	x          []float64 // the weights, then s
	slack      []float64 // 1 − rows·x
	low, price []float64 // multipliers of weights ≥ 0 and of the rows

	dx, dslack, dlow, dprice []float64 // a step, first predicted, then corrected

	h        matrix.System // Newton's matrix: the Schur complement
	gradient []float64     // of the barrier

	lowSecond, priceSecond []float64 // products of the predicted step
	second                 []float64 // second-order terms of the predicted step

	gap        float64   // complementarity: s minus the dual value where the multipliers balance
	residual   []float64 // by how much they do not
	bound      float64   // the best value proved so far
	iterations int
}

// prepare takes over a problem; memory of an earlier one is used again.
func (w *interior) prepare(p *program, c cone) {
	w.p, w.c = p, c
	limits := 0
	if p.limited {
		limits = p.vars
	}
	for _, f := range []*[]float64{&w.x, &w.dx, &w.gradient, &w.second, &w.residual} {
		matrix.Resize(f, p.vars+1)
	}
	for _, f := range []*[]float64{&w.slack, &w.price, &w.dslack, &w.dprice, &w.priceSecond} {
		matrix.Resize(f, p.rows())
	}
	for _, f := range []*[]float64{&w.low, &w.dlow, &w.lowSecond} {
		matrix.Resize(f, limits)
	}
	w.h.Resize(p.vars + 1)
	w.x[p.vars] = startValue
}

// value returns s.
func (w *interior) value() float64 { return w.x[w.p.vars] }

// roundingCost is what rounding may leave between value and bound although the gap is closed: where
// the optimum is not unique, Newton's matrix is nearly singular and multipliers do not balance to
// the last digit. Further steps make that worse.
const roundingCost = 2e-8

// run iterates from the weights in x until value and bound are close.
func (w *interior) run(ctx context.Context, s Settings) design.Stop {
	w.iterations, w.bound = 0, math.Inf(-1)
	if !w.begin() {
		return design.Breakdown
	}
	for ; ; w.iterations++ {
		if s.Progress != nil {
			s.Progress(design.Progress{Phase: design.Polishing, Done: w.iterations, Total: s.MaxIterations,
				Dual: w.gap, Feasible: true, Best: w.value(), Bound: w.bound})
		}
		switch {
		case w.value()-w.bound <= s.Tolerance, w.gap <= s.Tolerance && w.value()-w.bound <= roundingCost:
			return design.Converged
		case s.Cutoff != 0 && w.bound > s.Cutoff:
			return design.Rejected
		case w.iterations == s.MaxIterations:
			return design.BudgetSpent
		case ctx.Err() != nil:
			return design.Interrupted
		}
		if stop := w.step(); stop != "" {
			return stop
		}
	}
}

// startPrice is how far below the balanced complementarity the row prices start: they
// enter the dual value n times, and few of them end up positive.
const startPrice = 0.1

// begin chooses strictly feasible multipliers: Y₁ = Y₂ on the weights leaves low = rowsᵀ·price.
func (w *interior) begin() bool {
	w.c.begin()
	if !w.c.evaluate(w.x) {
		return false
	}
	if p := w.p; p.rows() > 0 {
		p.room(w.slack, w.x)
		clear(w.low)
		for e, k := range p.index {
			if p.limited { // else the rows of a box, which cancel
				w.low[k] += p.coef[e]
			}
		}
		mean := (floats.Dot(w.low, w.x[:len(w.low)]) + floats.Sum(w.slack)) / float64(len(w.low)+len(w.slack))
		price := startPrice * w.c.complementarity() / float64(w.c.order()) / mean
		for i := range w.price {
			w.price[i] = price
		}
		floats.Scale(price, w.low)
	}
	w.measure()
	return true
}

// measure computes the gap and what the multipliers prove. They need not balance exactly: a
// surplus on a weight is taken off its multiplier low as far as that goes, the rest is charged as a higher price, at
// most 1 per unit, and the value's share is scaled to 1.
func (w *interior) measure() {
	p := w.p
	w.gap = w.c.complementarity() + floats.Dot(w.low, w.x[:len(w.low)]) + floats.Dot(w.price, w.slack)
	clear(w.residual)
	w.c.balance(w.residual)
	for i, q := range w.price {
		for e := p.start[i]; e < p.start[i+1]; e++ {
			w.residual[p.index[e]] -= p.coef[e] * q
		}
	}
	floats.Add(w.residual[:len(w.low)], w.low)
	share := w.residual[p.vars]
	proved := w.value()*share - w.gap
	for k, r := range w.residual[:p.vars] {
		proved += w.x[k] * r
		if p.limited {
			proved -= max(0, r-w.low[k])
		} else {
			proved -= freeWeight * math.Abs(r)
		}
	}
	w.bound = max(w.bound, proved/share)
}

// step does one iteration; it returns "" when another one makes sense.
func (w *interior) step() design.Stop {
	w.assemble()
	if !w.h.Factorise() {
		return design.Breakdown
	}
	w.newton(0)
	w.c.predict(w.dx)
	primal, dual := w.stepLengths(1)
	nu := w.target(primal, dual)
	w.keepSecondOrder()
	w.newton(nu)
	if floats.HasNaN(w.dx) {
		return design.Breakdown
	}
	w.c.correct(w.dx, nu)
	primal, dual = w.stepLengths(0.9 + 0.09*min(primal, dual))
	return w.advance(primal, dual)
}

// target returns the complementarity per eigenvalue to aim at, judged by how
// far the predicted step gets.
func (w *interior) target(primal, dual float64) float64 {
	// The predicted gap follows from feasibility alone: the primal side gains ds.
	predicted := (1-dual)*w.gap + (primal-dual)*w.dx[w.p.vars]
	ratio := min(1, max(1e-4, predicted/w.gap))
	short := min(primal, dual)
	degree := w.c.order() + len(w.low) + len(w.price)
	return math.Pow(ratio, max(1.5, 3*short*short)) * w.gap / float64(degree)
}

// stepLengths returns fraction of the way to the boundary, at most 1.
func (w *interior) stepLengths(fraction float64) (primal, dual float64) {
	limit := 1 / fraction
	primal, dual = w.longest()
	primal = fraction * w.c.primalStep(min(limit, primal))
	return primal, fraction * w.c.dualStep(min(limit, dual))
}

// ratioTest returns the largest step that keeps x ≥ 0.
func ratioTest(x, dx []float64) float64 {
	step := math.Inf(1)
	for i, v := range x {
		if dx[i] < 0 {
			step = min(step, -v/dx[i])
		}
	}
	return step
}

// advance moves, and goes back part of the way where the step was too long after all.
func (w *interior) advance(primal, dual float64) design.Stop {
	const smallest = 1e-8
	floats.AddScaled(w.x, primal, w.dx)
	w.c.move(dual)
	for !w.c.evaluate(w.x) {
		const back = 0.2
		floats.AddScaled(w.x, -back*primal, w.dx)
		w.c.move(-back * dual)
		primal, dual = (1-back)*primal, (1-back)*dual
		if !(max(primal, dual) >= smallest) { // also when not a number
			return design.Breakdown
		}
	}
	w.p.room(w.slack, w.x)
	floats.AddScaled(w.low, dual, w.dlow)
	floats.AddScaled(w.price, dual, w.dprice)
	w.measure()
	if max(primal, dual) < smallest {
		return design.Stalled
	}
	return ""
}
