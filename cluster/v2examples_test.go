package cluster_test

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// Examples that are no tree, in both versions: the same candidates, prices and budgets.
func TestExamplesOfBothVersionsCostTheSame(t *testing.T) {
	files, err := filepath.Glob("../examples/v2/*.yaml")
	if err != nil || len(files) < 3 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	for _, file := range files {
		second, err := cluster.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		first := load(t, name)
		candidates := first.Candidates()
		if len(candidates) != second.CandidateCount() {
			t.Fatalf("%s: %d candidates, in version 2 %d", name, len(candidates), second.CandidateCount())
		}
		rng := rand.New(rand.NewPCG(5, 5))
		priced := 0
		for range 60 {
			var edges []topology.Edge
			for _, k := range rng.Perm(len(candidates))[:1+rng.IntN(len(candidates))] {
				edges = append(edges, candidates[k])
			}
			w := even(t, first.Nodes(), edges)
			a, err := cost.Gossip(first, w)
			b, err2 := cost.Gossip(second, w)
			if (err == nil) != (err2 == nil) {
				t.Fatalf("%s: %v, in version 2 %v", name, err, err2)
			}
			if err != nil {
				continue // more edges than a resource carries
			}
			priced++
			closeTo(t, name, b.CommunicationMS, a.CommunicationMS)
			closeTo(t, name, b.MinEdgeGBs, a.MinEdgeGBs)
		}
		if priced < 10 {
			t.Errorf("%s: only %d rounds have a price", name, priced)
		}
		a, b := budgets(t, first), budgets(t, second)
		for k := range a {
			closeTo(t, name+" unit", b[k].UnitGBs, a[k].UnitGBs)
			if a[k].MaxEdges != b[k].MaxEdges {
				t.Errorf("%s: budget %d has %d edges, in version 2 %d", name, k, a[k].MaxEdges, b[k].MaxEdges)
			}
		}
	}
}

// even gives all edges the same weight.
func even(t *testing.T, nodes int, edges []topology.Edge) *mixing.Matrix {
	t.Helper()
	g, err := topology.New(nodes, edges)
	if err != nil {
		t.Fatal(err)
	}
	weight := make([]float64, len(edges))
	for k := range weight {
		weight[k] = 0.01
	}
	w, err := mixing.FromEdges(g, weight)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func budgets(t *testing.T, c *cluster.Cluster) []feasible.Allocation {
	t.Helper()
	all, err := feasible.On(c).Budgets(t.Context(), 3)
	if err != nil {
		t.Fatal(err)
	}
	return all
}
