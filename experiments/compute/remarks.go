package main

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/experiments/internal/ledger"
	"github.com/batopo/batopo/experiments/internal/measure"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/solve/admm"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// graphs are known ones, the one of the best literal run, one from the bounded start, and the one our search finds.
var graphs = []struct {
	name string
	once solver
}{
	{"ring", known("ring")}, {"grid", known("grid")}, {"torus", known("torus")}, {"hypercube", known("hypercube")},
	{"literal", oneStart(admm.Settings{Literal: true, Rho: 7, Seed: 16})},
	{"bounded", oneStart(admm.Settings{Literal: true, Start: admm.Bounded, Rho: 3, Seed: 1})},
	{"auto", planned(sweep.Auto)},
}

// weightSpaces is Remark 2: free weights against equal ones on the same graphs.
func weightSpaces(size) (list []way) {
	for _, g := range graphs {
		for _, r := range rules {
			list = append(list, way{g.name + "/" + r.name, 1, settings{"graph": g.name, "rule": r.name}, r.on(g.once)})
		}
	}
	return list
}

// everyGraph is Remark 2 over all graphs with that many edges.
func everyGraph(s size) []way {
	name := fmt.Sprintf("r=%d/every graph, ", s.edges)
	return []way{
		{name + "best constant", 1, settings{"graph": "every", "rule": "best constant"}, bestOfEvery},
		{name + "best", 1, settings{"graph": "every", "rule": "best"}, planned(sweep.Auto)},
	}
}

// bestOfEvery finds the least r_asym of all graphs with that many edges and one weight for all of them.
func bestOfEvery(ctx context.Context, p design.Problem, _ uint64) (best *mixing.Matrix, err error) {
	n, least := p.Cluster.Nodes(), math.Inf(1)
	pairs := topology.AllPairs(n)
	for set := range uint32(1) << len(pairs) {
		if bits.OnesCount32(set) > p.MaxEdges || bits.OnesCount32(set) < n-1 {
			continue
		}
		var edges []topology.Edge
		for k, e := range pairs {
			if set>>k&1 == 1 {
				edges = append(edges, e)
			}
		}
		g, err := topology.New(n, edges)
		if err != nil {
			return nil, err
		}
		if !slices.IsSorted(g.Degrees()) || !g.Connected() {
			continue // every graph can be numbered by degree
		}
		w, err := mixing.BestConstant(g)
		if err != nil {
			return nil, err
		}
		s, err := w.Spectrum(ctx)
		if err != nil {
			return nil, err
		}
		if s.RAsym < least {
			best, least = w, s.RAsym
		}
	}
	return best, nil
}

// limitedRuns compares the improved iteration with and without |x₁|₀ ≤ r of (28), where limits select the edges, and
// the printed one: single runs with M z = e.
func limitedRuns(o ledger.Options) (list []ledger.Task[measure.Outcomes], err error) {
	for _, s := range scenarios {
		if s.file == "" || s.name == "homogeneous" || o.Toy && !s.toy {
			continue
		}
		c, err := s.cluster(o.Root)
		if err != nil {
			return nil, err
		}
		for _, r := range s.budgets {
			for _, w := range []way{
				{name: "without", seeds: 8, once: oneStart(admm.Settings{})},
				{name: "with", seeds: 8, once: oneStart(admm.Settings{SparseWeights: true})},
				{name: "printed", seeds: 8, once: oneStart(admm.Settings{Literal: true})},
			} {
				all := settings{"cluster": s.file, "edges": r, "seeds": w.seeds, "variant": w.name}
				list = append(list, w.task(fmt.Sprintf("limits/%s r=%d/%s", s.name, r, w.name), all, measure.Problem(c, r)))
			}
		}
	}
	return list, nil
}
