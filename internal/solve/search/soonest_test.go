package search

import (
	"math"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/topology"
)

// All labelled graphs on five nodes, each with its own fewest rounds.
func TestExhaustFindsTheFewestRounds(t *testing.T) {
	zero := 0.0
	for _, p := range []Problem{
		{Nodes: 5, MaxEdges: 6, Target: 1e-4},
		{Nodes: 5, MaxEdges: 7, MaxDegree: 3, Target: 1e-3},
		{Nodes: 5, MaxEdges: 6, MinEigenvalue: &zero, Target: 1e-4},
		{Nodes: 5, MaxEdges: 5, Sign: design.Free, Target: 1e-6},
	} {
		fewest := math.MaxInt
		eachLabelledGraph(t, p, func(g *topology.Graph, s weights.Settings, rate *weights.Result) {
			r, err := weights.SolveRounds(t.Context(), g, rate.Weights, p.Target, s)
			if err != nil {
				t.Fatal(err)
			}
			fewest = min(fewest, r.Rounds)
		})
		c, err := Exhaust(t.Context(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		rounds, proved, err := p.rounds(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if rounds != fewest || !proved || c.Stop != design.Exhausted {
			t.Errorf("%+v: %d rounds, proved %t, stop %q; all labelled graphs say %d", p, rounds, proved, c.Stop, fewest)
		}
	}
}

// Of the candidates that lie close together by value some other may need fewer rounds; never does the one
// chosen need more.
func TestTargetNeverCostsRounds(t *testing.T) {
	for seed := range uint64(3) {
		p := Problem{Nodes: 12, MaxEdges: 20, MaxDegree: 4}
		s := Settings{Seed: seed, Evaluations: 200_000}
		byRate, err := Run(t.Context(), p, s)
		if err != nil {
			t.Fatal(err)
		}
		p.Target = 1e-4
		byRounds, err := Run(t.Context(), p, s)
		if err != nil {
			t.Fatal(err)
		}
		before, _, err := p.rounds(t.Context(), byRate)
		if err != nil {
			t.Fatal(err)
		}
		after, _, err := p.rounds(t.Context(), byRounds)
		if err != nil {
			t.Fatal(err)
		}
		if after > before || byRounds.RAsym < byRate.RAsym {
			t.Errorf("seed %d: %d rounds and r_asym %.6f by rounds, %d and %.6f by rate",
				seed, after, byRounds.RAsym, before, byRate.RAsym)
		}
		if err := p.Check(byRounds.Graph); err != nil {
			t.Error(err)
		}
	}
}
