package planner

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/grace"
)

// A Sweep is the answer to "which budget?": the best plan found for every budget that a
// cluster's bandwidths make meaningful, and which of them to take.
type Sweep struct {
	Budgets     []Budget
	Recommended int    // position in Budgets
	Beyond      string // what is known of budgets beyond those listed; empty where all are
	Opponents   []Row
	Skipped     []Skipped
	Heuristic   string // how plans were ranked where that is not a proved or computed time; empty otherwise
}

// A Budget is one unit bandwidth and the plan that uses it best.
type Budget struct {
	Allocation cluster.Allocation
	MaxDegree  int          // limit on degrees that keeps the unit on a homogeneous cluster; 0: resources limit
	Plan       *design.Plan // nil when it was not solved, or when nothing better than the plan of an earlier budget was found
	Reason     string       // why there is no plan, or why it is not recommended
	Score      float64      // what was minimised; +Inf without a plan
	Neighbors  float64      // n_W(γ) of the plan where the score is made of it; 0 otherwise
}

// Best returns the recommended plan.
func (s *Sweep) Best() *design.Plan { return s.Budgets[s.Recommended].Plan }

// leastScore returns the solved budget with the least score, whether or not all-reduce is sooner.
func (s *Sweep) leastScore() (k int, some bool) {
	k = -1
	for i, b := range s.Budgets {
		if b.Plan != nil && (k < 0 || b.Score < s.Budgets[k].Score) {
			k = i
		}
	}
	return k, k >= 0
}

// Plan solves every meaningful budget of the cluster and recommends one. p.MaxEdges, where
// positive, limits the budgets. Budgets that provably cannot beat the best so far are not solved; the best ones are
// searched again with more evaluations. A plan is listed at the first budget that has room for it. A graph that averages
// exactly in one round is not recommended where ring all-reduce does the same sooner, unless there is no other plan. Under
// a deadline every budget gets its share of the time. Without an objective the time decides, which is what a sweep is about.
func Plan(ctx context.Context, p design.Problem, s Settings) (*Sweep, error) {
	if p.Cluster == nil {
		return nil, p.Validate()
	}
	if err := s.validate(); err != nil {
		return nil, err
	}
	p.Objective = cmp.Or(p.Objective, design.Time)
	p = p.WithDefaults()
	asked := p
	if asked.MaxEdges == 0 {
		asked.MaxEdges = p.Cluster.Nodes() - 1
	}
	asked.MaxEdges = min(asked.MaxEdges, p.Cluster.CandidateCount())
	if err := asked.Validate(); err != nil {
		return nil, err
	}
	ctx, release := grace.With(ctx)
	defer release()
	known := make(chan struct{})
	var opponents []Row
	var skipped []Skipped
	go func() { // beside the search, so that a time limit leaves time for both
		defer close(known)
		opponents, skipped = Opponents(grace.Late(ctx), p.Cluster, s.Seed)
	}()
	w, err := newSweeper(ctx, p, s)
	if err != nil {
		return nil, sorted(err)
	}
	for i, k := range w.sequence(ctx) {
		// Equal parts of the time that is left for the budgets to come and for searching the best again.
		if err := w.first(ctx, k, len(w.Budgets)-i+1); err != nil {
			return nil, err
		}
	}
	if err := w.further(ctx); err != nil {
		return nil, err
	}
	switch k, some := w.leastScore(); {
	case !some && (w.open || ctx.Err() != nil):
		return nil, ErrNoPlan
	case !some:
		return nil, fmt.Errorf("%w: none of %d budgets has a plan; the last says: %s", ErrInfeasible, len(w.Budgets), w.Budgets[len(w.Budgets)-1].Reason)
	case math.IsInf(w.best, 1):
		w.best, w.Recommended = w.Budgets[k].Score, k
	}
	if err := w.refine(ctx); err != nil {
		return nil, err
	}
	if err := w.credit(context.WithoutCancel(ctx)); err != nil {
		return nil, err
	}
	if w.forTraining() {
		w.Heuristic = fmt.Sprintf("ranked by time per iteration over the effective number of neighbours at γ = %v: a rule of thumb, not a prediction of training time", NoiseDecay)
	}
	<-known
	w.Opponents, w.Skipped = opponents, skipped
	row, err := within(grace.Late(ctx), func() (Row, error) { return matchingsRow(grace.Late(ctx), p.Cluster, w.Best()) })
	if err != nil {
		w.Skipped = append(w.Skipped, Skipped{matchingsName, err.Error()})
	} else {
		w.Opponents = append(w.Opponents, row)
	}
	return &w.Sweep, nil
}
