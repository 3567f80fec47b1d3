package planner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/grace"
	"github.com/batopo/batopo/internal/search"
)

// A sweeper is a sweep at work.
type sweeper struct {
	Sweep
	problem  design.Problem
	settings Settings
	shares   int     // how many budgets the evaluations are divided by
	best     float64 // least score so far of a plan that may be recommended
	exact    float64 // time of exact averaging by all-reduce
	open     bool    // some budget has no plan although none was proved impossible
	patience int     // how many parts of the time a budget gets; more once one was too short for any plan
}

// newSweeper lists the first budgets; none is solved yet.
func newSweeper(ctx context.Context, p design.Problem, s Settings) (*sweeper, error) {
	w := &sweeper{problem: p, settings: s, best: math.Inf(1), exact: math.Inf(1), patience: 1}
	if ring, err := p.Cluster.RingAllReduce(); err == nil {
		w.exact = ring.CommunicationMS
	}
	return w, w.list(ctx)
}

// question is the problem of one budget. Within a unit bandwidth a round costs the same, so the rate decides.
func (w *sweeper) question(b *Budget) design.Problem {
	p := w.problem
	p.MaxEdges, p.MaxDegree, p.Objective = b.Allocation.MaxEdges, b.MaxDegree, design.Rate
	return p
}

// sequence is the order in which the first budgets are solved. Under a deadline a search of a large cluster may not come to all of them; the
// rate of the best graphs of degree d, about 2√(d−1)/d, makes some eight neighbours the soonest there, so it begins with these.
func (w *sweeper) sequence(ctx context.Context) []int {
	const large, promising = 1000, 8
	order := make([]int, len(w.Budgets))
	for k := range order {
		order[k] = k
	}
	if _, limited := ctx.Deadline(); limited && w.byTime() && w.problem.Cluster.Homogeneous() && w.problem.Cluster.Nodes() > large {
		far := func(k int) int { return max(w.Budgets[k].MaxDegree-promising, promising-w.Budgets[k].MaxDegree) }
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(far(i), far(j)) })
	}
	return order
}

// first solves budget k with its share of the evaluations and one of so many parts of the time, unless that is pointless.
func (w *sweeper) first(ctx context.Context, k, parts int) error {
	b := &w.Budgets[k]
	if ctx.Err() != nil {
		b.Reason = "not solved: the search was stopped"
		return nil
	}
	var before *cluster.Allocation
	if k > 0 {
		before = &w.Budgets[k-1].Allocation
	}
	reason, err := w.pointless(ctx, b, before)
	if err != nil || reason != "" {
		b.Reason = reason
		return err
	}
	return w.share(ctx, k, parts)
}

// share solves budget k with its share of the evaluations and, under a deadline, one of so many parts of the time that is left. On a large
// cluster a part may be over before the search has begun; the budgets after that get twice as much, so that some plan is found.
func (w *sweeper) share(ctx context.Context, k, parts int) error {
	part := ctx
	if deadline, limited := ctx.Deadline(); limited {
		var cancel context.CancelFunc
		part, cancel = context.WithTimeout(ctx, time.Until(deadline)/time.Duration(parts)*time.Duration(w.patience))
		defer cancel()
	}
	err := w.solve(part, k, w.settings.Evaluations/w.shares, search.DefaultEvaluations(w.problem.Cluster.Nodes())/w.shares)
	if w.Budgets[k].Plan == nil && part.Err() != nil && ctx.Err() == nil {
		w.patience *= 2
	}
	return err
}

// refine searches the most promising budgets again: a share of the evaluations can leave the budget that would win some way behind. First
// four get a quarter of the evaluations each, by what they would score if they came as close to their bounds as the closest; then the best
// two get all of them.
func (w *sweeper) refine(ctx context.Context) error {
	if w.byTime() {
		closest := 0.0
		for _, b := range w.Budgets {
			if b.Plan != nil && b.Reason == "" {
				closest = max(closest, b.closeness())
			}
		}
		if err := w.again(ctx, w.ranked(4, func(b *Budget) float64 { return b.Score * b.closeness() / closest }), 4); err != nil {
			return err
		}
	}
	return w.again(ctx, w.ranked(2, func(b *Budget) float64 { return b.Score }), 1)
}

// closeness is how much of the proved rate of agreement a plan reaches, from 0 to 1.
func (b *Budget) closeness() float64 {
	if b.Plan.Bound == nil || !(b.Plan.Bound.RAsym > 0 && b.Plan.RAsym > 0) {
		return 1
	}
	return math.Log(b.Plan.RAsym) / math.Log(b.Plan.Bound.RAsym)
}

// ranked returns the budgets that may be recommended with the least value, at most so many.
func (w *sweeper) ranked(most int, value func(*Budget) float64) []int {
	order := make([]int, 0, len(w.Budgets))
	for k, b := range w.Budgets {
		if b.Plan != nil && b.Reason == "" {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(value(&w.Budgets[i]), value(&w.Budgets[j])) })
	return order[:min(most, len(order))]
}

// again searches budgets with 1/part of the evaluations each. Under a deadline the first half of the time that is left is for all but the last call.
func (w *sweeper) again(ctx context.Context, order []int, part int) error {
	for i, k := range order {
		if stop := w.Budgets[k].Plan.Stop; stop == design.BoundAttained || stop == design.Exhausted || ctx.Err() != nil {
			continue
		}
		limited := ctx
		if deadline, has := ctx.Deadline(); has {
			parts := len(order) - i
			if part > 1 {
				parts *= 2
			}
			var cancel context.CancelFunc
			limited, cancel = context.WithTimeout(ctx, time.Until(deadline)/time.Duration(parts))
			defer cancel()
		}
		const best = 2 // budgets that get all evaluations share those that were asked for
		if err := w.solve(limited, k, w.settings.Evaluations/(best*part), search.DefaultEvaluations(w.problem.Cluster.Nodes())/part); err != nil {
			return err
		}
	}
	return nil
}

// solve spends evaluations, or the default where none were asked for, on budget k and keeps what is better.
func (w *sweeper) solve(ctx context.Context, k, evaluations, byDefault int) error {
	b, s := &w.Budgets[k], w.settings
	if s.Evaluations = max(1, evaluations); w.settings.Evaluations == 0 {
		s.Evaluations = max(1, byDefault)
	}
	if report := s.Progress; report != nil {
		s.Progress = func(now design.Progress) {
			now.Phase = design.Phase(fmt.Sprintf("budget %d of %d, %s", k+1, len(w.Budgets), now.Phase))
			report(now)
		}
	}
	if w.countsRounds() {
		s.target = w.problem.Cluster.Model().TargetError
	}
	plan, err := Optimize(ctx, w.question(b), s)
	switch {
	case errors.Is(err, ErrNoPlan):
		if b.Plan == nil {
			b.Reason = "no plan was met in its share of the search"
			w.open = true
		}
		return nil
	case errors.Is(err, ErrInfeasible), errors.Is(err, ErrUndecided):
		b.Reason = err.Error()
		w.open = w.open || errors.Is(err, ErrUndecided)
		return nil
	case err != nil:
		return err
	}
	found := Budget{Plan: plan}
	if found.Score, found.Neighbors, err = w.score(grace.Late(ctx), plan); err != nil {
		return err
	}
	if !found.better(b) {
		return nil
	}
	b.Plan, b.Score, b.Neighbors = plan, found.Score, found.Neighbors
	if plan.Iterations == 1 && w.exact <= plan.TimeMS {
		b.Reason = fmt.Sprintf("exact, but ring all-reduce averages exactly in %.4g ms", w.exact)
		return nil
	}
	if b.Score < w.best {
		w.best, w.Recommended = b.Score, k
	}
	return nil
}
