package planner

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/bound"
)

// roundMS is the least that a round takes in which some edge gets no more than unit.
func (w *sweeper) roundMS(unit float64) float64 {
	return w.problem.Cluster.Spec().LatencyMS + w.problem.Cluster.Model().MessageMB/unit
}

// beyond is the largest bandwidth that the slowest edge can get in a plan that does not fit into a budget. Such a plan
// loads some resource beyond what the budget allows: on equal nodes by a whole edge, elsewhere perhaps by a trifle.
func (w *sweeper) beyond(before *cluster.Allocation) (unit float64) {
	if c := w.problem.Cluster; c.Homogeneous() {
		return c.Resources()[0].GBs / float64(before.Edges[0]+1)
	}
	return before.UnitGBs
}

// pointless says why no plan of a budget can beat the best so far, if that is proved. Plans that fit into the budget before do not
// count, they belong there; before is nil where there is none.
func (w *sweeper) pointless(ctx context.Context, b *Budget, before *cluster.Allocation) (string, error) {
	if !w.byTime() || math.IsInf(w.best, 1) {
		return "", nil
	}
	unit, m := b.Allocation.UnitGBs, w.problem.Cluster.Model()
	if before != nil {
		unit = w.beyond(before)
	}
	round := w.roundMS(unit)
	if w.forTraining() {
		iteration, neighbors := round+m.ComputeMS, mostNeighbors(w.problem.Cluster.Nodes(), b.Allocation.MaxEdges)
		if iteration/neighbors <= w.best {
			return "", nil
		}
		return fmt.Sprintf("at least %.4g ms per iteration over at most %.4g neighbours, which cannot beat %s", iteration, neighbors, w.text(w.best)), nil
	}
	proved, _, err := bound.Problem(ctx, w.question(b))
	switch err = sorted(err); {
	case errors.Is(err, ErrInfeasible):
		return err.Error(), nil
	case err != nil && ctx.Err() == nil:
		return "", err
	case err != nil || !(proved.RAsym > 0):
		return "", nil
	}
	// ‖Wᵏ − J‖_F ≥ r_asymᵏ
	rounds := math.Ceil(math.Log(m.TargetError)/math.Log(proved.RAsym) - 1e-9)
	if rounds*round <= w.best {
		return "", nil
	}
	return fmt.Sprintf("at least %.0f rounds of %.4g ms, which cannot beat %s", rounds, round, w.text(w.best)), nil
}

// hopeless reports whether no plan at all that does not fit into a budget can beat the best so far: not even one that is done after
// a single round, or one for training that averages over all nodes.
func (w *sweeper) hopeless(before *cluster.Allocation) bool {
	least := w.roundMS(w.beyond(before))
	if w.forTraining() {
		least = (least + w.problem.Cluster.Model().ComputeMS) / float64(w.problem.Cluster.Nodes())
	}
	return least > w.best
}
