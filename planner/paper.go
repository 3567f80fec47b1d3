package planner

import (
	"context"
	"errors"
	"fmt"

	"github.com/batopo/batopo/admm"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/grace"
	"github.com/batopo/batopo/weights"
)

// byADMM runs the paper's Algorithm 2 and keeps the weights it found; the certificate, where
// it can be had, says how good weights on that graph could be.
func byADMM(ctx context.Context, p design.Problem, s Settings) (*design.Plan, error) {
	if p.Sign != design.NonNegative || p.MinEigenvalue != nil {
		return nil, fmt.Errorf("method %s solves the paper's problem: no negative weights, no limit on the spectrum; use method auto", s.Method)
	}
	if n := p.Cluster.Nodes(); n > admm.MostNodes {
		return nil, fmt.Errorf("method %s is for at most %d nodes, here are %d; method %s has no such limit", s.Method, admm.MostNodes, n, Auto)
	}
	space, method, err := p.Space, admm.ClosedForm, error(nil)
	if s.Method == Paper {
		space, method = p.PrintedSpace, admm.Printed
	}
	allowed, err := space(ctx)
	if err != nil {
		return nil, err
	}
	r, err := admm.Solve(ctx, allowed, admm.Settings{Method: method, Seed: s.Seed, Rho: s.Rho, Starts: s.Starts, Progress: s.Progress})
	if errors.Is(err, admm.ErrNoPlan) {
		return nil, ErrNoPlan
	}
	if err != nil {
		return nil, err
	}
	plan, err := weighted(grace.Late(ctx), p, r.Graph, r.Weights)
	if err != nil {
		return nil, err
	}
	plan.Stop, plan.Notes = r.Stop, append(plan.Notes, r.Notes...)
	if s.Method == Paper && !p.Cluster.Homogeneous() && !r.Met {
		return nil, errors.New("planner: the printed method promised M z = e and did not keep it")
	}
	plan.Settings.Parameters = map[string]float64{"rho": r.Runs[r.Winner].RhoFirst, "starts": float64(len(r.Runs))}
	// The weights stay as the method found them. A second opinion says what they could be.
	best, err := weights.Solve(ctx, r.Graph, weights.Settings{})
	if err != nil {
		plan.Notes = append(plan.Notes, "no certificate for the weights: "+err.Error())
		return plan, nil
	}
	certify(plan, best)
	return plan, nil
}
