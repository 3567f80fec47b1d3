package main

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"github.com/batopo/batopo/admm"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/experiments/internal/ledger"
	"github.com/batopo/batopo/experiments/internal/measure"
	"github.com/batopo/batopo/internal/spectral"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/planner"
	"github.com/batopo/batopo/topology"
)

// A rule gives a graph weights and returns r_asym.
type rule struct {
	name string
	rate func(ctx context.Context, p design.Problem, g *topology.Graph) (float64, error)
}

// rules of Remark 2: the same weight for every edge, by degree or the best, Metropolis weights, and the best of all.
var rules = []rule{
	{"equal", equalWeights(func(low, high, degree float64) float64 { return 1 / (1 + degree) })},
	{"best constant", equalWeights(func(low, high, degree float64) float64 { return min(2/(low+high), 1/degree) })},
	{"metropolis", func(ctx context.Context, _ design.Problem, g *topology.Graph) (float64, error) {
		w, err := mixing.Metropolis(g)
		if err != nil {
			return 0, err
		}
		s, err := w.Spectrum(ctx)
		return s.RAsym, err
	}},
	{"best", func(ctx context.Context, p design.Problem, g *topology.Graph) (float64, error) {
		return rate(planner.BestWeights(ctx, p, g, nil))
	}},
}

// equalWeights gives every edge the weight that follows from the extreme eigenvalues of the Laplacian and the largest
// degree.
func equalWeights(weight func(low, high, degree float64) float64) func(context.Context, design.Problem,
	*topology.Graph) (float64, error) {
	return func(_ context.Context, _ design.Problem, g *topology.Graph) (float64, error) {
		low, high, degree := extremes(g.Nodes(), g.Edges())
		w := weight(low, high, degree)
		return max(math.Abs(1-w*low), math.Abs(1-w*high)), nil
	}
}

// extremes returns the second smallest and the largest eigenvalue of the Laplacian, and the largest degree.
func extremes(n int, edges []topology.Edge) (low, high, degree float64) {
	l := spectral.NewSym(n)
	for _, e := range edges {
		l.SetSym(e.I, e.J, -1)
		l.SetSym(e.I, e.I, l.At(e.I, e.I)+1)
		l.SetSym(e.J, e.J, l.At(e.J, e.J)+1)
	}
	for i := range n {
		degree = max(degree, l.At(i, i))
	}
	values, _ := spectral.NewEigen(n).Values(l)
	return values[1], values[n-1], degree
}

// weightSpaces is Remark 2: free weights against equal ones, on the same graphs, and over all graphs with so many
// edges.
func weightSpaces() (list []variant) {
	for _, s := range []size{small, medium} {
		for _, name := range []string{"ring", "grid", "torus", "hypercube", "literal", "auto"} {
			for _, r := range rules {
				list = append(list, variant{"remark 2", name + "/" + r.name, s, 1, map[string]any{"graph": name,
					"rule": r.name}, onGraph(name, r)})
			}
		}
	}
	for edges := 5; edges <= 15; edges++ {
		s := size{6, edges}
		list = append(list,
			variant{"remark 2", fmt.Sprintf("r=%d/every graph, best constant", edges), s, 1,
				map[string]any{"graph": "every", "rule": "best constant"}, everyGraph},
			variant{"remark 2", fmt.Sprintf("r=%d/every graph, best", edges), s, 1,
				map[string]any{"graph": "every", "rule": "best"}, planned(planner.Auto)})
	}
	return list
}

// onGraph applies a rule to a known graph, to that of the best literal run, or to the one our search finds.
func onGraph(name string, r rule) solver {
	return func(ctx context.Context, p design.Problem, seed uint64) (float64, error) {
		var g *topology.Graph
		switch name {
		case "literal":
			run, err := solve(ctx, p, 16, admm.Settings{Literal: true, Rho: 7})
			if err != nil {
				return 0, err
			}
			g = run.Graph
		case "auto":
			plan, err := planner.Optimize(ctx, p, planner.Settings{Seed: seed,
				Evaluations: measure.Evaluations(p.Cluster.Nodes())})
			if err != nil {
				return 0, err
			}
			w, err := plan.Matrices()
			if err != nil {
				return 0, err
			}
			g = w[0].Graph()
		default:
			w, err := measure.Family(name, p.Cluster.Nodes())()
			if err != nil {
				return 0, err
			}
			g = w.Graph()
		}
		return r.rate(ctx, p, g)
	}
}

// everyGraph returns the least r_asym of all graphs with so many edges and one weight for all of them.
func everyGraph(_ context.Context, p design.Problem, _ uint64) (float64, error) {
	n := p.Cluster.Nodes()
	pairs := topology.AllPairs(n)
	best := 1.0
	var edges []topology.Edge
	for set := range uint32(1) << len(pairs) {
		if bits.OnesCount32(set) > p.MaxEdges || bits.OnesCount32(set) < n-1 {
			continue
		}
		edges = edges[:0]
		for k, e := range pairs {
			if set>>k&1 == 1 {
				edges = append(edges, e)
			}
		}
		if low, high, degree := extremes(n, edges); low > 1e-9 {
			w := min(2/(low+high), 1/degree)
			best = min(best, max(math.Abs(1-w*low), math.Abs(1-w*high)))
		}
	}
	return best, nil
}

// limitedRuns compares the improved iteration with and without |x₁|₀ ≤ r of (28), where limits select the edges, and
// the printed one: single runs with M z = e.
func limitedRuns(o ledger.Options) (list []ledger.Task[measure.Outcomes]) {
	const seeds = 8
	variants := []struct {
		name     string
		settings admm.Settings
	}{
		{"without", admm.Settings{}},
		{"with", admm.Settings{SparseWeights: true}},
		{"printed", admm.Settings{Literal: true}},
	}
	for _, s := range scenarios {
		if s.file == "" || s.name == "homogeneous" || o.Toy && !s.toy {
			continue
		}
		for _, r := range s.budgets {
			problem := func() (design.Problem, error) {
				c, err := s.cluster(o.Root)
				return measure.Problem(c, r), err
			}
			for _, v := range variants {
				settings := map[string]any{"cluster": s.file, "edges": r, "seeds": seeds, "variant": v.name}
				key := fmt.Sprintf("limits/%s r=%d/%s", s.name, r, v.name)
				list = append(list, runs(key, settings, seeds, problem, oneStart(v.settings)))
			}
		}
	}
	return list
}

// literals are runs of Algorithm 2 as printed, for several ρ.
func literals() (list []variant) {
	for _, s := range []size{small, medium, large} {
		for _, rho := range []float64{1, 2, 3, 5, 7, 10, 20} {
			list = append(list, variant{"printed", fmt.Sprintf("rho=%g", rho), s, 16,
				map[string]any{"literal": true, "rho": rho}, oneStart(admm.Settings{Literal: true, Rho: rho})})
		}
	}
	return list
}
