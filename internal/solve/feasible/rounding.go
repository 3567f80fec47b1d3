package feasible

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/batopo/batopo/design"
)

// A Rounder finds good feasible selections of one space. It is not written after New,
// so several goroutines may share it.
type Rounder struct {
	ix     *index
	paired bool       // every edge uses exactly two limits
	base   *Selection // some feasible selection
}

// New checks the space and finds a first feasible selection. The error comes from
// [design.Space.Validate] or from ctx, or wraps [ErrInfeasible] or [ErrUndecided].
func New(ctx context.Context, space design.Space) (*Rounder, error) {
	if err := space.Validate(); err != nil {
		return nil, err
	}
	r := &Rounder{ix: newIndex(space)}
	if err := r.ix.refute(); err != nil {
		return nil, err
	}
	r.paired = len(space.Limits) > 0 && r.ix.everyUsesTwo()
	if err := r.findBase(ctx); err != nil {
		return nil, err
	}
	return r, nil
}

// Start returns a copy of the feasible selection that New found.
func (r *Rounder) Start() *Selection { return r.base.Clone() }

// Round returns the best feasible selection it can find for the scores, one finite
// number per candidate, larger is better. The same scores give the same selection.
func (r *Rounder) Round(score []float64) *Selection {
	if len(score) != len(r.ix.uses) {
		panic("feasible: Round needs one score per candidate")
	}
	order := r.ix.byScore(score)
	s := r.ix.empty()
	if len(r.ix.space.Limits) == 0 {
		s.greedy(order) // optimal, and feasible because the candidates are connected
		return s
	}
	if !r.construct(s, order, score) {
		s.Set(r.base)
	}
	s.climb(order, score)
	return s
}

// construct builds a selection from scratch and reports whether it became feasible.
func (r *Rounder) construct(s *Selection, order []int, score []float64) bool {
	const settling = 2000 // moves of the tabu search; successes need a few dozen
	s.greedy(order)
	if r.paired {
		s.complete(order)
	}
	if s.violation() > 0 && (r.paired || !s.settle(order, score, settling)) {
		return false
	}
	return s.connect(order, score)
}

// findBase looks for a first feasible selection: from random scores, then by prices, by matching
// theory where that decides, at last by trying everything.
func (r *Rounder) findBase(ctx context.Context) error {
	const attempts = 64
	s := r.ix.empty()
	rng := rand.New(rand.NewPCG(1, 1))
	score := make([]float64, len(r.ix.uses)) // zeros first: candidates in order
	for attempt := range attempts {
		if err := ctx.Err(); err != nil {
			return err
		}
		if order := r.ix.byScore(score); r.construct(s, order, score) {
			r.base = s
			return nil
		}
		if attempt == 0 {
			if found, err := r.byPrices(ctx); found || err != nil {
				return err
			}
		}
		for k := range score {
			score[k] = rng.Float64()
		}
	}
	if r.paired && !slices.Contains(r.ix.fill, false) {
		order := r.ix.byScore(score)
		s.greedy(order)
		if missing := s.factor(); missing > 0 {
			return infeasible("no choice of candidates gives every resource exactly its number of edges: "+
				"a maximum matching of Tutte's reduction leaves %d vertices alone", missing)
		}
		if s.connect(order, score) {
			r.base = s
			return nil
		}
	}
	// A visit costs O(candidates), so this bounds the work, not the time.
	const work = 20_000_000
	found, done := s.exhaust(ctx, max(1, work/len(r.ix.uses)))
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case found:
		r.base = s
		return nil
	case done:
		return infeasible("every choice of the %d candidate edges was tried", len(r.ix.uses))
	}
	return fmt.Errorf("%w in %d constructions and %d trials, and no reason why there should be none; "+
		"loosen a limit, or give more candidates", ErrUndecided, attempts, work/len(r.ix.uses))
}

// byPrices proves that no connected choice keeps the limits, or finds one where limits need not be filled.
func (r *Rounder) byPrices(ctx context.Context) (found bool, err error) {
	s := r.ix.empty()
	found, err = newMarket(s).refutePrices(ctx)
	if err != nil || !found || r.ix.space.Exact {
		return false, err
	}
	s.fill(r.ix.byScore(make([]float64, len(r.ix.uses))))
	r.base = s
	return true, nil
}
