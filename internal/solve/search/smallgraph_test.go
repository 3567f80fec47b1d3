package search

import (
	"math/rand/v2"
	"testing"
)

// Numbers of graphs and of connected graphs on n nodes: OEIS A000088 and A001349.
func TestAllGraphsAreCountedRight(t *testing.T) {
	all := []int{1, 2, 4, 11, 34, 156, 1044, 12346}
	connected := []int{1, 1, 2, 6, 21, 112, 853, 11117}
	for i := range all {
		n := i + 1
		graphs := allGraphs(n, n*n, n)
		if len(graphs) != all[i] {
			t.Errorf("n = %d: %d graphs, want %d", n, len(graphs), all[i])
		}
		count := 0
		for _, g := range graphs {
			if g.connected() {
				count++
			}
		}
		if count != connected[i] {
			t.Errorf("n = %d: %d connected graphs, want %d", n, count, connected[i])
		}
	}
}

// Cubic graphs on 4, 6, 8 nodes: 1, 2, 5 connected ones (OEIS A002851).
func TestAllGraphsKeepsDegreeLimits(t *testing.T) {
	for n, want := range map[int]int{4: 1, 6: 2, 8: 5} {
		count := 0
		for _, g := range allGraphs(n, 3*n/2, 3) {
			for i := range n {
				if g.degree(i) > 3 {
					t.Fatalf("n = %d: node %d of %+v has %d neighbours, at most 3 allowed", n, i, g, g.degree(i))
				}
			}
			if g.edges() == 3*n/2 && g.connected() {
				count++
			}
		}
		if count != want {
			t.Errorf("n = %d: %d connected cubic graphs, want %d", n, count, want)
		}
	}
}

func TestCanonicalFormIgnoresNames(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		g := smallGraph{n: 2 + rng.IntN(7)}
		for i := range g.n {
			for j := range i {
				if rng.IntN(2) == 0 {
					g.row[i] |= 1 << j
					g.row[j] |= 1 << i
				}
			}
		}
		var order [8]uint8
		for i, v := range rng.Perm(g.n) {
			order[i] = uint8(v)
		}
		a, b := g.canonical(), g.relabel(order).canonical()
		if a != b {
			t.Fatalf("%+v relabelled by %v: canonical forms %+v and %+v differ", g, order, a, b)
		}
		if a.edges() != g.edges() {
			t.Fatalf("%+v has %d edges, its canonical form %d", g, g.edges(), a.edges())
		}
	}
}
