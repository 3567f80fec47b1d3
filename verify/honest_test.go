package verify_test

import (
	"context"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/solve/bound"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// answered is an honest plan for a problem: a graph with lazy Metropolis weights, which keep the spectrum above 0, and
// what package bound proves.
func answered(t testing.TB, p design.Problem, edges []topology.Edge) *design.Plan {
	t.Helper()
	p.Objective, p.Purpose = design.Rate, design.Consensus
	g, err := topology.New(p.Cluster.Nodes(), edges)
	if err != nil {
		t.Fatal(err)
	}
	weights := make([]float64, len(g.Edges()))
	for k, e := range g.Edges() {
		weights[k] = 0.5 / float64(1+max(g.Degree(e.I), g.Degree(e.J)))
	}
	w, err := mixing.FromEdges(g, weights)
	if err != nil {
		t.Fatal(err)
	}
	s, err := w.Spectrum(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	plan, err := design.NewPlan(context.Background(), p.Cluster, w, s)
	if err != nil {
		t.Fatal(err)
	}
	plan.Sign, plan.MinEigenvalue, plan.Purpose = p.Sign, p.MinEigenvalue, p.Purpose
	plan.MaxEdges, plan.DegreeLimit, plan.Objective = p.MaxEdges, p.MaxDegree, p.Objective
	posed, degree, err := bound.Problem(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	plan.SetBound(&posed)
	if n := plan.Nodes; degree != nil && plan.MaxDegree <= (2*p.MaxEdges+n-1)/n {
		plan.SetDegreeBound(degree)
	}
	return plan
}

// circulant joins node i to i ± s for every step s.
func circulant(n int, steps ...int) []topology.Edge {
	var edges []topology.Edge
	for _, s := range steps {
		for i := range n {
			if 2*s != n || i < s {
				edges = append(edges, topology.Edge{I: i, J: (i + s) % n})
			}
		}
	}
	return edges
}

// twoLeaves is two complete graphs of four nodes joined by one edge.
func twoLeaves() []topology.Edge {
	edges := []topology.Edge{{I: 0, J: 4}}
	for _, e := range topology.AllPairs(4) {
		edges = append(edges, e, topology.Edge{I: e.I + 4, J: e.J + 4})
	}
	return edges
}

// withoutGates is the answer as it was before the argument "gateway" was known, which says more.
func withoutGates(t testing.TB, p design.Problem, edges []topology.Edge) *design.Plan {
	t.Helper()
	plan := answered(t, p, edges)
	l, err := bound.FromProblem(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	l.Gates = nil
	b, err := l.Best()
	if err != nil {
		t.Fatal(err)
	}
	plan.SetBound(&b)
	return plan
}

// behindCards are four servers of four nodes; with 28 edges a network card carries two.
func behindCards(t testing.TB) *cluster.Cluster {
	t.Helper()
	c, err := cluster.New(cluster.Spec{Format: cluster.FormatV2, Tree: &cluster.Group{Groups: []cluster.Group{{Name: "server",
		Count: 4, Nodes: 4, NVSwitch: &cluster.Link{GBs: 300}, NICs: &cluster.NICs{Link: cluster.Link{GBs: 3}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// fourServers is a ring of four complete graphs.
func fourServers() []topology.Edge {
	edges := []topology.Edge{{I: 0, J: 4}, {I: 5, J: 8}, {I: 9, J: 12}, {I: 1, J: 13}}
	for _, e := range topology.AllPairs(4) {
		for first := 0; first < 16; first += 4 {
			edges = append(edges, topology.Edge{I: first + e.I, J: first + e.J})
		}
	}
	return edges
}

// An honest plan for every kind of bound.
func boundedPlans(t testing.TB) map[string]*design.Plan {
	t.Helper()
	zero := 0.0
	oversubscribed, err := cluster.New(cluster.Spec{LeafSpine: &cluster.LeafSpine{Leaves: 2, Hosts: 4, Host: 4,
		Uplink: 1}})
	if err != nil {
		t.Fatal(err)
	}
	petersen, err := topology.New(10, append(append(circulant(5, 1), circulant(5, 2)...), circulant(10, 5)...))
	if err != nil {
		t.Fatal(err)
	}
	certified, err := sweep.BestWeights(context.Background(),
		design.Problem{Cluster: hardware(t, 10), Purpose: design.Consensus, Sign: design.NonNegative}, petersen, nil)
	if err != nil {
		t.Fatal(err)
	}
	fmmc, fdla := design.NonNegative, design.Free
	all := map[string]*design.Plan{
		"complete": answered(t, design.Problem{Cluster: hardware(t, 5), MaxEdges: 10, Sign: fmmc},
			topology.AllPairs(5)),
		"tree": answered(t, design.Problem{Cluster: hardware(t, 6), MaxEdges: 5, Sign: fmmc},
			topology.AllPairs(6)[:5]),
		"ring": answered(t, design.Problem{Cluster: hardware(t, 7), MaxEdges: 7, MaxDegree: 2, Sign: fmmc},
			circulant(7, 1)),
		"cut":            withoutGates(t, design.Problem{Cluster: oversubscribed, MaxEdges: 13, Sign: fmmc}, twoLeaves()),
		"gateway":        answered(t, design.Problem{Cluster: oversubscribed, MaxEdges: 13, Sign: fmmc}, twoLeaves()),
		"gateway, signs": answered(t, design.Problem{Cluster: oversubscribed, MaxEdges: 13, Sign: fdla}, twoLeaves()),
		"gateway, spectrum": answered(t, design.Problem{Cluster: oversubscribed, MaxEdges: 13, Sign: fmmc,
			MinEigenvalue: &zero}, twoLeaves()),
		"gateway, servers": answered(t, design.Problem{Cluster: behindCards(t), MaxEdges: 28, Sign: fmmc}, fourServers()),
		"ball 1": answered(t, design.Problem{Cluster: hardware(t, 8), MaxEdges: 12, Sign: fdla},
			circulant(8, 1, 4)),
		"ball 2": answered(t, design.Problem{Cluster: hardware(t, 24), MaxEdges: 36, MaxDegree: 3, Sign: fmmc},
			circulant(24, 1, 12)),
		"two-step": answered(t, design.Problem{Cluster: hardware(t, 32), MaxEdges: 80, Sign: fdla},
			circulant(32, 1, 5, 16)),
		"two-step, spectrum": answered(t, design.Problem{Cluster: hardware(t, 32), MaxEdges: 64, Sign: fmmc,
			MinEigenvalue: &zero}, circulant(32, 1, 5)),
		"walk 3": answered(t, design.Problem{Cluster: hardware(t, 16), MaxEdges: 32, Sign: fmmc},
			circulant(16, 1, 4)),
		"walk 3, spectrum": answered(t, design.Problem{Cluster: hardware(t, 16), MaxEdges: 32, Sign: fmmc,
			MinEigenvalue: &zero}, circulant(16, 1, 4)),
		"walk 3, spare edge": answered(t, design.Problem{Cluster: hardware(t, 16), MaxEdges: 33, Sign: fmmc},
			circulant(16, 1, 4)),
		"walk 4": answered(t, design.Problem{Cluster: hardware(t, 24), MaxEdges: 36, Sign: fmmc},
			circulant(24, 1, 12)),
		"certificate": certified,
	}
	return all
}
