package batopo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/format/trial"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/correct"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/ground/spectral"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/internal/solve/search"
	"github.com/batopo/batopo/internal/train"
	"github.com/batopo/batopo/topology"
	"github.com/batopo/batopo/verify"
)

// The nouns, under one roof.
type (
	Cluster   = cluster.Cluster
	Spec      = cluster.Spec
	Edge      = topology.Edge
	Plan      = design.Plan
	Progress  = design.Progress
	Report    = verify.Report
	Objective = design.Objective
	Purpose   = design.Purpose
	Momentum  = train.Momentum
	Norm      = advise.Norm
	Optimizer = advise.Optimizer
	Method    = sweep.Method
	Timing    = advise.Timing

	PaperSettings = sweep.PaperSettings
)

// What answers are made of.
type (
	Sweep   = sweep.Sweep   // static graphs by budget, and known topologies
	Row     = sweep.Row     // a topology with its price
	Skipped = sweep.Skipped // what a cluster cannot have, and why
	Advice  = advise.Advice // every way to train, with what is predicted of it

	Trial      = trial.Trial        // what was measured on the machines
	Correction = correct.Correction // what that says about their description
)

// What Options may ask for.
const (
	Rate      = design.Rate      // least r_asym, whatever a round costs
	Time      = design.Time      // least time to the target error
	Consensus = design.Consensus // agree as fast as possible
	Training  = design.Training  // no negative eigenvalues, W ⪰ 0, and compute time counted
)

// Equal describes n equal machines with the bandwidth, message and compute time of the BA-Topo paper.
func Equal(n int) (*Cluster, error) {
	return cluster.New(cluster.Homogeneous(n, cluster.PaperBandwidthGBs))
}

// NewCluster builds the cluster that a description speaks of.
func NewCluster(s Spec) (*Cluster, error) { return cluster.New(s) }

// ReadCluster reads a description such as those in the folder examples.
func ReadCluster(name string) (*Cluster, error) { return cluster.ReadFile(name) }

// An Answer says what to run. Plan is what is recommended; the rest is what it was chosen from.
type Answer struct {
	Plan    *Plan
	Problem design.Problem // what was asked, with everything that was left out filled in
	Sweep   *Sweep         // the static graphs
	Advice  *Advice        // every way to train; nil where a static graph was asked for
	// Correction is what a trial changed about the cluster, which Problem has with these changes; nil without a trial.
	Correction *Correction
}

// Advise answers the main question: what should these machines run so that training is fastest? With o.Static, with the
// purpose Consensus or with the objective Rate it recommends the best static graph, as the paper does. When ctx ends it
// returns the best answer so far.
func Advise(ctx context.Context, c *Cluster, o Options) (*Answer, error) {
	p, err := o.AdviseProblem(c)
	if err != nil {
		return nil, err
	}
	var first atomic.Pointer[Answer]
	got, err := inTime(ctx, o, func(o Options) (*Answer, error) { return answer(ctx, c, p, o, &first) })
	if early := first.Load(); early != nil && (errors.Is(err, ErrStopped) || errors.Is(err, ErrNoPlan)) {
		return early, nil
	}
	return got, err
}

// answer stores in first, where nothing else is asked for, what needs no search.
func answer(ctx context.Context, c *Cluster, p design.Problem, o Options,
	first *atomic.Pointer[Answer]) (_ *Answer, err error) {
	started, a := time.Now(), &Answer{Problem: p}
	if a.Problem.Cluster, a.Correction, err = o.Machines(c); err != nil {
		return nil, err
	}
	if o.advises(p) {
		if early := a.first(ctx, o); early != nil {
			early.stamp(design.NewRun(started))
			first.Store(early)
		}
		err = a.compare(ctx, o)
	} else if a.Sweep, err = sweep.New(ctx, a.Problem, o.settings()); err == nil {
		a.Plan = a.Sweep.Best()
	}
	if err != nil {
		return nil, err
	}
	a.stamp(design.NewRun(started))
	return a, nil
}

// first is the answer where the time ends before any other; nil where nothing is known without a search.
func (a *Answer) first(ctx context.Context, o Options) *Answer {
	early := *a
	early.Sweep = sweep.Unsearched(a.Problem.Cluster, o.settings().Seed, "the time was over before any was searched for")
	var err error
	if early.Advice, err = advise.First(ctx, a.Problem.Cluster, early.Sweep, o.Setting()); err != nil {
		return nil
	}
	early.Plan = early.Advice.Recommended.Plan
	return &early
}

// adviceShare is the part of a search that an advice gets: its convergence model does not distinguish the small
// differences that the rest would find. Graphs of more than 16 nodes take longer, and the answer has to come soon.
func adviceShare(nodes int) int {
	const few, share, shareOfMany = 16, 10, 50
	if nodes <= few {
		return share
	}
	return shareOfMany
}

// compare compares the static graphs of a short sweep with every other way to train.
func (a *Answer) compare(ctx context.Context, o Options) (err error) {
	c, s := a.Problem.Cluster, o.settings()
	if s.Evaluations == 0 {
		s.Evaluations = search.DefaultEvaluations(c.Nodes()) / adviceShare(c.Nodes())
	}
	setting := o.Setting()
	setting.Trial = a.Correction
	a.Sweep = sweep.Unsearched(c, s.Seed, "the all-reduce hides behind computation; --search looks for them")
	if !o.searches() {
		if a.Advice, err = advise.AtOnce(ctx, c, a.Sweep, setting, o.Progress); err != nil {
			return err
		}
	}
	if a.Advice == nil {
		if err = a.survey(ctx, o, s); err != nil {
			return err
		}
		if a.Advice, err = advise.From(ctx, c, a.Sweep, setting, o.Progress); err != nil {
			return err
		}
	}
	a.Plan = a.Advice.Recommended.Plan
	return nil
}

// mostSurveyed is for how many nodes static graphs are searched for without being asked. The convergence model knows
// 32 nodes at most, and its error grows so much with their number that a flat graph of more hardly ever wins.
const mostSurveyed = 64

// survey looks for static graphs and prices the known topologies. On many nodes it does not search; where these form
// groups, hierarchical averaging takes the place of flat topologies.
func (a *Answer) survey(ctx context.Context, o Options, s sweep.Settings) (err error) {
	c := a.Problem.Cluster
	why, many := o.Setting().On(c).NoGraphs(c), c.Nodes() > mostSurveyed // what cannot be the answer is not searched for
	if o.searches() || why == nil && !many {
		a.Sweep, err = a.Sweep.Survey(ctx, a.Problem, s)
		return err
	}
	if many {
		why = fmt.Errorf("the cluster has more than %d nodes; --search looks for them", mostSurveyed)
	}
	a.Sweep.NoGraph = fmt.Errorf("%w: %s", sweep.ErrNotSearched, why.Error())
	if _, ungrouped := cost.Divisions(c); !many || ungrouped != nil {
		a.Sweep.Price(ctx)
	}
	return nil
}

// stamp writes the facts of the run into all plans.
func (a *Answer) stamp(run design.Run) {
	for _, o := range a.Sweep.Outcomes {
		if o.Plan != nil {
			o.Plan.Run = run
		}
	}
	for _, p := range []*Plan{a.Sweep.Best(), a.Plan} {
		if p != nil {
			p.Run = run
		}
	}
}

// Optimize finds the best graph and weights with at most o.MaxEdges edges. When ctx ends it returns the best
// plan so far.
func Optimize(ctx context.Context, c *Cluster, o Options) (*Plan, error) {
	p, err := o.OptimizeProblem(c)
	if err != nil {
		return nil, err
	}
	return planned(ctx, o, func(o Options) (*Plan, error) { return sweep.Optimize(ctx, p, o.settings()) })
}

// Weights finds the best weights for edges that are given. Limits on edges and degrees do not apply.
func Weights(ctx context.Context, c *Cluster, edges []Edge, o Options) (*Plan, error) {
	p, err := o.WeightsProblem(c)
	if err != nil {
		return nil, err
	}
	g, err := topology.New(c.Nodes(), edges)
	if err != nil {
		return nil, err
	}
	return planned(ctx, o, func(o Options) (*Plan, error) { return sweep.BestWeights(ctx, p, g, o.Progress) })
}

// planned stamps a plan that is made in time.
func planned(ctx context.Context, o Options, work func(Options) (*Plan, error)) (*Plan, error) {
	started := time.Now()
	plan, err := inTime(ctx, o, work)
	if err == nil {
		plan.Run = design.NewRun(started)
	}
	return plan, err
}

// Compare lists the given rows, every known topology, published methods, and schedules that are searched for the
// cluster, soonest first; and what the cluster cannot have.
func Compare(ctx context.Context, c *Cluster, own []Row, o Options) ([]Row, []Skipped) {
	if c == nil {
		why := errors.New("batopo: a comparison needs a cluster")
		return slices.Clone(own), []Skipped{sweep.Skip("known topologies", why)}
	}
	type listed struct {
		rows    []Row
		skipped []Skipped
	}
	all, err := inTime(ctx, o, func(o Options) (listed, error) {
		known, skipped := sweep.PlacedBaselines(ctx, c, o.settings().Seed)
		contenders, without := sweep.Contenders(ctx, c, o.settings().Seed)
		rows := slices.Concat(own, known, contenders)
		sweep.SortByTime(rows)
		return listed{rows, append(skipped, without...)}, nil
	})
	if err != nil {
		return slices.Clone(own), []Skipped{sweep.Skip("all others", err)}
	}
	return all.rows, all.skipped
}

// ReadPlan reads a plan that was written with [Plan.Write] or by the command line, and refuses one that was changed
// since, or whose collective is no average.
func ReadPlan(name string) (*Plan, error) {
	p, err := design.ReadPlanFile(name)
	if err == nil {
		err = p.CheckHash()
	}
	if err == nil {
		err = p.CheckExact()
	}
	return p, err
}

// ReadTrial reads what batopo.trial of python/batopo wrote.
func ReadTrial(name string) (*Trial, error) { return trial.ReadFile(name) }

// Check recomputes everything that a plan claims. The error names the claims that are false, or says that ctx ended
// first; the report lists every claim, also those that could be neither repeated nor refuted.
func Check(ctx context.Context, p *Plan) (Report, error) {
	report, err := verify.Check(ctx, p)
	if err != nil {
		return nil, err
	}
	if err = report.Err(); err == nil {
		err = ctx.Err()
	}
	return report, err
}

// ErrInfeasible is wrapped by errors that prove that no graph keeps the limits, ErrUndecided by errors that say that
// none was found and nothing is proved. ErrNoPlan is wrapped by those of searches that ended before they had any.
var (
	ErrInfeasible = feasible.ErrInfeasible
	ErrUndecided  = feasible.ErrUndecided
	ErrNoPlan     = sweep.ErrNoPlan
)

// An installed OpenBLAS is used, by the library as by the command line: the same question has the same bytes.
func init() { UseSystemLAPACK(true) }

// UseSystemLAPACK says whether an installed OpenBLAS may compute eigenvalues of matrices from 48 rows on, as it may
// until this is called. With false everything is pure Go. Call it before anything else.
func UseSystemLAPACK(on bool) { spectral.UseSystemLAPACK(on) }
