package topology_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/batopo/batopo/topology"
)

// Parts agree with the components of the graph of all edges joined so far.
func TestPartsAreComponents(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 30
	parts := topology.NewParts(n)
	for range 20 {
		parts.Reset()
		var edges []topology.Edge
		for _, e := range topology.AllPairs(n) {
			if rng.IntN(n) > 0 {
				continue
			}
			before := parts.Count()
			if joined := parts.JoinEnds(e); joined != (parts.Count() == before-1) {
				t.Fatalf("joined is %v, %d parts became %d", joined, before, parts.Count())
			}
			edges = append(edges, e)
		}
		g, err := topology.New(n, edges)
		if err != nil {
			t.Fatal(err)
		}
		count, of := g.Components()
		if parts.Count() != count {
			t.Fatalf("%d parts, want %d", parts.Count(), count)
		}
		for i := range n {
			if first := slices.Index(of, of[i]); parts.Of(i) != first {
				t.Fatalf("node %d stands for the part of node %d, want %d", parts.Of(i), i, first)
			}
			for j := range n {
				if (parts.Of(i) == parts.Of(j)) != (of[i] == of[j]) {
					t.Fatalf("nodes %d and %d: same part is %v", i, j, of[i] != of[j])
				}
			}
		}
	}
}

func TestPartsOfACloneAreItsOwn(t *testing.T) {
	parts := topology.NewParts(3)
	parts.Join(0, 1)
	other := parts.Clone()
	other.Join(1, 2)
	if parts.Count() != 2 || parts.Of(2) != 2 || other.Count() != 1 || other.Of(2) != 0 {
		t.Errorf("%d parts, and %d in a clone in which all are joined", parts.Count(), other.Count())
	}
}
