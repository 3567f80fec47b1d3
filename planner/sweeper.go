package planner

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/batopo/batopo/collective"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/grace"
	"github.com/batopo/batopo/internal/search"
	"github.com/batopo/batopo/topology"
)

// A sweeper is a sweep at work.
type sweeper struct {
	Sweep
	problem  design.Problem
	settings Settings
	shares   int                // how many budgets the evaluations are divided by
	winner   int                // position of the best plan so far
	best     float64            // its score; +Inf while there is none that may be recommended
	exact    float64            // time of exact averaging by all-reduce
	proved   map[[2]int]float64 // bounds on r_asym, by edges and degree
	patience int                // how many parts of the time a budget gets; more once one was too short for any plan
}

// sweepEvaluations is how much a sweep searches by default, 2/15 of what is spent on a single budget. Times are whole
// numbers of rounds, most budgets lose by several of them, and each goes on from what others found: more evaluations
// hardly ever change the answer. docs/search.md has the figures.
func sweepEvaluations(nodes int) int { return search.DefaultEvaluations(nodes) / 15 * 2 }

// newSweeper lists the first budgets; none is solved yet.
func newSweeper(ctx context.Context, p design.Problem, s Settings) (*sweeper, error) {
	s.Evaluations = cmp.Or(s.Evaluations, sweepEvaluations(p.Cluster.Nodes()))
	w := &sweeper{problem: p, settings: s, best: math.Inf(1), exact: math.Inf(1), patience: 1,
		proved: map[[2]int]float64{}}
	w.Criterion = criterion(p)
	if ring, err := collective.Ring(topology.InOrder(p.Cluster.Nodes())).Cost(p.Cluster); err == nil {
		w.exact = ring.MS
	}
	return w, w.list(ctx)
}

// question is the problem of one budget. Within a unit bandwidth a round costs the same, so the rate decides.
func (w *sweeper) question(b Budget) design.Problem {
	p := w.problem
	p.MaxEdges, p.MaxDegree, p.Objective = b.MaxEdges, b.MaxDegree, design.Rate
	return p
}

// sequence is the order in which the first budgets are solved: that of their edges, where all of them take seconds. On
// large clusters those come first that may win by what is proved about them, so that others need not be solved. Under a
// deadline a search of very many equal nodes may not come to all budgets; the rate of the best graphs of degree d, about
// 2√(d−1)/d, makes some eight neighbours the fastest there, so it begins with these.
func (w *sweeper) sequence(ctx context.Context) []int {
	const large, huge, promising = 256, 1000, 8
	order := topology.InOrder(len(w.Outcomes))
	c := w.problem.Cluster
	_, limited := ctx.Deadline()
	switch {
	case w.Criterion == ByRate:
	case c.Homogeneous() && c.Nodes() > huge && limited:
		far := func(k int) int {
			degree := w.Outcomes[k].Budget.MaxDegree
			return max(degree-promising, promising-degree)
		}
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(far(i), far(j)) })
	case !c.Homogeneous() && c.Nodes() > large:
		least := make([]float64, len(w.Outcomes))
		for k, o := range w.Outcomes {
			// What cannot be bounded is left for those who solve it to complain about.
			least[k], _, _ = w.least(ctx, o.Budget, nil)
		}
		slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(least[i], least[j]) })
	}
	return order
}

// first solves budget k with its share of the evaluations and 1/parts of the time that is left, unless it is ruled out.
func (w *sweeper) first(ctx context.Context, k, parts int) error {
	o := &w.Outcomes[k]
	if ctx.Err() != nil {
		o.Status = NotAttempted
		return nil
	}
	var before *Budget
	if k > 0 {
		before = &w.Outcomes[k-1].Budget
	}
	err := w.ruleOut(ctx, o, before)
	if err != nil || o.Status != "" {
		return err
	}
	return w.share(ctx, k, parts)
}

// share solves budget k with its share of the evaluations and, under a deadline, 1/parts of the time that is left. On a
// large cluster that may be over before the search has begun; the budgets after that get twice as much, so that some
// plan is found.
func (w *sweeper) share(ctx context.Context, k, parts int) error {
	part, cancel := portion(ctx, parts, w.patience)
	defer cancel()
	err := w.solve(part, k, w.settings.Evaluations/w.shares)
	if w.Outcomes[k].Plan == nil && part.Err() != nil && ctx.Err() == nil {
		w.patience *= 2
	}
	return err
}

// portion limits a context to times/parts of the time that is left, where that is limited.
func portion(ctx context.Context, parts, times int) (context.Context, context.CancelFunc) {
	deadline, limited := ctx.Deadline()
	if !limited {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, time.Until(deadline)/time.Duration(parts)*time.Duration(times))
}

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
func (c *Candidate) closeness() float64 {
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

// solve spends evaluations on budget k and keeps what is better.
func (w *sweeper) solve(ctx context.Context, k, evaluations int) error {
	o, s := &w.Outcomes[k], w.settings
	s.Evaluations = max(1, evaluations)
	var err error
	if s.starts, err = w.starts(k); err != nil {
		return err
	}
	if report := s.Progress; report != nil {
		s.Progress = func(now design.Progress) {
			now.Budget, now.Budgets = k+1, len(w.Outcomes)
			report(now)
		}
	}
	if w.Criterion == ByTime {
		s.target = w.problem.Cluster.Model().TargetError
	}
	plan, err := Optimize(ctx, w.question(o.Budget), s)
	if unsolved := unsolvedStatus(err); unsolved != "" {
		if o.Plan == nil {
			o.Status, o.Err = unsolved, err
		}
		return nil
	}
	if err != nil {
		return err
	}
	found, err := w.rank(grace.Late(ctx), plan)
	if err != nil || !found.better(o.Candidate) {
		return err
	}
	w.take(k, found)
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

// settled reports whether it is proved that no other plan of budget k changes the recommendation: it would need fewer
// rounds than any graph within the budget, by ‖Wᵏ − J‖_F ≥ r_asymᵏ.
func (w *sweeper) settled(k int) bool {
	plan := w.Outcomes[k].Plan
	if w.Criterion != ByTime || plan.Bound == nil || !(plan.Bound.RAsym > 0 && w.best < math.Inf(1)) {
		return false
	}
	unit := w.Outcomes[k].Budget.UnitGBs
	if k > 0 {
		unit = w.outside(w.Outcomes[k-1].Budget)
	}
	return w.leastRounds(plan.Bound.RAsym)*w.roundMS(unit) >= w.best*(1-design.Attained)
}

// unsolvedStatus is what an error of Optimize says about a budget; "" where it is no answer.
func unsolvedStatus(err error) Status {
	switch {
	case errors.Is(err, ErrNoPlan):
		return ShareSpent
	case errors.Is(err, ErrInfeasible):
		return Infeasible
	case errors.Is(err, ErrUndecided):
		return Undecided
	}
	return ""
}

// take makes a candidate the answer of budget k.
func (w *sweeper) take(k int, found Candidate) {
	o := &w.Outcomes[k]
	*o = Outcome{Budget: o.Budget, Status: Solved, Candidate: found}
	if w.settings.Found != nil {
		w.settings.Found(found.Plan)
	}
	if found.Plan.Iterations == 1 && w.exact <= found.Plan.TimeMS {
		o.Status, o.CollectiveMS = Outpaced, w.exact
		return
	}
	if o.Score < w.best {
		w.best, w.winner = o.Score, k
	}
}
