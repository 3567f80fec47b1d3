package admm

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/batopo/batopo/design"
)

// checkEvery is the pace, in iterations, of residuals, rounding, progress and stopping.
const checkEvery = 20

// frozenChecks is how many times in a row rounding must give the same edges before
// the relaxation is called stalled: what it still does is weights, and those come next.
const frozenChecks = 15

// A runner is one start: the relaxation, then the weights of its best supports.
type runner struct {
	*solver
	index     int
	rng       *rand.Rand
	appraiser *appraiser
	short     shortlist
	report    Run
}

func (s *solver) newRunner(index int) *runner {
	return &runner{
		solver: s, index: index,
		rng:       rand.New(rand.NewPCG(s.settings.Seed, uint64(index))),
		appraiser: newAppraiser(s.problem.n, s.problem.edges),
		short:     shortlist{most: s.settings.Polished},
		report:    Run{RAsym: 1},
	}
}

// run performs one start. Whatever happens, the shortlist holds the best plans so far.
func (r *runner) run(ctx context.Context) {
	if r.report.Stop = stopped(ctx); r.report.Stop != "" {
		return
	}
	b := r.begin(ctx)
	r.report.PathLength = b.pathLength
	r.short.offer(b.first)
	r.progress.best(&b.first)
	it, err := r.newIteration(r.problem)
	if err == nil {
		it.begin(r.settings.rho(r.problem, r.index), 1-b.first.rAsym, b.weights, selection(b.first.chosen))
		r.report.RhoFirst = it.rho
		r.report.Stop, err = r.relax(ctx, it)
		r.report.RhoLast, r.report.Linear = it.rho, it.linear()
	}
	if err == nil {
		err = r.polish(ctx)
	}
	if err != nil {
		r.report.Stop, r.report.Err = design.Breakdown, err
	}
	r.report.RAsym = r.short.list[0].rAsym
}

// stopped says why the context is done, or "".
func stopped(ctx context.Context) design.Stop {
	switch ctx.Err() {
	case nil:
		return ""
	case context.DeadlineExceeded:
		return design.TimeLimit
	}
	return design.Interrupted
}

func selection(chosen []bool) []float64 {
	z := make([]float64, len(chosen))
	for k, in := range chosen {
		if in {
			z[k] = 1
		}
	}
	return z
}

// relax iterates on all candidates while ρ grows, rounding as it goes.
func (r *runner) relax(ctx context.Context, it *iteration) (design.Stop, error) {
	score := make([]float64, r.problem.m)
	last := make([]bool, r.problem.m)
	same := 0
	for k := 1; k <= r.settings.Iterations; k++ {
		if stop := stopped(ctx); stop != "" {
			return stop, nil
		}
		if err := it.step(); err != nil {
			return design.Breakdown, err
		}
		r.report.Iterations = k
		r.trace(it, func() float64 {
			it.score(score)
			return r.appraiser.appraise(r.rounder.Round(score).Chosen(), it.y.g).rAsym
		})
		it.rho *= r.settings.Growth
		if k%checkEvery != 0 {
			continue
		}
		primal, dual := it.residuals()
		it.score(score)
		if chosen := r.rounder.Round(score).Chosen(); slices.Equal(chosen, last) {
			same++
		} else {
			same = 0
			copy(last, chosen)
			r.report.Rounded++
			c := r.appraiser.appraise(chosen, it.y.g)
			r.short.offer(c)
			r.progress.best(&c)
		}
		r.progress.advance(design.Relaxing, primal, dual, checkEvery)
		switch {
		case primal <= r.settings.Tolerance && dual <= r.settings.Tolerance:
			return design.Converged, nil
		case same >= frozenChecks:
			return design.Stalled, nil
		}
	}
	return design.BudgetSpent, nil
}
