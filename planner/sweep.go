package planner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"batopo/bound"
	"batopo/cluster"
	"batopo/design"
	"batopo/search"
)

// A Sweep is the answer to "which budget?": the best plan found for every budget that a
// cluster's bandwidths make meaningful, and which of them to take.
type Sweep struct {
	Budgets     []Budget
	Recommended int // position in Budgets
	Opponents   []Row
	Skipped     []Skipped
	Heuristic   string // how plans were ranked where that is not a proved or computed time; empty otherwise
}

// A Budget is one unit bandwidth and the plan that uses it best.
type Budget struct {
	Allocation cluster.Allocation
	MaxDegree  int          // limit on degrees that keeps the unit on a homogeneous cluster; 0: resources limit
	Plan       *design.Plan // nil when it was not solved
	Reason     string       // why not, or why it is not recommended
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

// mostBudgets limits a sweep. Beyond it rounds are so long that only nearly exact averaging would pay, which all-reduce does sooner.
const mostBudgets = 16

// NoiseDecay is γ of the effective number of neighbours in rankings for training.
const NoiseDecay = 0.9

// Plan solves every meaningful budget of the cluster and recommends one. p.MaxEdges, where
// positive, limits the budgets. Budgets that provably cannot beat the best so far are not solved; the best two are
// searched again with more evaluations. A graph that averages exactly in one round is not recommended where ring
// all-reduce does the same sooner, unless there is no other plan. Under a deadline every budget gets its share of the time.
func Plan(ctx context.Context, p design.Problem, s Settings) (*Sweep, error) {
	asked := p
	if asked.MaxEdges == 0 {
		asked.MaxEdges = p.Cluster.Nodes() - 1
	}
	asked.MaxEdges = min(asked.MaxEdges, p.Cluster.CandidateCount())
	if err := asked.Validate(); err != nil {
		return nil, err
	}
	w := sweeper{problem: p, settings: s, best: math.Inf(1), exact: math.Inf(1)}
	if ring, err := p.Cluster.RingAllReduce(); err == nil {
		w.exact = ring.CommunicationMS
	}
	if err := w.list(); err != nil {
		return nil, err
	}
	for k := range w.Budgets {
		if err := w.first(ctx, k); err != nil {
			return nil, err
		}
	}
	switch k, some := w.leastScore(); {
	case !some && ctx.Err() != nil:
		return nil, ErrNoPlan
	case !some:
		return nil, fmt.Errorf("%w: none of %d budgets has a plan; the last says: %s", ErrInfeasible, len(w.Budgets), w.Budgets[len(w.Budgets)-1].Reason)
	case math.IsInf(w.best, 1):
		w.best, w.Recommended = w.Budgets[k].Score, k
	}
	if err := w.refine(ctx); err != nil {
		return nil, err
	}
	if p.Purpose == design.Training && p.Objective == design.Time {
		w.Heuristic = fmt.Sprintf("ranked by time per iteration over the effective number of neighbours at γ = %v: a rule of thumb, not a prediction of training time", NoiseDecay)
	}
	w.Opponents, w.Skipped = Opponents(p.Cluster, s.Seed)
	row, err := matchingsRow(p.Cluster, w.Best())
	if err != nil {
		w.Skipped = append(w.Skipped, Skipped{matchingsName, err.Error()})
	} else {
		w.Opponents = append(w.Opponents, row)
	}
	return &w.Sweep, nil
}

// A sweeper is a sweep at work.
type sweeper struct {
	Sweep
	problem  design.Problem
	settings Settings
	best     float64 // least score so far
	exact    float64 // time of exact averaging by all-reduce
}

// list finds the budgets. The last one is cut to the edges that were asked for or that the degrees allow.
func (w *sweeper) list() error {
	p := w.problem
	most := p.Cluster.CandidateCount()
	if p.MaxEdges > 0 {
		most = min(most, p.MaxEdges)
	}
	if p.MaxDegree > 0 {
		most = min(most, p.Cluster.Nodes()*p.MaxDegree/2)
	}
	for _, a := range p.Cluster.Budgets(mostBudgets) {
		last := a.MaxEdges >= most
		if last {
			a.MaxEdges = most
		}
		b := Budget{Allocation: a, Score: math.Inf(1), MaxDegree: p.MaxDegree}
		if p.Cluster.Homogeneous() && (p.MaxDegree == 0 || a.Edges[0] < p.MaxDegree) {
			b.MaxDegree = a.Edges[0]
		}
		w.Budgets = append(w.Budgets, b)
		if last {
			break
		}
	}
	if len(w.Budgets) == 0 {
		return fmt.Errorf("%w: no bandwidth lets the cluster carry a connected graph", ErrInfeasible)
	}
	return nil
}

// question is the problem of one budget. Within a unit bandwidth a round costs the same, so the rate decides.
func (w *sweeper) question(b *Budget) design.Problem {
	p := w.problem
	p.MaxEdges, p.MaxDegree, p.Objective = b.Allocation.MaxEdges, b.MaxDegree, design.Rate
	return p
}

// first solves budget k with its share of the evaluations, unless that is pointless.
func (w *sweeper) first(ctx context.Context, k int) error {
	b := &w.Budgets[k]
	if ctx.Err() != nil {
		b.Reason = "not solved: the search was stopped"
		return nil
	}
	reason, err := w.pointless(k)
	if err != nil || reason != "" {
		b.Reason = reason
		return err
	}
	if deadline, limited := ctx.Deadline(); limited {
		// Equal parts of what is left for the budgets to come and for searching the best again.
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(deadline)/time.Duration(len(w.Budgets)-k+1))
		defer cancel()
	}
	return w.solve(ctx, k, w.settings.Evaluations/len(w.Budgets), search.DefaultEvaluations(w.problem.Cluster.Nodes())/len(w.Budgets))
}

// refine searches the best two budgets again.
func (w *sweeper) refine(ctx context.Context) error {
	const again = 2
	order := make([]int, 0, len(w.Budgets))
	for k, b := range w.Budgets {
		if b.Plan != nil && b.Reason == "" {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(w.Budgets[i].Score, w.Budgets[j].Score) })
	for _, k := range order[:min(again, len(order))] {
		if stop := w.Budgets[k].Plan.Stop; stop == design.BoundAttained || stop == design.Exhausted || ctx.Err() != nil {
			continue
		}
		if err := w.solve(ctx, k, w.settings.Evaluations/again, search.DefaultEvaluations(w.problem.Cluster.Nodes())); err != nil {
			return err
		}
	}
	return nil
}

// solve spends evaluations, or the default where none were asked for, on budget k and keeps what is better.
func (w *sweeper) solve(ctx context.Context, k, evaluations, byDefault int) error {
	b, s := &w.Budgets[k], w.settings
	if s.Evaluations = max(1, evaluations); w.settings.Evaluations == 0 {
		s.Evaluations = max(1, byDefault)
	}
	if report := s.Progress; report != nil {
		s.Progress = func(now design.Progress) {
			now.Phase = design.Phase(fmt.Sprintf("budget %d of %d, %s", k+1, len(w.Budgets), now.Phase))
			report(now)
		}
	}
	plan, err := Optimize(ctx, w.question(b), s)
	switch {
	case errors.Is(err, ErrInfeasible), errors.Is(err, ErrNoPlan):
		if b.Plan == nil {
			b.Reason = err.Error()
		}
		return nil
	case err != nil:
		return err
	}
	neighbors := 0.0
	if w.problem.Purpose == design.Training && w.problem.Objective == design.Time {
		if neighbors, err = effectiveNeighbors(plan); err != nil {
			return err
		}
	}
	value := score(w.problem, plan, neighbors)
	if b.Plan != nil && value >= b.Score && plan.RAsym >= b.Plan.RAsym {
		return nil
	}
	b.Plan, b.Score, b.Neighbors = plan, value, neighbors
	if plan.Iterations == 1 && w.exact <= plan.TimeMS {
		b.Reason = fmt.Sprintf("exact, but ring all-reduce is so too in %.4g ms", w.exact)
		return nil
	}
	if value < w.best {
		w.best, w.Recommended = value, k
	}
	return nil
}

// score is what a sweep minimises.
func score(p design.Problem, plan *design.Plan, neighbors float64) float64 {
	switch {
	case p.Objective == design.Rate:
		return plan.RAsym
	case p.Purpose == design.Training:
		return (plan.CommunicationMS + plan.ComputeMS) / neighbors
	case plan.Iterations == 0:
		return math.Inf(1)
	}
	return plan.TimeMS
}

// effectiveNeighbors is n_W(γ) of a plan; it needs all eigenvalues.
func effectiveNeighbors(plan *design.Plan) (float64, error) {
	rounds, err := plan.Matrices()
	if err != nil {
		return 0, err
	}
	spectrum, err := rounds[0].Spectrum()
	if err != nil {
		return 0, err
	}
	if n, ok := spectrum.EffectiveNeighbors(NoiseDecay); ok {
		return n, nil
	}
	return 0, fmt.Errorf("planner: the effective number of neighbours needs all eigenvalues, which %d nodes without symmetry do not give", plan.Nodes)
}

// pointless says why a budget cannot beat the best time so far, if that is proved: even at the
// lower bound of its rate, the rounds needed take longer.
func (w *sweeper) pointless(k int) (string, error) {
	p, b := w.problem, &w.Budgets[k]
	if p.Objective != design.Time || p.Purpose != design.Consensus || math.IsInf(w.best, 1) {
		return "", nil
	}
	proved, _, err := bound.Problem(w.question(b))
	if err != nil || !(proved.RAsym > 0) {
		return "", err
	}
	m := p.Cluster.Model()
	// ‖Wᵏ − J‖_F ≥ r_asymᵏ, and a plan that fits into the budget before belongs there. Any other loads some resource
	// beyond what that one allows: on equal nodes to the unit of this budget, elsewhere perhaps to one between the two.
	rounds := math.Ceil(math.Log(m.TargetError)/math.Log(proved.RAsym) - 1e-9)
	fastest := b.Allocation.UnitGBs
	if k > 0 && !p.Cluster.Homogeneous() {
		fastest = w.Budgets[k-1].Allocation.UnitGBs
	}
	roundMS := m.MessageMB / fastest
	if rounds*roundMS <= w.best {
		return "", nil
	}
	return fmt.Sprintf("at least %.0f rounds of %.4g ms, which cannot beat %.4g ms", rounds, roundMS, w.best), nil
}
