package search

import (
	"context"
	"math"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/topology"
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
	silent  bool    // reports no values
	heat    float64 // temperature, in units of the value

	margin  float64
	trial   []topology.Arc
	solves  int
	refused map[int64]float64 // barriers of moves that are known to exceed a value
	value   float64           // of the wiring
	best    struct {
		arcs   []topology.Arc
		result *weights.Result
		value  float64
		shown  *Solution // the same for the caller to watch; nil until it is reported
	}
}

const (
	hotAccept   = 0.5  // share of uphill moves that are accepted at first
	coldAccept  = 0.05 // and at last
	pull        = 0.05 // how fast the temperature follows
	exactShare  = 0.5  // of the work that should go into exact answers
	firstMargin = 0.02
	leastMargin = 0.002
	mostMargin  = 2
	sameBarrier = 1e7  // barriers that agree to 1/sameBarrier belong to the same spectrum
	coarse      = 1e-4 // tolerance of values during the search
)

// solve returns the optimal weights on some arcs; nil when their value exceeds the
// cutoff or the arcs do not connect all nodes.
func (r *refinement) solve(ctx context.Context, arcs []topology.Arc, cutoff float64) *weights.Result {
	r.solves++
	r.budget.spent += solvePrice(r.w.f, len(arcs))
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
	// A cancelled search still finds the weights of its best graph.
	if result := r.solve(grace.Late(ctx), arcs, limit); result != nil {
		r.accept(result)
	}
}

// accept notes the value of the wiring.
func (r *refinement) accept(result *weights.Result) {
	r.value = result.Value(r.problem.weighing(coarse, 0))
	if (r.best.result == nil || r.value < r.best.value) && r.w.missing() == 0 {
		r.best.value, r.best.result, r.best.shown = r.value, result, nil
		r.best.arcs = append(r.best.arcs[:0], r.w.arcs...)
	}
}

func (r *refinement) pulse() {
	if r.report == nil {
		return
	}
	p := design.Progress{Phase: design.Searching, Done: r.budget.spent, Total: r.budget.limit}
	if r.best.result != nil && !r.silent {
		if r.best.shown == nil {
			r.best.shown = newCandidate(r.w.f, r.best.arcs, r.best.result)
		}
		p.Feasible, p.Best, p.Graph, p.Weights = true, r.best.value, r.best.shown.Graph, r.best.shown.Weights
	}
	r.report(p)
}

// run anneals until the budget is spent.
func (r *refinement) run(ctx context.Context) {
	const pace = 1000 // proposals between two looks at the share of exact answers
	var m move
	r.margin = firstMargin
	r.renew()
	solves, before := r.solves, r.budget.spent
	for proposals := 1; r.budget.left(); proposals++ {
		if proposals%pace == 0 {
			if ctx.Err() != nil {
				return
			}
			r.pulse()
			r.adjust(float64((r.solves-solves)*solvePrice(r.w.f, len(r.w.arcs))) / float64(r.budget.spent-before))
			solves, before = r.solves, r.budget.spent
		}
		r.budget.spent++
		if !r.w.propose(r.rng, &m) {
			continue
		}
		delta := r.r.barrier(&m)
		r.budget.chargeTests(r.r.looked)
		// The same barrier means the same spectrum, in practice the same graph in other words.
		if math.IsInf(delta, 0) || math.Abs(delta) < 1/sameBarrier {
			continue
		}
		r.decide(ctx, &m, delta)
		if ctx.Err() != nil {
			return
		}
	}
}

// renew sets the interval and forgets which moves were refused.
func (r *refinement) renew() {
	r.set(r.margin, r.budget)
	clear(r.refused)
}

// adjust makes the margin narrower or wider, depending on the share of exact answers in the work.
func (r *refinement) adjust(share float64) {
	switch {
	case share > 1.2*exactShare:
		r.margin = max(leastMargin, r.margin*0.7)
	case share < 0.8*exactShare:
		r.margin = min(mostMargin, r.margin*1.3)
	default:
		return
	}
	r.renew()
}

// decide accepts or refuses a move by its exact value, and steers the temperature towards a falling
// share of uphill moves that are accepted.
func (r *refinement) decide(ctx context.Context, m *move, delta float64) {
	limit := r.value + r.heat*r.rng.ExpFloat64()
	target := hotAccept * math.Pow(coldAccept/hotAccept, r.budget.done())
	key := int64(math.Round(delta * sameBarrier))
	if bound, seen := r.refused[key]; seen && limit <= bound {
		r.heat *= math.Exp(pull * target)
		return
	}
	r.trial = r.w.after(r.trial[:0], m)
	result := r.solve(ctx, r.trial, limit)
	if result == nil {
		r.refused[key] = limit
		r.heat *= math.Exp(pull * target)
		return
	}
	before := r.value
	r.w.apply(m)
	r.accept(result)
	r.renew()
	if r.value > before+coarse {
		r.heat *= math.Exp(-pull * (1 - target))
	}
}
