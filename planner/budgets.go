package planner

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
)

// firstBudgets is how many budgets are listed one by one. Those beyond are each at least 1/growth larger than the one before: a round takes
// so little longer there that a budget in between gains no more than that. None is solved that provably cannot win.
//
// Without latency and for consensus nothing beyond the first 16 wins on 4 … 128 equal nodes or on any cluster of examples/. With a
// latency of 20 ms on 24 nodes, or a second of computation between two rounds of training, later ones do.
const (
	firstBudgets = 16
	growth       = 10
)

// most is how many edges were asked for or how many there can be. On unequal hardware a limit on degrees does not lower it: there the number
// of edges says how much each resource carries, and few edges on a few fast nodes may leave no room for a graph of small degrees.
func (w *sweeper) most() int {
	p := w.problem
	most := p.Cluster.CandidateCount()
	if p.MaxEdges > 0 {
		most = min(most, p.MaxEdges)
	}
	if p.MaxDegree > 0 && p.Cluster.Homogeneous() {
		most = min(most, p.Cluster.Nodes()*p.MaxDegree/2)
	}
	return most
}

// list finds the first budgets. The last one is cut to the edges that were asked for or that the degrees allow.
func (w *sweeper) list(ctx context.Context) error {
	most := w.most()
	budgets, err := w.problem.Cluster.Budgets(ctx, firstBudgets)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("%w: %w", ErrNoPlan, err)
	}
	if err != nil {
		return sorted(err)
	}
	for _, a := range budgets {
		w.Budgets = append(w.Budgets, w.budget(a))
		if a.MaxEdges >= most {
			break
		}
	}
	w.higherDegrees()
	w.shares = len(w.Budgets)
	return nil
}

// higherDegrees lists budgets of all the edges that may be had, with more and more neighbours per node. Rounds take longer then, but
// where edges are few, a tree say, there are better graphs. Only equal nodes can be asked that: elsewhere the number of edges says how
// much each resource carries.
func (w *sweeper) higherDegrees() {
	c, last := w.problem.Cluster, w.Budgets[len(w.Budgets)-1].Allocation
	if !c.Homogeneous() || !w.byTime() || last.MaxEdges < w.most() {
		return
	}
	most := c.Nodes() - 1
	if w.problem.MaxDegree > 0 {
		most = min(most, w.problem.MaxDegree)
	}
	for degree := last.Edges[0] + 1; degree <= most && len(w.Budgets) < firstBudgets; degree++ {
		w.Budgets = append(w.Budgets, w.budget(cluster.Allocation{UnitGBs: c.Resources()[0].GBs / float64(degree),
			Edges: slices.Repeat([]int{degree}, len(c.Resources())), MaxEdges: last.MaxEdges}))
	}
}

// budget is an unsolved budget for an allocation, cut to what was asked for.
func (w *sweeper) budget(a cluster.Allocation) Budget {
	p := w.problem
	a.MaxEdges = min(a.MaxEdges, w.most())
	b := Budget{Allocation: a, Score: math.Inf(1), MaxDegree: p.MaxDegree}
	if p.Cluster.Homogeneous() && (p.MaxDegree == 0 || a.Edges[0] < p.MaxDegree) {
		b.MaxDegree = a.Edges[0]
	}
	return b
}

// further goes on beyond the first budgets for as long as a larger one may win, and lists those that were solved.
func (w *sweeper) further(ctx context.Context) error {
	before := w.Budgets[len(w.Budgets)-1].Allocation
	start, most := before.MaxEdges, w.most()
	if len(w.Budgets) < firstBudgets || start >= most {
		return nil
	}
	if !w.byTime() {
		w.Beyond = fmt.Sprintf("Budgets of more than %d edges were not looked at: more edges never make the rate worse, so ask for the number that you can afford.", start)
		return nil
	}
	solved, ruledOut := 0, false
	for before.MaxEdges < most {
		if ctx.Err() != nil {
			w.Beyond = fmt.Sprintf("Budgets of more than %d edges were not looked at: the search was stopped.", before.MaxEdges)
			return nil
		}
		if w.hopeless(&before) {
			ruledOut = true
			break
		}
		next, more := w.next(ctx, before)
		if !more {
			break
		}
		reason, err := w.pointless(ctx, &next, &before)
		if err != nil {
			return err
		}
		if before = next.Allocation; reason != "" {
			ruledOut = true
			continue
		}
		w.Budgets = append(w.Budgets, next)
		// How many are to come is not known; what time is left is for them and for searching the best again.
		const part = 4
		if err := w.share(ctx, len(w.Budgets)-1, part); err != nil {
			return err
		}
		solved++
	}
	switch {
	case solved == 0 && ruledOut:
		w.Beyond = fmt.Sprintf("No budget of more than %d edges can beat %s.", start, w.text(w.best))
	case ruledOut:
		w.Beyond = fmt.Sprintf("Budgets of more than %d edges are tried in steps of a tenth; the steps not listed cannot beat %s.", start, w.text(w.best))
	case solved > 0:
		w.Beyond = fmt.Sprintf("Budgets of more than %d edges are tried in steps of a tenth.", start)
	}
	return nil
}

// next is the budget that follows an allocation beyond the first ones; there is none where resources carry no more.
func (w *sweeper) next(ctx context.Context, before cluster.Allocation) (b Budget, more bool) {
	c := w.problem.Cluster
	a, err := c.Allocate(ctx, min(before.MaxEdges+max(1, before.MaxEdges/growth), w.most()))
	if err != nil {
		// A tenth more is too much; what the resources carry at most is the last budget.
		last, _, err := c.Carries(ctx, c.Most())
		if err != nil {
			return Budget{}, false
		}
		if a, err = c.Allocate(ctx, last); err != nil {
			return Budget{}, false
		}
	}
	if found, _, err := c.Carries(ctx, a.Edges); err == nil {
		a.MaxEdges = max(a.MaxEdges, found)
	}
	return w.budget(a), a.MaxEdges > before.MaxEdges
}
