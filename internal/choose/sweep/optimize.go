package sweep

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/grace"
)

// Optimize answers a problem: the best graph with weights that the method finds within its
// evaluations, and what is proved about it. A cancelled context returns the best plan so far with
// the reason in Stop; without any plan yet it is an error.
func Optimize(ctx context.Context, p design.Problem, s Settings) (*design.Plan, error) {
	ctx, release := grace.With(ctx)
	defer release()
	s.Method = cmp.Or(s.Method, Auto)
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if err := validateSearch(p); err != nil {
		return nil, err
	}
	p = p.WithDefaults()
	if p.Objective == design.Time {
		return soonest(ctx, p, s)
	}
	return withoutIdleLimit(p, func(p design.Problem) (*design.Plan, error) { return fastest(ctx, p, s) })
}

// fastest answers the objective rate.
func fastest(ctx context.Context, p design.Problem, s Settings) (*design.Plan, error) {
	known, err := s.memory.bound(ctx, p)
	if err != nil && ctx.Err() != nil {
		return nil, ErrNoPlan
	}
	if err != nil {
		return nil, err
	}
	if report := s.Progress; report != nil {
		s.Progress = func(now design.Progress) {
			now.Bound = known.posed.RAsym
			report(now)
		}
	}
	var plan *design.Plan
	if s.Method == ADMM || s.Method == Paper {
		plan, err = byADMM(ctx, p, s)
	} else {
		plan, err = bySearch(ctx, p, s, known.posed.RAsym)
	}
	switch {
	case err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return nil, ErrNoPlan
	case err != nil:
		return nil, err
	case !(plan.RAsym < 1):
		return nil, fmt.Errorf("%w: nodes never agree with the weights found (r_asym %v)", ErrNoPlan, plan.RAsym)
	}
	plan.Method, plan.Seed = string(s.Method), s.Seed
	plan.Settings.Evaluations = s.Evaluations
	prove(plan, p, known)
	if plan.Stop != design.BoundAttained && ctx.Err() != nil {
		plan.Stop = stopOf(ctx)
	}
	return plan, nil
}

// prove records what is proved about the problem that a plan answers, and whether the plan meets it.
func prove(plan *design.Plan, p design.Problem, known proved) {
	posed, degree := known.posed, known.degree
	plan.SetBound(&posed)
	if degree != nil && plan.MaxDegree > design.EvenDegree(p.MaxEdges, plan.Nodes) {
		degree = nil
	}
	plan.SetDegreeBound(degree)
	if plan.MeetsBound() {
		plan.Stop = design.BoundAttained
	}
}

// soonest answers the objective time: the budget within p.MaxEdges that reaches the target first, be it exact or not.
// The plan is the answer to that budget, so its settings and bounds speak of it.
func soonest(ctx context.Context, p design.Problem, s Settings) (*design.Plan, error) {
	sweep, err := sweepBudgets(ctx, p, s, false)
	if err != nil {
		return nil, err
	}
	k, _ := sweep.leastScore()
	best := sweep.Outcomes[k].Plan
	best.Notes = append(best.Notes,
		fmt.Sprintf("reaches the target first of all budgets that were tried: %d", len(sweep.Outcomes)))
	return best, nil
}

// stopOf tells a time limit from an interruption.
func stopOf(ctx context.Context) design.Stop {
	if ctx.Err() == context.DeadlineExceeded {
		return design.TimeLimit
	}
	return design.Interrupted
}
