package weights_test

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/batopo/batopo/topology"
)

// mustGraph builds a graph from pairs that are right by construction.
func mustGraph(t testing.TB, n int, pairs [][2]int) *topology.Graph {
	t.Helper()
	edges := make([]topology.Edge, len(pairs))
	for k, p := range pairs {
		edges[k] = topology.Edge{I: p[0], J: p[1]}
	}
	g, err := topology.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// joined builds the graph of all pairs for which adjacent is true.
func joined(t testing.TB, n int, adjacent func(i, j int) bool) *topology.Graph {
	var pairs [][2]int
	for i := range n {
		for j := i + 1; j < n; j++ {
			if adjacent(i, j) {
				pairs = append(pairs, [2]int{i, j})
			}
		}
	}
	return mustGraph(t, n, pairs)
}

// randomGraph draws a connected graph with m edges: a Hamiltonian cycle in random order, or a random tree when m is
// n−1, and chords.
func randomGraph(t testing.TB, n, m int, seed uint64) *topology.Graph {
	rng := rand.New(rand.NewPCG(seed, 2))
	order := rng.Perm(n)
	present := map[topology.Edge]bool{}
	var pairs [][2]int
	add := func(i, j int) {
		e := topology.Edge{I: min(i, j), J: max(i, j)}
		if i != j && !present[e] {
			present[e] = true
			pairs = append(pairs, [2]int{e.I, e.J})
		}
	}
	for k := 1; k < n; k++ {
		if m < n {
			add(order[k], order[rng.IntN(k)])
		} else {
			add(order[k], order[k-1])
		}
	}
	if m >= n {
		add(order[n-1], order[0])
	}
	for len(pairs) < m {
		add(rng.IntN(n), rng.IntN(n))
	}
	return mustGraph(t, n, pairs)
}

// randomLift draws a connected lift.
func randomLift(t testing.TB, orbits, size, arcs int, seed uint64) topology.Lift {
	rng := rand.New(rand.NewPCG(seed, 3))
	for {
		shape := topology.Lift{Orbits: orbits, Size: size}
		seen := map[topology.Arc]bool{}
		var drawn []topology.Arc
		for len(drawn) < arcs {
			arc := shape.Canonical(topology.Arc{A: rng.IntN(orbits), B: rng.IntN(orbits), S: rng.IntN(size)})
			if (arc.A != arc.B || arc.S != 0) && !seen[arc] {
				seen[arc] = true
				drawn = append(drawn, arc)
			}
		}
		l, err := topology.NewLift(orbits, size, drawn)
		if err != nil {
			t.Fatal(err)
		}
		if g, _ := l.Graph(); g.Connected() {
			return l
		}
	}
}

// readTestdata decodes a file of testdata.
func readTestdata(t testing.TB, name string, into any) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func pointer(v float64) *float64 { return &v }
