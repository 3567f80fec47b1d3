package main

import (
	"fmt"

	"github.com/batopo/batopo/admm"
	"github.com/batopo/batopo/experiments/internal/measure"
	"github.com/batopo/batopo/planner"
)

// startSeeds is how many runs a comparison of starts takes: differences are smaller than the spread of the runs.
const startSeeds = 48

// warmStarts compares where the paper's iteration begins. The first weights of an annealed start are half at random
// here; the paper puts them on the graph alone, as far as it says.
func warmStarts() (list []variant) {
	for _, s := range []size{small, medium, large} {
		for _, start := range []admm.Start{admm.Annealed, admm.Random, admm.Ring} {
			list = append(list, variant{"warm start", start.String(), s, startSeeds,
				map[string]any{"start": start.String()}, oneStart(admm.Settings{Start: start})})
		}
		list = append(list, variant{"warm start", "annealed alone", s, startSeeds,
			map[string]any{"start": admm.Annealed.String(), "share": 1},
			oneStart(admm.Settings{Start: admm.Annealed, Share: 1})})
	}
	return list
}

// penalties compares fixed values of ρ with one that grows.
func penalties() (list []variant) {
	for _, s := range []size{small, medium} {
		for _, rho := range []float64{0.5, 1, 2, 5, 10, 20, 50} {
			list = append(list, variant{"penalty", fmt.Sprintf("rho=%g", rho), s, 16,
				map[string]any{"rho": rho, "growth": 1}, oneStart(admm.Settings{Rho: rho, Growth: 1})})
		}
		list = append(list, variant{"penalty", "growing", s, 16,
			map[string]any{"rho": "default", "growth": "default"}, oneStart(admm.Settings{})})
	}
	return list
}

// weightRules compares the weights that come with a graph with the best on the same graph.
func weightRules() (list []variant) {
	for _, s := range []size{small, medium} {
		for _, name := range []string{"ring", "grid", "torus", "hypercube"} {
			for _, rule := range []string{"metropolis", "best"} {
				list = append(list, variant{"weights", name + "/" + rule, size{nodes: s.nodes}, 1,
					map[string]any{"family": name, "rule": rule}, family(name, rule == "best")})
			}
		}
		list = append(list,
			variant{"weights", "admm/as rounded", s, 16, map[string]any{"polish": 1},
				oneStart(admm.Settings{PolishIterations: 1})},
			variant{"weights", "admm/own", s, 16, map[string]any{"polish": "default"}, oneStart(admm.Settings{})},
			variant{"weights", "admm/best", s, 16, map[string]any{"polish": "default", "then": "interior point"},
				thenBest})
	}
	return list
}

// symmetries compares the search over symmetric graphs with the one over all graphs.
func symmetries() (list []variant) {
	for _, s := range []size{small, medium, large, larger} {
		for _, method := range []planner.Method{planner.Lift, planner.Swap, planner.Auto} {
			list = append(list, variant{"symmetry", string(method), s, 3,
				map[string]any{"method": method, "evaluations": measure.Evaluations(s.nodes)}, planned(method)})
		}
	}
	return list
}

// scaling measures one solve per size; the printed linear solver only as far as it is bearable.
func scaling() (list []variant) {
	for _, s := range []size{small, medium, large, larger, largest} {
		list = append(list,
			variant{"scaling", "admm", s, 1, map[string]any{"method": "closed form", "starts": 1}, oneStart(admm.Settings{})},
			variant{"scaling", "auto", s, 1, map[string]any{"method": "auto", "evaluations": measure.Evaluations(s.nodes)},
				planned(planner.Auto)})
		if s.nodes <= large.nodes {
			list = append(list, variant{"scaling", "paper", s, 1, map[string]any{"method": "printed", "starts": 1},
				oneStart(admm.Settings{Method: admm.Printed})})
		}
	}
	return list
}
