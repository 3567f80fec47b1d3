package main

import (
	"fmt"

	"github.com/batopo/batopo/experiments/internal/measure"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/solve/admm"
)

// startSeeds is how many runs a comparison of starts takes: differences are smaller than the spread of the runs.
const startSeeds = 48

// warmStarts compares where the paper's iteration begins. The first weights of an annealed start are half at random
// here; the paper puts them on the graph alone, as far as it says.
func warmStarts(s size) (list []way) {
	for _, start := range []admm.Start{admm.Annealed, admm.Random, admm.Ring} {
		list = append(list, way{start.String(), startSeeds, settings{"start": start.String()},
			oneStart(admm.Settings{Start: start})})
	}
	alone := []admm.Start{admm.Annealed}
	if s.nodes <= 16 { // beyond, bounded runs take minutes of a core
		alone = append(alone, admm.Bounded)
	}
	for _, start := range alone {
		list = append(list, way{start.String() + " alone", startSeeds, settings{"start": start.String(), "share": 1},
			oneStart(admm.Settings{Start: start, Share: 1})})
	}
	return list
}

// penalties compares fixed values of ρ with one that grows.
func penalties(size) (list []way) {
	for _, rho := range []float64{0.5, 1, 2, 5, 10, 20, 50} {
		list = append(list, way{fmt.Sprintf("rho=%g", rho), 16, settings{"rho": rho, "growth": 1},
			oneStart(admm.Settings{Rho: rho, Growth: 1})})
	}
	return append(list, way{"growing", 16, settings{"rho": "default", "growth": "default"}, oneStart(admm.Settings{})})
}

// knownWeights compares the weights that come with a graph with the best on the same graph.
func knownWeights(size) (list []way) {
	for _, g := range graphs[:4] {
		list = append(list,
			way{g.name + "/metropolis", 1, settings{"family": g.name, "rule": "metropolis"}, g.once},
			way{g.name + "/best", 1, settings{"family": g.name, "rule": "best"}, rule(best).on(g.once)})
	}
	return list
}

// foundWeights does so with the graphs of the paper's method.
func foundWeights(size) []way {
	return []way{
		{"admm/as rounded", 16, settings{"polish": 1}, oneStart(admm.Settings{PolishIterations: 1})},
		{"admm/own", 16, settings{"polish": "default"}, oneStart(admm.Settings{})},
		{"admm/best", 16, settings{"polish": "default", "then": "interior point"}, rule(best).on(oneStart(admm.Settings{}))},
	}
}

// symmetries compares the search over symmetric graphs with the one over all graphs.
func symmetries(s size) (list []way) {
	for _, method := range []sweep.Method{sweep.Lift, sweep.Swap, sweep.Auto} {
		list = append(list, way{string(method), 3,
			settings{"method": method, "evaluations": measure.Evaluations(s.nodes)}, planned(method)})
	}
	return list
}

// scaling measures one solve per size; the printed linear solver only for sizes that take minutes at most.
func scaling(s size) []way {
	const bearable = 32
	list := []way{
		{"admm", 1, settings{"method": "closed form", "starts": 1}, oneStart(admm.Settings{})},
		{"auto", 1, settings{"method": "auto", "evaluations": measure.Evaluations(s.nodes)}, planned(sweep.Auto)},
		{"paper", 1, settings{"method": "printed", "starts": 1}, oneStart(admm.Settings{Method: admm.Printed})},
	}
	if s.nodes > bearable {
		return list[:2]
	}
	return list
}
