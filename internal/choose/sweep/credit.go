package sweep

import (
	"context"
	"fmt"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/feasible"
)

// credit gives every plan to the first budget that has room for it: a search within a larger budget may well find a
// graph that needs less. It is an answer there, and the better one of two stays. The budget that gave its plan away
// says so instead of repeating it, as does one whose own plan is worse than an earlier one. Plans that are outpaced by
// a collective, and so not recommended, stay where they are and give way to none.
func (w *sweeper) credit(ctx context.Context) error {
	homes := make([]int, len(w.Outcomes))
	for k, o := range w.Outcomes {
		homes[k] = k
		if o.Status != Solved {
			continue
		}
		home, err := w.home(ctx, k)
		if err != nil {
			return err
		}
		homes[k] = home
		if home < k {
			if err := w.move(ctx, k, home); err != nil {
				return err
			}
		}
	}
	for k := range w.Outcomes {
		if h, worse := w.outdone(k); worse {
			homes[k] = h
			w.Outcomes[k].giveUp(h)
		}
	}
	for k := range homes {
		homes[k] = homes[homes[k]] // a home may itself have been outdone by an earlier one, which is settled by now
	}
	w.winner = homes[w.winner]
	for k, home := range homes {
		if home < k {
			w.Outcomes[k].SameAs = home
		}
	}
	return nil
}

// outdone returns the earlier budget with the least r_asym whose plan, which budget k has room for too, beats the plan
// of k in r_asym and is no worse by score.
func (w *sweeper) outdone(k int) (by int, some bool) {
	own := &w.Outcomes[k]
	if own.Status != Solved {
		return 0, false
	}
	least := own.Plan.RAsym - design.Attained
	for h, o := range w.Outcomes[:k] {
		if o.Status == Solved && o.Score <= own.Score && o.Plan.RAsym < least {
			by, some, least = h, true, o.Plan.RAsym
		}
	}
	return by, some
}

// giveUp takes a budget's plan away in favour of an earlier budget's.
func (o *Outcome) giveUp(home int) { *o = Outcome{Budget: o.Budget, Status: SamePlan, SameAs: home} }

// home returns the first budget that has room for the plan of budget k.
func (w *sweeper) home(ctx context.Context, k int) (int, error) {
	plan := w.Outcomes[k].Plan
	for h := range k {
		o := &w.Outcomes[h]
		if o.Status == Outpaced || !o.Budget.admits(plan) {
			continue
		}
		if room, err := w.hasRoom(ctx, o.Budget, plan); room || err != nil {
			return h, err
		}
	}
	return k, nil
}

// admits reports whether a plan keeps a budget's limits on edges and degrees.
func (b Budget) admits(plan *design.Plan) bool {
	return len(plan.Edges()) <= b.MaxEdges && (b.MaxDegree == 0 || plan.MaxDegree <= b.MaxDegree)
}

// hasRoom reports whether a plan loads no resource beyond what a budget allows. On equal nodes the limit on degrees
// says that.
func (w *sweeper) hasRoom(ctx context.Context, b Budget, plan *design.Plan) (bool, error) {
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
	allowed, err := feasible.On(c).Allocate(ctx, b.MaxEdges)
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
	given, to := w.Outcomes[k].Scored, &w.Outcomes[home]
	w.Outcomes[k].giveUp(home)
	if !given.better(to.Scored) {
		return nil
	}
	p := w.question(to.Budget)
	p.MinEigenvalue = given.Plan.MinEigenvalue // nil where the limit is kept without asking for it
	known, err := w.settings.memory.bound(ctx, p)
	if err != nil {
		return err
	}
	plan := given.Plan
	plan.Notes = append(plan.Notes,
		fmt.Sprintf("found within %d edges; it fits into the budget of %d", plan.MaxEdges, p.MaxEdges))
	plan.MaxEdges, plan.DegreeLimit = p.MaxEdges, p.MaxDegree
	prove(plan, p, known)
	*to = Outcome{Budget: to.Budget, Status: Solved, Scored: given}
	return nil
}
