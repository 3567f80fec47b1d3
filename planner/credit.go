package planner

import (
	"context"
	"fmt"
	"math"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/bound"
)

// credit gives every plan to the first budget that has room for it: a search within a larger budget may well find a graph that
// needs less. It is an answer there, and the better one of two stays. The budget that gave its plan away says
// so instead of repeating it, as does one whose own plan is worse than an earlier one. Plans that are exact, and so not
// recommended, stay where they are and give way to none.
func (w *sweeper) credit(ctx context.Context) error {
	homes := make([]int, len(w.Budgets))
	for k := range w.Budgets {
		homes[k] = k
		if b := &w.Budgets[k]; b.Plan == nil || b.Reason != "" {
			continue
		}
		home, err := w.home(ctx, k)
		if err != nil {
			return err
		}
		if homes[k] = home; home < k {
			if err := w.move(ctx, k, home); err != nil {
				return err
			}
		}
	}
	for k := range w.Budgets {
		if h, worse := w.outdone(k); worse {
			homes[k] = h
			w.Budgets[k].clear()
		}
	}
	for k := range homes {
		homes[k] = homes[homes[k]] // a home may itself have been outdone by an earlier one, which is settled by now
	}
	w.Recommended = homes[w.Recommended]
	for k, home := range homes {
		if home < k {
			w.Budgets[k].Reason = fmt.Sprintf("the plan of %d edges again", len(w.Budgets[home].Plan.Edges()))
		}
	}
	return nil
}

// outdone returns the earlier budget with the least r_asym whose plan, which budget k has room for too, beats that of k in r_asym and is no worse by score.
func (w *sweeper) outdone(k int) (by int, some bool) {
	own := &w.Budgets[k]
	if own.Plan == nil || own.Reason != "" {
		return 0, false
	}
	least := own.Plan.RAsym - design.Attained
	for h, b := range w.Budgets[:k] {
		if b.Plan != nil && b.Reason == "" && b.Score <= own.Score && b.Plan.RAsym < least {
			by, some, least = h, true, b.Plan.RAsym
		}
	}
	return by, some
}

// clear takes a budget's plan away.
func (b *Budget) clear() { b.Plan, b.Score, b.Neighbors = nil, math.Inf(1), 0 }

// home returns the first budget that has room for the plan of budget k.
func (w *sweeper) home(ctx context.Context, k int) (int, error) {
	plan := w.Budgets[k].Plan
	for h := range k {
		b := &w.Budgets[h]
		if exact := b.Plan != nil && b.Reason != ""; exact || len(plan.Edges()) > b.Allocation.MaxEdges || b.MaxDegree > 0 && plan.MaxDegree > b.MaxDegree {
			continue
		}
		if room, err := w.hasRoom(ctx, b, plan); room || err != nil {
			return h, err
		}
	}
	return k, nil
}

// hasRoom reports whether a plan loads no resource beyond what a budget allows. On equal nodes the limit on degrees says that.
func (w *sweeper) hasRoom(ctx context.Context, b *Budget, plan *design.Plan) (bool, error) {
	c := w.problem.Cluster
	if c.Homogeneous() {
		return true, nil
	}
	rounds, err := plan.Matrices()
	if err != nil {
		return false, err
	}
	load, err := c.Load(rounds[0])
	if err != nil {
		return false, err
	}
	allowed, err := c.Allocate(ctx, b.Allocation.MaxEdges)
	if err != nil {
		return false, err
	}
	for l, count := range load.Count {
		if count > allowed.Edges[l] {
			return false, nil
		}
	}
	return true, nil
}

// move takes the plan of budget k away and, where it is better than what budget home has, makes it the answer there.
func (w *sweeper) move(ctx context.Context, k, home int) error {
	from, to := &w.Budgets[k], &w.Budgets[home]
	given := *from
	from.clear()
	if !given.better(to) {
		return nil
	}
	p := w.question(to)
	p.MinEigenvalue = given.Plan.MinEigenvalue // nil where the limit is kept without asking for it
	posed, degree, err := bound.Problem(ctx, p)
	if err != nil {
		return err
	}
	plan := given.Plan
	plan.Notes = append(plan.Notes, fmt.Sprintf("found within %d edges; it fits into the budget of %d", plan.MaxEdges, p.MaxEdges))
	plan.MaxEdges, plan.DegreeLimit = p.MaxEdges, p.MaxDegree
	prove(plan, p, posed, degree)
	to.Plan, to.Score, to.Neighbors, to.Reason = plan, given.Score, given.Neighbors, ""
	return nil
}
