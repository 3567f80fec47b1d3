package batopo

import (
	"cmp"
	"context"
	"errors"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/spectral"
	"github.com/batopo/batopo/planner"
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
)

// What Options may ask for.
const (
	Rate      = design.Rate      // least r_asym, whatever a round costs
	Time      = design.Time      // least time to the target error
	Consensus = design.Consensus // agree as fast as possible
	Training  = design.Training  // no negative eigenvalues, W ⪰ 0, and compute time counted
)

// Options say what to ask for and how long to search. The zero value asks for what plan --static, optimize and weights
// ask for on the command line.
type Options struct {
	MaxEdges  int       // Optimize needs it; Best takes it as a limit, 0 means none
	MaxDegree int       // most neighbours per node; 0 means no limit
	Objective Objective // "" means Time for Best, Rate for the others
	Purpose   Purpose   // "" means Consensus

	NegativeWeights bool
	MinEigenvalue   *float64 // keeps the eigenvalues of W above it; nil means 0 for training, no limit for consensus

	Seed        uint64         // 0 means 1; the same seed gives the same plan
	Evaluations int            // how many graphs to look at; 0 means some ten seconds of work
	Workers     int            // searches at the same time; 0 means all cores; the plan does not depend on it
	Progress    func(Progress) // may be nil; called by one goroutine at a time
}

// Equal describes n equal machines with the bandwidth, message and compute time of the BA-Topo paper.
func Equal(n int) (*Cluster, error) {
	return cluster.New(cluster.Homogeneous(n, cluster.PaperBandwidthGBs))
}

// NewCluster builds the cluster that a description speaks of.
func NewCluster(s Spec) (*Cluster, error) { return cluster.New(s) }

// ReadCluster reads a description such as those in the folder examples.
func ReadCluster(name string) (*Cluster, error) { return cluster.ReadFile(name) }

// Best chooses everything: how many edges, which, and with what weights. It returns the plan that
// [planner.Plan] recommends; call that to see the other budgets and the known topologies beside it.
func Best(ctx context.Context, c *Cluster, o Options) (*Plan, error) {
	sweep, err := planner.Plan(ctx, o.problem(c), o.settings())
	if err != nil {
		return nil, err
	}
	return sweep.Best(), nil
}

// Optimize finds the best graph and weights with at most o.MaxEdges edges. When ctx ends it returns the best
// plan so far.
func Optimize(ctx context.Context, c *Cluster, o Options) (*Plan, error) {
	return planner.Optimize(ctx, o.problem(c), o.settings())
}

// Weights finds the best weights for edges that are given. Limits on edges and degrees do not apply.
func Weights(ctx context.Context, c *Cluster, edges []Edge, o Options) (*Plan, error) {
	if c == nil {
		return nil, errors.New("batopo: weights need a cluster")
	}
	g, err := topology.New(c.Nodes(), edges)
	if err != nil {
		return nil, err
	}
	return planner.BestWeights(ctx, o.problem(c), g, o.Progress)
}

// ReadPlan reads a plan that was written with [Plan.Write] or by the command line.
func ReadPlan(name string) (*Plan, error) { return design.ReadPlanFile(name) }

// Check recomputes everything that a plan claims. The error names the claims that are false, or says that ctx ended
// first; the report lists every claim, also those that could be neither repeated nor refuted.
func Check(ctx context.Context, p *Plan) (Report, error) {
	report, err := verify.Check(ctx, p)
	if err != nil {
		return nil, err
	}
	return report, cmp.Or(report.Err(), ctx.Err())
}

func (o Options) problem(c *Cluster) design.Problem {
	p := design.Problem{Cluster: c, MaxEdges: o.MaxEdges, MaxDegree: o.MaxDegree,
		Objective: o.Objective, Purpose: o.Purpose, MinEigenvalue: o.MinEigenvalue}
	if o.NegativeWeights {
		p.Sign = design.Free
	}
	return p
}

func (o Options) settings() planner.Settings {
	return planner.Settings{
		Seed: cmp.Or(o.Seed, 1), Evaluations: o.Evaluations, Workers: o.Workers, Progress: o.Progress,
	}
}

// UseSystemLAPACK says whether an installed OpenBLAS may compute eigenvalues of matrices from 48 rows on. It is off
// until it is asked for: everything is pure Go then. Call it before anything else.
func UseSystemLAPACK(on bool) { spectral.UseSystemLAPACK(on) }
