package sweep

import (
	"cmp"
	"context"
	"errors"
	"math"
	"time"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/internal/solve/search"
	"github.com/batopo/batopo/topology"
)

// A sweeper is a sweep at work.
type sweeper struct {
	Sweep
	problem  design.Problem
	settings Settings
	large    bool    // a budget may take long: only what may win is solved, and with care
	alike    bool    // every budget is solved, and no time decides how; see compareAlike
	shares   int     // how many budgets the evaluations are divided by
	winner   int     // position of the best plan so far
	best     float64 // its score; +Inf while there is none that may be recommended
	exact    float64 // time of exact averaging by all-reduce
	patience int     // how many parts of the time a budget gets; more once one was too short for any plan
}

// sweepEvaluations is how much a sweep searches by default, 2/15 of what is spent on a single budget. Times are whole
// numbers of rounds, most budgets lose by several of them, and each goes on from what others found: more evaluations
// hardly ever change the answer. docs/research/search.md has the figures.
func sweepEvaluations(nodes int) int { return search.DefaultEvaluations(nodes) / 15 * 2 }

// newSweeper lists the first budgets; none is solved yet.
func newSweeper(ctx context.Context, p design.Problem, s Settings) (*sweeper, error) {
	s.Evaluations = cmp.Or(s.Evaluations, sweepEvaluations(p.Cluster.Nodes()))
	s.memory = &memory{bounds: map[boundKey]proved{}}
	w := &sweeper{problem: p, settings: s, best: math.Inf(1), exact: math.Inf(1), patience: 1,
		large: p.Cluster.Nodes() > largeCluster}
	w.Criterion = criterion(p)
	if ring, err := cost.Of(collective.Ring(topology.InOrder(p.Cluster.Nodes())), p.Cluster); err == nil {
		w.exact = ring.MS
	}
	return w, w.list(ctx)
}

// question is the problem of one budget. Within a unit bandwidth a round costs the same, so the rate decides.
func (w *sweeper) question(b Budget) design.Problem {
	p := w.problem
	p.MaxEdges, p.MaxDegree, p.Objective = b.MaxEdges, b.MaxDegree, design.Rate
	return p
}

// first solves budget k with its share of the evaluations and 1/parts of the time that is left, unless it is ruled out.
func (w *sweeper) first(ctx context.Context, k, parts int) error {
	o := &w.Outcomes[k]
	if ctx.Err() != nil {
		o.Status = NotAttempted
		return nil
	}
	var before *Budget
	if k > 0 {
		before = &w.Outcomes[k-1].Budget
	}
	err := w.ruleOut(ctx, o, before)
	if err != nil || o.Status != "" {
		return err
	}
	return w.share(ctx, k, parts)
}

// share solves budget k with its share of the evaluations and, under a deadline, 1/parts of the time that is left. On a
// large cluster that may be over before the search has begun; the budgets after that get twice as much, so that some
// plan is found.
func (w *sweeper) share(ctx context.Context, k, parts int) error {
	part, cancel := portion(ctx, parts, w.patience)
	defer cancel()
	err := w.solve(part, k, w.settings.Evaluations/w.shares)
	if w.Outcomes[k].Plan == nil && part.Err() != nil && ctx.Err() == nil {
		w.patience *= 2
	}
	return err
}

// portion limits a context to times/parts of the time that is left, where that is limited.
func portion(ctx context.Context, parts, times int) (context.Context, context.CancelFunc) {
	deadline, limited := ctx.Deadline()
	if !limited {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, time.Until(deadline)/time.Duration(parts)*time.Duration(times))
}

// solve spends evaluations on budget k and keeps what is better.
func (w *sweeper) solve(ctx context.Context, k, evaluations int) error {
	o, s := &w.Outcomes[k], w.settings
	s.Evaluations = max(1, evaluations)
	var err error
	if s.starts, err = w.starts(k); err != nil {
		return err
	}
	if report := s.Progress; report != nil {
		s.Progress = func(now design.Progress) {
			now.Budget, now.Budgets = k+1, len(w.Outcomes)
			report(now)
		}
	}
	plan, err := Optimize(ctx, w.question(o.Budget), s)
	if unsolved := unsolvedStatus(err); unsolved != "" {
		if o.Plan == nil {
			o.Status, o.Err = unsolved, err
		}
		return nil
	}
	if err != nil {
		return err
	}
	if w.Criterion == ByTime {
		plan.Objective = design.Time // what was asked, and what budgets are compared by
	}
	found, err := w.rank(grace.Late(ctx), plan)
	if err != nil || !found.better(o.Scored) {
		return err
	}
	w.take(k, found)
	return nil
}

// settled reports whether it is proved that no other plan of budget k changes the recommendation: it would need fewer
// rounds than any graph within the budget, by ‖Wᵏ − J‖_F ≥ r_asymᵏ.
func (w *sweeper) settled(k int) bool {
	plan := w.Outcomes[k].Plan
	if w.Criterion != ByTime || plan.Bound == nil || !(plan.Bound.RAsym > 0 && w.best < math.Inf(1)) {
		return false
	}
	unit := w.Outcomes[k].Budget.UnitGBs
	if k > 0 {
		unit = w.outside(w.Outcomes[k-1].Budget)
	}
	return w.leastRounds(plan.Bound.RAsym)*w.roundMS(unit) >= w.best*(1-design.Attained)
}

// unsolvedStatus is what an error of Optimize says about a budget; "" where it is no answer.
func unsolvedStatus(err error) Status {
	switch {
	case errors.Is(err, ErrNoPlan):
		return ShareSpent
	case errors.Is(err, feasible.ErrInfeasible):
		return Infeasible
	case errors.Is(err, feasible.ErrUndecided):
		return Undecided
	}
	return ""
}

// take makes a candidate the answer of budget k.
func (w *sweeper) take(k int, found Scored) {
	o := &w.Outcomes[k]
	*o = Outcome{Budget: o.Budget, Status: Solved, Scored: found}
	if w.settings.Found != nil {
		w.settings.Found(found.Plan)
	}
	if !w.alike {
		w.compare(k)
	}
}

// compare makes budget k the winner where its plan is the best so far, unless a collective is sooner.
func (w *sweeper) compare(k int) {
	o := &w.Outcomes[k]
	if o.Plan.Iterations == 1 && w.exact <= o.Plan.TimeMS {
		o.Status, o.CollectiveMS = Outpaced, w.exact
		return
	}
	if o.Score < w.best {
		w.best, w.winner = o.Score, k
	}
}
