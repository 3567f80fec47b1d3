package sweep

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/search"
	"github.com/batopo/batopo/topology"
)

// passes are how the most promising budgets are searched again: how many of them, and on which part of the evaluations
// each. Every pass goes on from what those before it found, also for the budgets next to one.
var passes = []struct{ budgets, part int }{{6, 24}, {4, 16}, {3, 8}, {2, 4}, {2, 4}}

// refine searches the most promising budgets again: a share of the evaluations can leave the budget that would win some
// way behind. At first those count that would win if they came as close to their bounds as the closest, at last those
// that do win.
func (w *sweeper) refine(ctx context.Context) error {
	for i, pass := range passes {
		value := func(o *Outcome) float64 { return o.Score }
		if w.Criterion != ByRate && pass.budgets > 2 {
			closest := 0.0
			for _, o := range w.Outcomes {
				if o.Status == Solved {
					closest = max(closest, o.closeness())
				}
			}
			value = func(o *Outcome) float64 { return o.Score * o.closeness() / closest }
		}
		if err := w.again(ctx, w.ranked(pass.budgets, value), pass.part, len(passes)-i); err != nil {
			return err
		}
	}
	return nil
}

// closeness is how much of the proved rate of agreement a plan reaches, from 0 to 1.
func (c *Scored) closeness() float64 {
	if c.Plan.Bound == nil || !(c.Plan.Bound.RAsym > 0 && c.Plan.RAsym > 0) {
		return 1
	}
	return math.Log(c.Plan.RAsym) / math.Log(c.Plan.Bound.RAsym)
}

// ranked returns the positions of the budgets that may be recommended, those with the least value first, and no more
// than were asked for.
func (w *sweeper) ranked(most int, value func(*Outcome) float64) []int {
	order := make([]int, 0, len(w.Outcomes))
	for k, o := range w.Outcomes {
		if o.Status == Solved {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(value(&w.Outcomes[i]), value(&w.Outcomes[j])) })
	return order[:min(most, len(order))]
}

// again searches budgets with 1/part of the evaluations each. Under a deadline the time that is left is divided evenly
// among this pass and those to come.
func (w *sweeper) again(ctx context.Context, order []int, part, toCome int) error {
	for i, k := range order {
		stop := w.Outcomes[k].Plan.Stop
		if stop == design.BoundAttained || stop == design.Exhausted || ctx.Err() != nil || w.settled(k) {
			continue
		}
		limited, cancel := portion(ctx, (len(order)-i)*toCome, 1)
		err := w.solve(limited, k, w.settings.Evaluations/part)
		cancel()
		if err != nil {
			return err
		}
	}
	return nil
}

// mostNear is how many budgets on either side of one are looked at for graphs to go on from.
const mostNear = 2

// starts are the graphs found so far for a budget and for those next to it: a good graph of a few edges more or less is
// a better start than a random one.
func (w *sweeper) starts(k int) ([]search.Start, error) {
	var out []search.Start
	for h := max(0, k-mostNear); h <= min(k+mostNear, len(w.Outcomes)-1); h++ {
		plan := w.Outcomes[h].Plan
		if plan == nil {
			continue
		}
		edges, weight := make([]topology.Edge, len(plan.Edges())), make([]float64, len(plan.Edges()))
		for e, edge := range plan.Edges() {
			edges[e], weight[e] = topology.Edge{I: edge.I, J: edge.J}, edge.Weight
		}
		g, err := topology.New(plan.Nodes, edges)
		if err != nil {
			return nil, err
		}
		out = append(out, search.Start{Graph: g, Weights: weight})
	}
	return out, nil
}
