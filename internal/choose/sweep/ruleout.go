package sweep

import (
	"context"
	"errors"
	"math"

	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/solve/feasible"
)

// roundMS is the least that a round takes in which some edge gets no more than unit.
func (w *sweeper) roundMS(unit float64) float64 {
	return cost.AtRate(w.problem.Cluster, unit)
}

// outside is the largest bandwidth that the slowest edge can get in a plan that does not fit into a budget. That plan
// loads some resource beyond what the budget allows: on equal nodes by a whole edge, elsewhere perhaps by a trifle.
func (w *sweeper) outside(b Budget) (unit float64) {
	if c := w.problem.Cluster; c.Homogeneous() {
		return c.Resources()[0].GBs / float64(b.Edges[0]+1)
	}
	return b.UnitGBs
}

// ruleOut settles a budget without solving it where that is proved: no plan of it can beat the best so far, or there is
// none. Plans that fit into the budget before do not count, they belong there; before is nil where there is none.
func (w *sweeper) ruleOut(ctx context.Context, o *Outcome, before *Budget) error {
	if w.Criterion == ByRate || math.IsInf(w.best, 1) {
		return nil
	}
	least, proof, err := w.least(ctx, o.Budget, before)
	switch {
	case errors.Is(err, feasible.ErrInfeasible):
		o.Status, o.Err = Infeasible, err
		return nil
	case err != nil && ctx.Err() == nil:
		return err
	}
	if least > w.best {
		proof.Best = w.best
		o.Status, o.Proof = Hopeless, &proof
	}
	return nil
}

// least is the least score that a plan of a budget can have, and why; 0 where nothing is known.
func (w *sweeper) least(ctx context.Context, b Budget, before *Budget) (score float64, proof Proof, err error) {
	unit := b.UnitGBs
	if before != nil {
		unit = w.outside(*before)
	}
	proof.RoundMS = w.roundMS(unit)
	if w.Criterion == PerNeighbor {
		proof.IterationMS = cost.Least(w.problem.Cluster, proof.RoundMS)
		proof.Neighbors = mostNeighbors(w.problem.Cluster.Nodes(), b.MaxEdges)
		return proof.IterationMS / proof.Neighbors, proof, nil
	}
	known, err := w.settings.memory.bound(ctx, w.question(b))
	if err != nil {
		return 0, proof, err
	}
	if !(known.posed.RAsym > 0) {
		return 0, proof, nil
	}
	rounds := w.leastRounds(known.posed.RAsym)
	proof.Rounds = int(min(rounds, math.MaxInt32))
	return rounds * proof.RoundMS, proof, nil
}

// leastRounds is how many rounds a proved r_asym leaves at least until the target: ‖Wᵏ − J‖_F ≥ r_asymᵏ.
func (w *sweeper) leastRounds(proved float64) float64 {
	return math.Ceil(math.Log(w.problem.Cluster.Model().TargetError)/math.Log(proved) - 1e-9)
}

// hopeless reports whether no plan at all that does not fit into a budget can beat the best so far: not even one that
// is done after a single round, or one for training that averages over all nodes.
func (w *sweeper) hopeless(before Budget) bool {
	least := w.roundMS(w.outside(before))
	if w.Criterion == PerNeighbor {
		least = cost.Least(w.problem.Cluster, least) / float64(w.problem.Cluster.Nodes())
	}
	return least > w.best
}
