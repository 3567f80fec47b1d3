package search

import (
	"context"
	"math"

	"batopo/design"
	"batopo/topology"
	"batopo/weights"
)

// A refinement anneals a wiring by its value under optimal weights. The
// resolvents only decide which moves are worth an exact answer: those that keep the spectrum under nominal
// weights within a margin of what it is now. How wide the margin is follows from the share of the work that
// goes into exact answers, so that neither side starves.
type refinement struct {
	quench
	problem Problem
	solver  *weights.LiftSolver // nil without symmetry
	budget  *meter
	report  func(design.Progress)
	heat    float64 // temperature at first, in units of the value

	margin float64
	trial  []topology.Arc
	solves int
	value  float64 // of the wiring
	best   struct {
		arcs   []topology.Arc
		result *weights.Result
		value  float64
	}
}

const (
	coldHeat    = 0.0007 // temperature of a refinement at last
	exactShare  = 0.5    // of the work that should go into exact answers
	firstMargin = 0.02
	leastMargin = 0.002
	mostMargin  = 0.1
	coarse      = 1e-4 // tolerance of values during the search
)

// solve returns the optimal weights on some arcs; nil when their value exceeds the
// cutoff or the arcs do not connect all nodes.
func (r *refinement) solve(ctx context.Context, arcs []topology.Arc, cutoff float64) *weights.Result {
	r.solves++
	r.budget.chargeSolve(r.w.f, len(arcs))
	s := r.problem.weighing(coarse, cutoff)
	var result *weights.Result
	var err error
	if r.solver != nil {
		result, err = r.solver.Solve(ctx, r.w.f.lift(arcs), s)
	} else {
		result, err = solveGraph(ctx, r.w.f, arcs, s)
	}
	if err != nil || !(result.Value(s) <= cutoff) {
		return nil
	}
	return result
}

// consider makes some arcs the wiring and keeps them if they are the best.
func (r *refinement) consider(ctx context.Context, arcs []topology.Arc) {
	limit := 1.0
	if r.best.result != nil {
		limit = r.best.value
	}
	r.w.set(arcs)
	// A cancelled search still weighs what it has found.
	if result := r.solve(context.WithoutCancel(ctx), arcs, limit); result != nil {
		r.accept(result)
	}
}

// accept notes the value of the wiring.
func (r *refinement) accept(result *weights.Result) {
	r.value = result.Value(r.problem.weighing(coarse, 0))
	if (r.best.result == nil || r.value < r.best.value) && r.w.missing() == 0 {
		r.best.value, r.best.result = r.value, result
		r.best.arcs = append(r.best.arcs[:0], r.w.arcs...)
	}
}

// pulse reports progress.
func (r *refinement) pulse() {
	if r.report == nil {
		return
	}
	p := design.Progress{Phase: design.Searching, Iteration: r.budget.spent, Limit: r.budget.limit}
	if r.best.result != nil {
		p.Feasible, p.Best = true, r.best.value
	}
	r.report(p)
}

// run anneals until the budget is spent.
func (r *refinement) run(ctx context.Context) {
	const pace = 500 // proposals between two looks at the share of exact answers
	var m move
	r.margin = firstMargin
	r.set(r.margin, r.budget)
	solves, before := r.solves, r.budget.spent
	for proposals := 1; r.budget.left(); proposals++ {
		if proposals%pace == 0 {
			if ctx.Err() != nil {
				return
			}
			r.pulse()
			exact := (r.solves - solves) * solvePrice(r.w.f, len(r.w.arcs))
			if float64(exact) > exactShare*float64(r.budget.spent-before) {
				r.margin = max(leastMargin, r.margin*0.8)
			} else {
				r.margin = min(mostMargin, r.margin*1.2)
			}
			solves, before = r.solves, r.budget.spent
			r.set(r.margin, r.budget)
		}
		r.budget.spent++
		if !r.w.propose(r.rng, &m) {
			continue
		}
		delta := r.r.barrier(&m)
		r.budget.chargeTests(r.r.looked)
		if math.IsInf(delta, 0) {
			continue
		}
		temperature := r.heat * math.Pow(coldHeat/r.heat, r.budget.done())
		limit := r.value + temperature*r.rng.ExpFloat64()
		r.trial = r.w.after(r.trial[:0], &m)
		if result := r.solve(ctx, r.trial, limit); result != nil {
			r.w.apply(&m)
			r.accept(result)
			r.set(r.margin, r.budget)
		}
	}
}
