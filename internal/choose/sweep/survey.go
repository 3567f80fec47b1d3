package sweep

import (
	"context"
	"math"
)

// searchAlike solves every budget with the same share of the evaluations, and none again. What is found depends on the
// shape of the cluster only: scores are compared at the end.
func (w *sweeper) searchAlike(ctx context.Context) error {
	for k := range w.Outcomes {
		if ctx.Err() != nil {
			w.Outcomes[k].Status = NotAttempted
			continue
		}
		if err := w.share(ctx, k, len(w.Outcomes)-k+1); err != nil {
			return err
		}
	}
	if err := w.furtherAlike(ctx); err != nil {
		return err
	}
	if _, some := w.leastScore(); !some {
		return w.noPlan(ctx)
	}
	if err := w.credit(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	for k := range w.Outcomes {
		if o := &w.Outcomes[k]; o.Plan != nil {
			o.Score = o.IterationMS / o.Neighbors
			w.compare(k)
		}
	}
	if math.IsInf(w.best, 1) { // all are outpaced by a collective
		w.winner, _ = w.leastScore()
	}
	w.Recommended = w.Outcomes[w.winner].Scored
	return nil
}

// furtherAlike goes on beyond the first budgets up to the largest, each twice the one before.
func (w *sweeper) furtherAlike(ctx context.Context) error {
	before := w.Outcomes[len(w.Outcomes)-1].Budget
	if len(w.Outcomes) < firstBudgets {
		return nil
	}
	start := before.MaxEdges
	for before.MaxEdges < w.most() {
		if ctx.Err() != nil {
			w.Beyond = Beyond{Edges: before.MaxEdges, Status: NotAttempted}
			return nil
		}
		next, more := w.next(ctx, before)
		if !more {
			return nil
		}
		before = next.Budget
		w.Outcomes = append(w.Outcomes, next)
		const part = 4 // of the time that is left, under a deadline
		if err := w.share(ctx, len(w.Outcomes)-1, part); err != nil {
			return err
		}
		w.Beyond = Beyond{Edges: start, Growth: w.growth()}
	}
	return nil
}
