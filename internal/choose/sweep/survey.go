package sweep

import "math"

// compareAlike compares budgets that were all solved with the same share of the evaluations, and none again: what was
// found depends on the shape of the cluster only.
func (w *sweeper) compareAlike() {
	for k := range w.Outcomes {
		if o := &w.Outcomes[k]; o.Plan != nil {
			o.Score = o.IterationMS / o.Neighbors
			w.compare(k)
		}
	}
	if math.IsInf(w.best, 1) { // all are outpaced by a collective
		w.winner, _ = w.leastScore()
	}
}
