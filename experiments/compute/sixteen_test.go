package main

import (
	"math"
	"slices"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/experiments/internal/ledger"
	"github.com/batopo/batopo/experiments/internal/measure"
	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/topology"
)

// With 16 edges, Algorithm 1 gives the eight fast nodes 3 edges and the eight slow ones 1. A slow node hangs on a
// fast one, so the fast ones form a connected graph with 8 edges and degrees of at most 3, and what is missing
// to 3 are slow neighbours. This looks at every such graph: no plan for r = 16 has a smaller r_asym than the
// one in the results, and none, whatever its weights, is as fast as the 2D torus: ‖Wᵏ − J‖_F is at least r_asymᵏ.
func TestNoGraphWith16EdgesIsFasterThanTheTorus(t *testing.T) {
	if testing.Short() {
		t.Skip("enumerates graphs; make deep does")
	}
	const fast, between = 8, 8
	pairs := topology.AllPairs(fast)
	best := math.Inf(1)
	labelled := map[[fast]uint64]int{} // graphs with that invariant
	first := map[[fast]uint64][between]int{}
	var chosen [between]int
	var choose func(from, count int, degree [fast]int)
	choose = func(from, count int, degree [fast]int) {
		if count == between {
			key, connected := invariant(pairs, chosen[:])
			if connected && labelled[key] == 0 {
				first[key] = chosen
				best = min(best, bestWeights(t, pairs, chosen[:], degree[:]))
			}
			if connected {
				labelled[key]++
			}
			return
		}
		for k := from; k <= len(pairs)-(between-count); k++ {
			e := pairs[k]
			if degree[e.I] == 3 || degree[e.J] == 3 {
				continue
			}
			next := degree
			next[e.I]++
			next[e.J]++
			chosen[count] = k
			choose(k+1, count+1, next)
		}
	}
	choose(0, 0, [fast]int{})
	for key, count := range labelled {
		example := first[key]
		if want := 40320 / automorphisms(pairs, example[:]); count != want {
			t.Fatalf("%d numberings share the invariant of %v, which has %d: it does not tell two graphs apart",
				count, example, want)
		}
	}
	results, err := ledger.Read[measure.Measurement]("../results", "figures")
	if err != nil {
		t.Fatal(err)
	}
	found, ok := results.Row("node-level/auto-r16")
	torus, okTorus := results.Row("node-level/torus")
	if !ok || !okTorus {
		t.Fatal("the results have no row node-level/auto-r16 or node-level/torus")
	}
	if math.Abs(found.Value.RAsym-best) > 1e-6 {
		t.Errorf("the best of %d graphs has r_asym %v, the plan in the results %v", len(first), best, found.Value.RAsym)
	}
	least := math.Ceil(math.Log(cluster.PaperTarget)/math.Log(best)) * found.Value.RoundMS
	if least <= torus.Value.TimeMS || found.Value.TimeMS < least {
		t.Errorf("16 edges take at least %v ms, in the results %v ms, the torus %v ms; "+
			"the documents say that the torus is faster", least, found.Value.TimeMS, torus.Value.TimeMS)
	}
	t.Logf("%d graphs, best r_asym %.6f, %.0f ms, at least %.0f ms with any weights; torus %.0f ms",
		len(first), best, found.Value.TimeMS, least, torus.Value.TimeMS)
}

// invariant is the same for graphs that differ only in the numbering of nodes: walks from each node by length
// and end, hashed and sorted.
func invariant(pairs []topology.Edge, chosen []int) (key [8]uint64, connected bool) {
	const n = 8
	component := [n]int{0, 1, 2, 3, 4, 5, 6, 7}
	left := n
	for _, k := range chosen {
		a, b := component[pairs[k].I], component[pairs[k].J]
		if a == b {
			continue
		}
		left--
		for i := range component {
			if component[i] == b {
				component[i] = a
			}
		}
	}
	if left > 1 {
		return key, false
	}
	for i := range n {
		walks := [n]uint64{}
		walks[i] = 1
		hash := uint64(17)
		for range n {
			var next [n]uint64
			for _, k := range chosen {
				e := pairs[k]
				next[e.I] += walks[e.J]
				next[e.J] += walks[e.I]
			}
			walks = next
			sum := uint64(0)
			for _, w := range walks {
				sum += w * w * (w + 31)
			}
			hash = hash*1000003 + walks[i]*7919 + sum
		}
		key[i] = hash
	}
	slices.Sort(key[:])
	return key, true
}

// automorphisms counts the numberings that do not change a graph.
func automorphisms(pairs []topology.Edge, chosen []int) (count int) {
	var adjacent [8][8]bool
	for _, k := range chosen {
		adjacent[pairs[k].I][pairs[k].J], adjacent[pairs[k].J][pairs[k].I] = true, true
	}
	var image [8]int
	var place func(i int, used uint)
	place = func(i int, used uint) {
		if i == len(image) {
			count++
			return
		}
	next:
		for v := range image {
			if used&(1<<v) != 0 {
				continue
			}
			for u := range i {
				if adjacent[u][i] != adjacent[image[u]][v] {
					continue next
				}
			}
			image[i] = v
			place(i+1, used|1<<v)
		}
	}
	place(0, 0)
	return count
}

// bestWeights hangs the slow nodes on the graph and returns r_asym of its best weights.
func bestWeights(t *testing.T, pairs []topology.Edge, chosen, degree []int) float64 {
	t.Helper()
	var edges []topology.Edge
	for _, k := range chosen {
		edges = append(edges, pairs[k])
	}
	slow := len(degree)
	for i, d := range degree {
		for range 3 - d {
			edges = append(edges, topology.Edge{I: i, J: slow})
			slow++
		}
	}
	g, err := topology.New(16, edges)
	if err != nil {
		t.Fatal(err)
	}
	r, err := weights.Solve(t.Context(), g, weights.Settings{NoCertificate: true})
	if err != nil {
		t.Fatal(err)
	}
	return r.RAsym
}
