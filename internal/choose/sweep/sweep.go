package sweep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/internal/ground/workers"
	"github.com/batopo/batopo/internal/solve/feasible"
)

// A Sweep is the search for the best static graph: what became of every budget that a cluster's bandwidths make
// meaningful, the known topologies beside them, and which plan to take.
type Sweep struct {
	Criterion   Criterion
	Outcomes    []Outcome // from few edges to many
	Beyond      Beyond    // of the budgets with more edges
	Recommended Scored    // of any kind; without a plan where there is no graph
	NoGraph     error     // of Unsearched and Survey: why no graph is recommended; nil where one is
	Baselines   []Row
	Skipped     []Skipped // baselines without a row

	beside *pricing // of the baselines
}

// Best returns the recommended plan; nil where there is no graph.
func (s *Sweep) Best() *design.Plan { return s.Recommended.Plan }

// leastScore returns the solved budget with the least score, whether or not a collective is sooner.
func (s *Sweep) leastScore() (k int, some bool) {
	k = -1
	for i, o := range s.Outcomes {
		if o.Plan != nil && (k < 0 || o.Score < s.Outcomes[k].Score) {
			k = i
		}
	}
	return k, k >= 0
}

// New solves every meaningful budget of the cluster and recommends one. p.MaxEdges, where positive, limits the
// budgets. Budgets that provably cannot beat the best so far are not solved; the best ones are searched again with more
// evaluations. A plan is listed at the first budget that has room for it. A graph that averages exactly in one round is
// not recommended where ring all-reduce does the same sooner, unless there is no other plan. Under a deadline every
// budget gets its share of the time. Without an objective the time decides, which is what a sweep is about.
func New(ctx context.Context, p design.Problem, s Settings) (*Sweep, error) {
	return sweep(ctx, p, s, nil)
}

// ErrNotSearched is wrapped by reasons not to look for static graphs.
var ErrNotSearched = errors.New("static graphs were not searched for")

// Unsearched is a sweep without budgets and known topologies. NoGraph says why.
func Unsearched(c *cluster.Cluster, seed uint64, why string) *Sweep {
	return &Sweep{NoGraph: fmt.Errorf("%w: %s", ErrNotSearched, why), beside: &pricing{c: c, seed: seed, places: true}}
}

// Price adds the known topologies to a sweep without budgets.
func (s *Sweep) Price(ctx context.Context) { s.Baselines, s.Skipped = s.beside.baselines(ctx) }

// Survey is New for callers that compare the graphs with other ways to average. Where no graph keeps all limits, or
// none was found, it returns the known topologies, and NoGraph says why there are no budgets. What was priced on s is
// not priced again. For training, and up to 256 nodes, every budget is solved alike: the graphs do not depend on
// message, compute time or speed of the links, so the same graphs serve for other numbers too.
func (s *Sweep) Survey(ctx context.Context, p design.Problem, settings Settings) (*Sweep, error) {
	return sweep(ctx, p, settings, s.beside)
}

// sweep is New without, and Survey with a pricing of the known topologies that has begun.
func sweep(ctx context.Context, p design.Problem, s Settings, beside *pricing) (*Sweep, error) {
	survey := beside != nil
	p.Objective = cmp.Or(p.Objective, design.Time)
	p = p.WithDefaults()
	if err := validateSweep(p, s); err != nil {
		return nil, err
	}
	ctx, release := grace.With(ctx)
	defer release()
	if !survey {
		beside = &pricing{c: p.Cluster, seed: s.Seed, places: true}
	}
	baselines := beside.begin(grace.Late(ctx)) // so that a time limit leaves time for both
	w, err := sweepBudgets(ctx, p, s, survey)
	if survey && feasible.NoGraph(err) {
		w.NoGraph, err = err, nil
	}
	if err != nil {
		return nil, err
	}
	w.beside = beside
	w.Baselines, w.Skipped = baselines()
	if w.NoGraph != nil {
		return &w.Sweep, nil
	}
	w.timeRing()
	w.addMatchings(grace.Late(ctx))
	return &w.Sweep, nil
}

// timeRing states the ring all-reduce that outpaces a budget as the baselines have it, in the best order of the nodes.
func (w *sweeper) timeRing() {
	for _, row := range w.Baselines {
		if row.Name != allReduceName {
			continue
		}
		for k := range w.Outcomes {
			if o := &w.Outcomes[k]; o.Status == Outpaced {
				o.CollectiveMS = min(o.CollectiveMS, row.CommunicationMS)
			}
		}
	}
}

// sweepBudgets is a sweep without the known topologies. With an error it has no recommended plan.
func sweepBudgets(ctx context.Context, p design.Problem, s Settings, survey bool) (*sweeper, error) {
	w, err := newSweeper(ctx, p, s)
	if err != nil {
		return w, err
	}
	w.alike = survey && w.Criterion == PerNeighbor && !w.large
	return w, w.search(ctx)
}

// validateSweep checks a question whose number of edges may be left open.
func validateSweep(p design.Problem, s Settings) error {
	if p.Cluster == nil {
		return p.Validate()
	}
	if err := s.Validate(); err != nil {
		return err
	}
	if p.MaxEdges == 0 {
		p.MaxEdges = p.Cluster.Nodes() - 1
	}
	p.MaxEdges = min(p.MaxEdges, p.Cluster.CandidateCount())
	return validateSearch(p)
}

// begin prices the known topologies beside other work; the function it returns waits for them.
func (g *pricing) begin(ctx context.Context) func() ([]Row, []Skipped) {
	var rows []Row
	var skipped []Skipped
	wait := workers.Begin(func() { rows, skipped = g.baselines(ctx) })
	return func() ([]Row, []Skipped) {
		wait()
		return rows, skipped
	}
}

// search solves the budgets and chooses one. Nothing is ruled out and none is better before alike ones are compared.
func (w *sweeper) search(ctx context.Context) error {
	for i, k := range w.sequence(ctx) {
		// Equal parts of the time that is left for the budgets to come and for searching the best again.
		if err := w.first(ctx, k, len(w.Outcomes)-i+1); err != nil {
			return err
		}
	}
	if err := w.further(ctx); err != nil {
		return err
	}
	k, some := w.leastScore()
	if !some {
		return w.noPlan(ctx)
	}
	if !w.alike {
		if math.IsInf(w.best, 1) { // all are outpaced by a collective
			w.best, w.winner = w.Outcomes[k].Score, k
		}
		if err := w.refine(ctx); err != nil {
			return err
		}
	}
	if err := w.credit(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	if w.alike {
		w.compareAlike()
	}
	w.Recommended = w.Outcomes[w.winner].Scored
	return nil
}

// noPlan says why a sweep ends without any.
func (w *sweeper) noPlan(ctx context.Context) error {
	is := feasible.ErrInfeasible
	for _, o := range w.Outcomes {
		if ctx.Err() != nil || o.Status != Infeasible && o.Status != Undecided {
			return ErrNoPlan
		}
		if o.Status == Undecided {
			is = feasible.ErrUndecided
		}
	}
	last := w.Outcomes[len(w.Outcomes)-1]
	return fmt.Errorf("%w: none of %d budgets has a plan; the last says: %w", is, len(w.Outcomes), last.Err)
}
