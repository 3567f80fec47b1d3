package sweep

import (
	"context"

	"github.com/batopo/batopo/internal/solve/feasible"
)

// Beyond says what became of the budgets with more edges than the first ones, which are all listed.
type Beyond struct {
	Edges  int     // of the largest budget up to which all were looked at; 0 where that are all there can be
	Growth int     // larger ones were tried, each by this part of the one before larger, and the solved ones are listed
	GaveUp bool    // until two in a row were worse than the best
	Status Status  // of those not listed: Hopeless, NotAttempted, or "" where nothing is known of them
	Best   float64 // Hopeless: the score that they cannot beat
}

// further goes on beyond the first budgets for as long as a larger one may win, and lists those that were solved.
func (w *sweeper) further(ctx context.Context) error {
	before := w.Outcomes[len(w.Outcomes)-1].Budget
	start, most := before.MaxEdges, w.most()
	if len(w.Outcomes) < firstBudgets || start >= most {
		return nil
	}
	if w.Criterion == ByRate { // more edges never make the rate worse
		w.Beyond = Beyond{Edges: start, Status: NotAttempted}
		return nil
	}
	ruledOut, worse := false, 0
	for before.MaxEdges < most {
		if ctx.Err() != nil {
			w.Beyond = Beyond{Edges: before.MaxEdges, Status: NotAttempted}
			return nil
		}
		if w.hopeless(before) {
			ruledOut = true
			break
		}
		next, more := w.next(ctx, before)
		if !more {
			break
		}
		if err := w.ruleOut(ctx, &next, &before); err != nil {
			return err
		}
		before = next.Budget
		if next.Status != "" {
			ruledOut = true
			continue
		}
		w.Outcomes = append(w.Outcomes, next)
		// How many are to come is not known; what time is left is for them and for searching the best again.
		const part = 4
		if err := w.share(ctx, len(w.Outcomes)-1, part); err != nil {
			return err
		}
		w.Beyond = Beyond{Edges: start, Growth: w.growth()}
		if worse++; w.winner == len(w.Outcomes)-1 {
			worse = 0
		}
		const enough = 2
		if w.large && worse == enough {
			w.Beyond.GaveUp = true
			break
		}
	}
	if ruledOut && !w.Beyond.GaveUp {
		w.Beyond.Edges, w.Beyond.Status, w.Beyond.Best = start, Hopeless, w.best
	}
	return nil
}

// next is the budget that follows another beyond the first ones; there is none where resources carry no more.
func (w *sweeper) next(ctx context.Context, before Budget) (o Outcome, more bool) {
	c := w.problem.Cluster
	a, err := feasible.On(c).Allocate(ctx, min(before.MaxEdges+max(1, before.MaxEdges/w.growth()), w.most()))
	if err != nil {
		// A tenth more is too much; what the resources carry at most is the last budget.
		last, _, err := feasible.On(c).Carries(ctx, c.Most())
		if err != nil {
			return Outcome{}, false
		}
		if a, err = feasible.On(c).Allocate(ctx, last); err != nil {
			return Outcome{}, false
		}
	}
	if found, _, err := feasible.On(c).Carries(ctx, a.Edges); err == nil {
		a.MaxEdges = max(a.MaxEdges, found)
	}
	return Outcome{Budget: w.budget(a)}, a.MaxEdges > before.MaxEdges
}
