package main

import (
	"context"

	"github.com/batopo/batopo/admm"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/experiments/internal/measure"
	"github.com/batopo/batopo/planner"
)

// solve is a single run of the paper's method, with M z = e where the cluster has limits, and with the linear step in
// closed form unless the settings say otherwise.
func solve(ctx context.Context, p design.Problem, seed uint64, settings admm.Settings) (*admm.Result, error) {
	space, err := p.PrintedSpace(ctx)
	if err != nil {
		return nil, err
	}
	settings.Seed, settings.Starts = seed, 1
	return admm.Solve(ctx, space, settings)
}

func oneStart(settings admm.Settings) solver {
	return func(ctx context.Context, p design.Problem, seed uint64) (float64, error) {
		r, err := solve(ctx, p, seed, settings)
		if err != nil {
			return 0, err
		}
		return r.RAsym, nil
	}
}

// thenBest gives the graph of a run the best weights there are.
func thenBest(ctx context.Context, p design.Problem, seed uint64) (float64, error) {
	r, err := solve(ctx, p, seed, admm.Settings{})
	if err != nil {
		return 0, err
	}
	return rate(planner.BestWeights(ctx, p, r.Graph, nil))
}

// planned is what users get from a method.
func planned(method planner.Method) solver {
	return func(ctx context.Context, p design.Problem, seed uint64) (float64, error) {
		settings := planner.Settings{Method: method, Seed: seed, Evaluations: measure.Evaluations(p.Cluster.Nodes())}
		return rate(planner.Optimize(ctx, p, settings))
	}
}

// family is a known graph with Metropolis weights, or with the best.
func family(name string, best bool) solver {
	return func(ctx context.Context, p design.Problem, _ uint64) (float64, error) {
		w, err := measure.Family(name, p.Cluster.Nodes())()
		if err != nil {
			return 0, err
		}
		if best {
			return rate(planner.BestWeights(ctx, p, w.Graph(), nil))
		}
		s, err := w.Spectrum(ctx)
		return s.RAsym, err
	}
}

func rate(plan *design.Plan, err error) (float64, error) {
	if err != nil {
		return 0, err
	}
	return plan.RAsym, nil
}
