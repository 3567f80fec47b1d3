package sweep

import (
	"context"
	"errors"
	"fmt"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/internal/solve/admm"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/internal/solve/weights"
)

// byADMM runs the paper's Algorithm 2 and keeps the weights it found; the certificate, where
// it can be had, says how good weights on that graph could be.
func byADMM(ctx context.Context, p design.Problem, s Settings) (*design.Plan, error) {
	if p.Sign != design.NonNegative || p.MinEigenvalue != nil {
		return nil, fmt.Errorf("method %s solves the paper's problem: "+
			"no negative weights, no limit on the spectrum; use method auto", s.Method)
	}
	if n := p.Cluster.Nodes(); n > admm.MostNodes {
		return nil, fmt.Errorf("method %s is for at most %d nodes, here are %d; method %s has no such limit", s.Method,
			admm.MostNodes, n, Auto)
	}
	exact := (s.Method == Paper || s.Paper.Exact) && !p.Cluster.Homogeneous()
	space, err := admmSpace(ctx, p, s, exact)
	if err != nil {
		return nil, blameEquality(ctx, p, exact, err)
	}
	r, err := admm.Solve(ctx, space, s.admm())
	if errors.Is(err, admm.ErrNoPlan) {
		return nil, ErrNoPlan
	}
	if err != nil {
		return nil, blameEquality(ctx, p, exact, err)
	}
	plan, err := weighted(grace.Late(ctx), p, r.Graph, r.Weights)
	if err != nil {
		return nil, err
	}
	plan.Stop, plan.Notes = r.Stop, append(plan.Notes, r.Notes...)
	if exact {
		if err := fillClaim(plan, p, r); err != nil {
			return nil, err
		}
	}
	plan.Settings.Parameters = parameters(s, r)
	// The weights stay as the method found them. A second opinion says what they could be.
	best, err := weights.Solve(ctx, r.Graph, weights.Settings{})
	if err != nil {
		plan.Notes = append(plan.Notes, "no certificate for the weights was found")
		return plan, nil
	}
	certify(plan, best)
	return plan, nil
}

// blameEquality adds to the refusal of M z = e that other graphs fit, where that is so.
func blameEquality(ctx context.Context, p design.Problem, exact bool, err error) error {
	if !exact || !feasible.NoGraph(err) {
		return err
	}
	if space, e := feasible.Space(ctx, p); e != nil {
		return err
	} else if _, e = feasible.New(ctx, space); e != nil {
		return err
	}
	return fmt.Errorf("%w; the paper asks for exactly the edges e of Algorithm 1 on every resource (M z = e), and this e "+
		"is to blame: method %s, which allows fewer, has an answer", err, Auto)
}

// admmSpace lists what the method chooses from: M z = e where exact, with the e that the cluster states, that Algorithm
// 1 gives, or, where routes differ in length, that a first graph fills.
func admmSpace(ctx context.Context, p design.Problem, s Settings, exact bool) (design.Space, error) {
	if !exact {
		return feasible.Space(ctx, p)
	}
	if _, same := feasible.On(p.Cluster).UsesPerEdge(); same || p.Cluster.StatesEdges() {
		return feasible.PrintedSpace(ctx, p)
	}
	space, err := feasible.Space(ctx, p)
	if err != nil {
		return design.Space{}, err
	}
	return admm.Filled(ctx, space, s.Seed)
}

// admm says the settings in the words of that package.
func (s Settings) admm() admm.Settings {
	i := s.Paper
	t := admm.Settings{
		Literal: s.Method == Paper, Seed: s.Seed, Rho: i.Rho, Starts: i.Starts, Workers: s.Workers,
		Growth: i.Growth, Share: i.Share, Alpha: i.Alpha, Tolerance: i.Epsilon, Iterations: i.Steps,
		SparseWeights: i.SparseWeights, Progress: s.Progress, Trace: i.Trace,
	}
	if i.BoundedStart {
		t.Start = admm.Bounded
	}
	if i.PrintedStep || s.Method == Paper && !i.ClosedForm {
		t.Method = admm.Printed
	}
	return t
}

// parameters records what decides the result besides the seed.
func parameters(s Settings, r *admm.Result) map[string]float64 {
	used := map[string]float64{"rho": r.Runs[r.Winner].RhoFirst, "starts": float64(len(r.Runs))}
	for name, value := range map[string]float64{"growth": s.Paper.Growth, "share": s.Paper.Share,
		"alpha": s.Paper.Alpha, "epsilon": s.Paper.Epsilon, "steps": float64(s.Paper.Steps)} {
		if value != 0 {
			used[name] = value
		}
	}
	for name, is := range map[string]bool{"exact": s.Paper.Exact, "bounded_start": s.Paper.BoundedStart,
		"sparse_weights": s.Paper.SparseWeights, "printed_step": s.Paper.PrintedStep, "closed_form": s.Paper.ClosedForm} {
		if is {
			used[name] = 1
		}
	}
	return used
}

// fillClaim claims M z = e, unless an edge of the choice has weight 0: it carries nothing and is not in the plan.
func fillClaim(plan *design.Plan, p design.Problem, r *admm.Result) error {
	if !r.Met {
		return errors.New("sweep: the method promised M z = e and did not keep it")
	}
	if idle := len(r.Weights) - len(plan.Edges()); idle > 0 {
		plan.Notes = append(plan.Notes,
			fmt.Sprintf("M z = e with %d edges of weight 0, which are left out: the plan itself keeps M z ≤ e", idle))
		return nil
	}
	load, err := p.Cluster.Load(r.Mixing)
	if err != nil {
		return err
	}
	plan.ResourceEdges = load.Count
	return nil
}
