package main

import (
	"cmp"
	"context"
	"slices"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/experiments/internal/measure"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/solve/admm"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// A solver answers a problem once.
type solver func(ctx context.Context, p design.Problem, seed uint64) (*mixing.Matrix, error)

// solve is a single run of the paper's method, with M z = e where the cluster has limits, and with the linear step in
// closed form and with this seed unless the settings say otherwise.
func solve(ctx context.Context, p design.Problem, seed uint64, settings admm.Settings) (*admm.Result, error) {
	space, err := feasible.PrintedSpace(ctx, p)
	if err != nil {
		return nil, err
	}
	settings.Seed, settings.Starts = cmp.Or(settings.Seed, seed), 1
	return admm.Solve(ctx, space, settings)
}

func oneStart(settings admm.Settings) solver {
	return func(ctx context.Context, p design.Problem, seed uint64) (*mixing.Matrix, error) {
		r, err := solve(ctx, p, seed, settings)
		if err != nil {
			return nil, err
		}
		return r.Mixing, nil
	}
}

// planned is what users get from a method.
func planned(method sweep.Method) solver {
	return func(ctx context.Context, p design.Problem, seed uint64) (*mixing.Matrix, error) {
		settings := sweep.Settings{Method: method, Seed: seed, Evaluations: measure.Evaluations(p.Cluster.Nodes())}
		return matrix(sweep.Optimize(ctx, p, settings))
	}
}

func matrix(plan *design.Plan, err error) (*mixing.Matrix, error) {
	if err != nil {
		return nil, err
	}
	w, err := plan.Matrices()
	if err != nil {
		return nil, err
	}
	return w[0], nil
}

func known(name string) solver {
	return func(_ context.Context, p design.Problem, _ uint64) (*mixing.Matrix, error) {
		return measure.Family(name, p.Cluster.Nodes())()
	}
}

// A rule gives a graph weights.
type rule func(ctx context.Context, p design.Problem, g *topology.Graph) (*mixing.Matrix, error)

// rules of Remark 2: the same weight for every edge, by degree or the best, Metropolis weights, and the best of all.
var rules = []struct {
	name string
	rule
}{
	{"equal", formula(func(g *topology.Graph) (*mixing.Matrix, error) {
		return mixing.FromEdges(g, slices.Repeat([]float64{1 / float64(1+g.MaxDegree())}, len(g.Edges())))
	})},
	{"best constant", formula(mixing.BestConstant)},
	{"metropolis", formula(mixing.Metropolis)},
	{"best", best},
}

func formula(mix func(*topology.Graph) (*mixing.Matrix, error)) rule {
	return func(_ context.Context, _ design.Problem, g *topology.Graph) (*mixing.Matrix, error) { return mix(g) }
}

func best(ctx context.Context, p design.Problem, g *topology.Graph) (*mixing.Matrix, error) {
	return matrix(sweep.BestWeights(ctx, p, g, nil))
}

// on gives the graph of an answer the weights of the rule.
func (r rule) on(once solver) solver {
	return func(ctx context.Context, p design.Problem, seed uint64) (*mixing.Matrix, error) {
		w, err := once(ctx, p, seed)
		if err != nil {
			return nil, err
		}
		return r(ctx, p, w.Graph())
	}
}
