package measure

import (
	"context"
	"math"
	"time"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/experiments/internal/ledger"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/ground/workers"
	"github.com/batopo/batopo/internal/solve/admm"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/internal/solve/search"
)

// A Question is a problem of the paper and the method that is to answer it; it is what
// decides a row, together with the simulation.
type Question struct {
	Cluster     string       `json:"cluster,omitempty"` // file; "" for equal nodes
	Nodes       int          `json:"nodes"`
	Edges       int          `json:"edges,omitempty"`      // at most; 0: the program chooses the budget too
	MaxDegree   int          `json:"max_degree,omitempty"` // at most; 0: no limit
	Method      sweep.Method `json:"method"`
	Seed        uint64       `json:"seed"`
	Evaluations int          `json:"evaluations,omitempty"`
	Exact       bool         `json:"exact,omitempty"`        // admm: M z = e
	PrintedStep bool         `json:"printed_step,omitempty"` // admm: linear system by Bi-CGSTAB with ILU
	Bounded     bool         `json:"bounded,omitempty"`      // literal runs: the first graph keeps to an even share
	BestOf      *Grid        `json:"best_of,omitempty"`      // literal runs: the smallest r_asym of these
}

// A Grid is the runs of the printed method, and the best counts: every ρ with seeds 1, 2, ….
type Grid struct {
	Rho   []float64 `json:"rho"`
	Seeds int       `json:"seeds"`
	Steps int       `json:"steps"` // the most of one run
}

// Even returns the question with no node busier than an even share of the edges: a round
// is as slow as its busiest node, so on equal nodes this is what time asks for.
func (q Question) Even() Question {
	q.MaxDegree = (2*q.Edges + q.Nodes - 1) / q.Nodes
	return q
}

// Evaluations is how much work our search does for n nodes in all experiments: half a second of it
// for 8 nodes, which tests repeat, and what the program does by default for more.
func Evaluations(n int) int {
	if n <= 8 {
		return 400_000
	}
	return search.DefaultEvaluations(n)
}

// Solve answers a question on a cluster and writes the plan to a file. With a grid it also returns all of its runs.
func Solve(ctx context.Context, c *cluster.Cluster, q Question, file string) (*design.Plan, *Starts, error) {
	started := time.Now()
	p := Problem(c, q.Edges)
	p.MaxDegree = q.MaxDegree
	s := sweep.Settings{Method: q.Method, Seed: q.Seed, Evaluations: q.Evaluations,
		Paper: sweep.PaperSettings{Exact: q.Exact, PrintedStep: q.PrintedStep, BoundedStart: q.Bounded}}
	var starts *Starts
	if q.BestOf != nil {
		var err error
		if starts, err = q.BestOf.choose(ctx, p, &s); err != nil {
			return nil, nil, err
		}
	}
	plan, err := answer(ctx, p, s)
	if err != nil {
		return nil, nil, err
	}
	plan.Run = design.NewRun(started)
	return plan, starts, ledger.Write(file, plan.Write)
}

// Starts are the runs of a grid, one entry each: first all seeds with the first ρ, then with the next.
type Starts struct {
	RAsym  []float64 `json:"starts_r_asym"`
	Degree []int     `json:"starts_degree"` // largest
	Steps  []int     `json:"starts_steps"`  // as many as the grid allows: not settled
}

// choose makes every run of the grid, with the linear step by formulas, since the iterates are the same, and puts the
// settings of the best into s.
func (g Grid) choose(ctx context.Context, p design.Problem, s *sweep.Settings) (*Starts, error) {
	space, err := feasible.PrintedSpace(ctx, p)
	if err != nil {
		return nil, err
	}
	first := admm.Annealed
	if s.Paper.BoundedStart {
		first = admm.Bounded
	}
	runs := make([]*admm.Result, len(g.Rho)*g.Seeds)
	errs := make([]error, len(runs))
	workers.Each(0, len(runs), func(k int) {
		runs[k], errs[k] = admm.Solve(ctx, space, admm.Settings{Literal: true, Start: first, Rho: g.Rho[k/g.Seeds],
			Seed: uint64(k%g.Seeds) + 1, Iterations: g.Steps})
	})
	best, all := math.Inf(1), &Starts{}
	for k, r := range runs {
		if errs[k] != nil {
			return nil, errs[k]
		}
		all.RAsym = append(all.RAsym, r.RAsym)
		all.Degree = append(all.Degree, r.Graph.MaxDegree())
		all.Steps = append(all.Steps, r.Runs[0].Iterations)
		if r.RAsym < best {
			best = r.RAsym
			s.Paper.Rho, s.Seed = g.Rho[k/g.Seeds], uint64(k%g.Seeds)+1
		}
	}
	s.Paper = sweep.PaperSettings{Rho: s.Paper.Rho, ClosedForm: true, Steps: g.Steps,
		BoundedStart: s.Paper.BoundedStart}
	return all, nil
}

// answer is the best plan for a budget, or the recommended plan of all budgets.
func answer(ctx context.Context, p design.Problem, s sweep.Settings) (*design.Plan, error) {
	if p.MaxEdges > 0 {
		return sweep.Optimize(ctx, p, s)
	}
	p.Objective = design.Time
	sweep, err := sweep.New(ctx, p, s)
	if err != nil {
		return nil, err
	}
	return sweep.Best(), nil
}

// Problem is what the paper asks of a cluster: non-negative weights on at most that many edges that agree in the fewest
// rounds.
func Problem(c *cluster.Cluster, edges int) design.Problem {
	return design.Problem{Cluster: c, MaxEdges: edges, Objective: design.Rate, Purpose: design.Consensus,
		Sign: design.NonNegative}
}

// Equal returns n equal nodes with the paper's bandwidth, message and target.
func Equal(n int) (*cluster.Cluster, error) {
	return cluster.New(cluster.Homogeneous(n, cluster.PaperBandwidthGBs))
}
