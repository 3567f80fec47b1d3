package main

import (
	"context"
	"fmt"

	"batopo/admm"
	"batopo/design"
	"batopo/experiments/internal/measure"
	"batopo/mixing"
	"batopo/planner"
)

// A problem of Table I: n nodes, half the degree sum of the exponential graph.
type size struct{ nodes, edges int }

var small, medium, large, larger, largest = size{8, 12}, size{16, 32}, size{32, 80}, size{64, 192}, size{128, 448}

// oneStart is a single run of the paper's method, closed linear step unless the settings say otherwise.
func oneStart(ctx context.Context, p design.Problem, seed uint64, settings admm.Settings) (*admm.Result, error) {
	space, err := p.Space()
	if err != nil {
		return nil, err
	}
	settings.Seed, settings.Starts = seed, 1
	return admm.Solve(ctx, space, settings)
}

func withADMM(settings admm.Settings) func(context.Context, design.Problem, uint64) (float64, error) {
	return func(ctx context.Context, p design.Problem, seed uint64) (float64, error) {
		r, err := oneStart(ctx, p, seed, settings)
		if err != nil {
			return 0, err
		}
		return r.RAsym, nil
	}
}

// thenBest gives the graph of a run the best weights there are.
func thenBest(ctx context.Context, p design.Problem, seed uint64) (float64, error) {
	r, err := oneStart(ctx, p, seed, admm.Settings{})
	if err != nil {
		return 0, err
	}
	plan, err := planner.BestWeights(ctx, p, r.Graph, nil)
	if err != nil {
		return 0, err
	}
	return plan.RAsym, nil
}

// withPlanner is what users get from a method.
func withPlanner(method planner.Method) func(context.Context, design.Problem, uint64) (float64, error) {
	return func(ctx context.Context, p design.Problem, seed uint64) (float64, error) {
		plan, err := planner.Optimize(ctx, p, planner.Settings{Method: method, Seed: seed, Evaluations: measure.Evaluations(p.Cluster.Nodes())})
		if err != nil {
			return 0, err
		}
		return plan.RAsym, nil
	}
}

// startSeeds is how many runs a comparison of starts takes: differences are smaller than the spread of the runs.
const startSeeds = 48

// warmStarts compares where the paper's iteration begins. The first weights of an annealed start are half at random here; the
// paper puts them on the graph alone, as far as it says.
func warmStarts() (list []variant) {
	for _, s := range []size{small, medium, large} {
		for _, start := range []admm.Start{admm.Annealed, admm.Random, admm.Ring} {
			list = append(list, variant{key: fmt.Sprintf("warm start/n=%d/%s", s.nodes, start), nodes: s.nodes, edges: s.edges, seeds: startSeeds,
				settings: map[string]any{"start": start.String()}, once: withADMM(admm.Settings{Start: start})})
		}
		list = append(list, variant{key: fmt.Sprintf("warm start/n=%d/annealed alone", s.nodes), nodes: s.nodes, edges: s.edges, seeds: startSeeds,
			settings: map[string]any{"start": admm.Annealed.String(), "share": 1}, once: withADMM(admm.Settings{Start: admm.Annealed, Share: 1})})
	}
	return list
}

// penalties compares fixed values of ρ with one that grows.
func penalties() (list []variant) {
	for _, s := range []size{small, medium} {
		for _, rho := range []float64{0.5, 1, 2, 5, 10, 20, 50} {
			list = append(list, variant{key: fmt.Sprintf("penalty/n=%d/rho=%g", s.nodes, rho), nodes: s.nodes, edges: s.edges, seeds: 16,
				settings: map[string]any{"rho": rho, "growth": 1}, once: withADMM(admm.Settings{Rho: rho, Growth: 1})})
		}
		list = append(list, variant{key: fmt.Sprintf("penalty/n=%d/growing", s.nodes), nodes: s.nodes, edges: s.edges, seeds: 16,
			settings: map[string]any{"rho": "default", "growth": "default"}, once: withADMM(admm.Settings{})})
	}
	return list
}

// weightRules compares the weights that come with a graph with the best on the same graph.
func weightRules() (list []variant) {
	for _, s := range []size{small, medium} {
		for _, name := range []string{"ring", "grid", "torus", "hypercube"} {
			for _, best := range []bool{false, true} {
				rule := map[bool]string{false: "metropolis", true: "best"}[best]
				list = append(list, variant{key: fmt.Sprintf("weights/n=%d/%s/%s", s.nodes, name, rule), nodes: s.nodes, seeds: 1,
					settings: map[string]any{"family": name, "rule": rule},
					once: func(ctx context.Context, p design.Problem, _ uint64) (float64, error) {
						return ofFamily(ctx, p, name, best)
					}})
			}
		}
		list = append(list,
			variant{key: fmt.Sprintf("weights/n=%d/admm/as rounded", s.nodes), nodes: s.nodes, edges: s.edges, seeds: 16,
				settings: map[string]any{"polish": 1}, once: withADMM(admm.Settings{PolishIterations: 1})},
			variant{key: fmt.Sprintf("weights/n=%d/admm/own", s.nodes), nodes: s.nodes, edges: s.edges, seeds: 16,
				settings: map[string]any{"polish": "default"}, once: withADMM(admm.Settings{})},
			variant{key: fmt.Sprintf("weights/n=%d/admm/best", s.nodes), nodes: s.nodes, edges: s.edges, seeds: 16,
				settings: map[string]any{"polish": "default", "then": "interior point"}, once: thenBest})
	}
	return list
}

func ofFamily(ctx context.Context, p design.Problem, name string, best bool) (float64, error) {
	f, err := mixing.FindFamily(name)
	if err != nil {
		return 0, err
	}
	w, err := f.Build(mixing.Params{Nodes: p.Cluster.Nodes()})
	if err != nil {
		return 0, err
	}
	if !best {
		s, err := w.Spectrum()
		return s.RAsym, err
	}
	plan, err := planner.BestWeights(ctx, p, w.Graph(), nil)
	if err != nil {
		return 0, err
	}
	return plan.RAsym, nil
}

// symmetries compares the search over symmetric graphs with the one over all graphs.
func symmetries() (list []variant) {
	for _, s := range []size{small, medium, large, larger} {
		for _, method := range []planner.Method{planner.Lift, planner.Swap, planner.Auto} {
			list = append(list, variant{key: fmt.Sprintf("symmetry/n=%d/%s", s.nodes, method), nodes: s.nodes, edges: s.edges, seeds: 3,
				settings: map[string]any{"method": method, "evaluations": measure.Evaluations(s.nodes)}, once: withPlanner(method)})
		}
	}
	return list
}

// scaling measures one solve per size; the printed linear solver only as far as it is bearable.
func scaling() (list []variant) {
	for _, s := range []size{small, medium, large, larger, largest} {
		list = append(list,
			variant{key: fmt.Sprintf("scaling/n=%d/admm", s.nodes), nodes: s.nodes, edges: s.edges, seeds: 1,
				settings: map[string]any{"method": "closed form", "starts": 1}, once: withADMM(admm.Settings{})},
			variant{key: fmt.Sprintf("scaling/n=%d/auto", s.nodes), nodes: s.nodes, edges: s.edges, seeds: 1,
				settings: map[string]any{"method": "auto", "evaluations": measure.Evaluations(s.nodes)}, once: withPlanner(planner.Auto)})
		if s.nodes <= large.nodes {
			list = append(list, variant{key: fmt.Sprintf("scaling/n=%d/paper", s.nodes), nodes: s.nodes, edges: s.edges, seeds: 1,
				settings: map[string]any{"method": "printed", "starts": 1}, once: withADMM(admm.Settings{Method: admm.Printed})})
		}
	}
	return list
}
