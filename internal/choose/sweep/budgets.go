package sweep

import (
	"context"
	"fmt"
	"slices"

	"github.com/batopo/batopo/internal/solve/feasible"
)

// firstBudgets is how many budgets are listed one by one. Those beyond are each at least 1/growth larger than the one
// before: a round takes so little longer there that a budget in between gains no more than that. None is solved that
// provably cannot win.
//
// Without latency and for consensus nothing beyond the first 16 wins on 4 … 128 equal nodes or on any cluster of
// examples/. With a latency of 20 ms on 24 nodes, or a second of computation between two rounds of training, later ones
// do. On large clusters a budget takes seconds: there each is twice the one before. So it is in a survey, which solves
// all of them.
const (
	firstBudgets = 16
	growth       = 10
	largeGrowth  = 1
)

// growth is by which part of the one before a budget beyond the first is larger.
func (w *sweeper) growth() int {
	if w.large || w.alike {
		return largeGrowth
	}
	return growth
}

// most is how many edges were asked for or how many there can be. On unequal hardware a limit on degrees does not lower
// it: there the number of edges says how much each resource carries, and few edges on a few fast nodes may leave no
// room for a graph of small degrees.
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
	budgets, err := feasible.On(w.problem.Cluster).Budgets(ctx, firstBudgets)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("%w: %w", ErrNoPlan, err)
	}
	if err != nil {
		return err
	}
	for _, a := range budgets {
		w.Outcomes = append(w.Outcomes, Outcome{Budget: w.budget(a)})
		if a.MaxEdges >= most {
			break
		}
	}
	w.higherDegrees()
	w.shares = len(w.Outcomes)
	return nil
}

// higherDegrees lists budgets of all the edges that may be had, with more and more neighbours per node. Rounds take
// longer then, but where edges are few, as in a tree, there are better graphs. Only equal nodes can be asked that:
// elsewhere the number of edges says how much each resource carries.
func (w *sweeper) higherDegrees() {
	c, last := w.problem.Cluster, w.Outcomes[len(w.Outcomes)-1].Budget
	if !c.Homogeneous() || w.Criterion == ByRate || last.MaxEdges < w.most() {
		return
	}
	most := c.Nodes() - 1
	if w.problem.MaxDegree > 0 {
		most = min(most, w.problem.MaxDegree)
	}
	for degree := last.Edges[0] + 1; degree <= most && len(w.Outcomes) < firstBudgets; degree++ {
		a := feasible.Allocation{
			UnitGBs: c.Resources()[0].GBs / float64(degree),
			Edges:   slices.Repeat([]int{degree}, len(c.Resources())), MaxEdges: last.MaxEdges,
		}
		w.Outcomes = append(w.Outcomes, Outcome{Budget: w.budget(a)})
	}
}

// budget is an allocation cut to what was asked for.
func (w *sweeper) budget(a feasible.Allocation) Budget {
	p := w.problem
	a.MaxEdges = min(a.MaxEdges, w.most())
	b := Budget{Allocation: a, MaxDegree: p.MaxDegree}
	if p.Cluster.Homogeneous() && (p.MaxDegree == 0 || a.Edges[0] < p.MaxDegree) {
		b.MaxDegree = a.Edges[0]
	}
	return b
}
