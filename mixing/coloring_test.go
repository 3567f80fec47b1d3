package mixing_test

import (
	"math/rand/v2"
	"testing"

	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// randomGraph joins every pair with probability p.
func randomGraph(rng *rand.Rand, n int, p float64) *topology.Graph {
	var edges []topology.Edge
	for _, e := range topology.AllPairs(n) {
		if rng.Float64() < p {
			edges = append(edges, e)
		}
	}
	g, err := topology.New(n, edges)
	if err != nil {
		panic(err)
	}
	return g
}

// checkColoring fails unless colours are proper, in range and at most Δ+1.
func checkColoring(t *testing.T, name string, g *topology.Graph) (count int) {
	t.Helper()
	colors, count := mixing.ColorEdges(g)
	if count > g.MaxDegree()+1 {
		t.Errorf("%s: %d colours, largest degree %d", name, count, g.MaxDegree())
	}
	type end struct{ node, color int }
	seen := map[end]topology.Edge{}
	for k, e := range g.Edges() {
		if colors[k] < 0 || colors[k] >= count {
			t.Fatalf("%s: edge %v has colour %d of %d", name, e, colors[k], count)
		}
		for _, v := range []int{e.I, e.J} {
			if other, twice := seen[end{v, colors[k]}]; twice {
				t.Fatalf("%s: edges %v and %v meet in node %d and share colour %d", name, e, other, v, colors[k])
			}
			seen[end{v, colors[k]}] = e
		}
	}
	return count
}

func TestColorEdgesIsProper(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for trial := range 300 {
		n := 1 + rng.IntN(40)
		g := randomGraph(rng, n, rng.Float64())
		checkColoring(t, "random graph", g)
		if t.Failed() {
			t.Fatalf("trial %d: n = %d, edges %v", trial, n, g.Edges())
		}
	}
}

// TestColorEdgesKnownClasses checks graphs whose chromatic index is known:
// bipartite Δ (Kőnig 1916), K₂ₘ Δ, K₂ₘ₊₁ and Petersen Δ+1 (Fiorini and Wilson 1977).
func TestColorEdgesKnownClasses(t *testing.T) {
	must := func(g *topology.Graph, err error) *topology.Graph {
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	lift := func(orbits, size int, arcs ...topology.Arc) *topology.Graph {
		l, err := topology.NewLift(orbits, size, arcs)
		if err != nil {
			t.Fatal(err)
		}
		g, _ := l.Graph()
		return g
	}
	petersen := lift(2, 5, topology.Arc{A: 0, B: 0, S: 1}, topology.Arc{A: 1, B: 1, S: 2}, topology.Arc{A: 0, B: 1})
	cases := []struct {
		name string
		g    *topology.Graph
		want int
	}{
		{"single node", must(topology.New(1, nil)), 0},
		{"one edge", must(topology.Path(2)), 1},
		{"path of 9", must(topology.Path(9)), 2},
		{"ring of 8", must(topology.Ring(8)), 2},
		{"ring of 9", must(topology.Ring(9)), 3},
		{"star of 20", must(topology.Star(20)), 19},
		{"hypercube Q6", must(topology.Hypercube(64)), 6},
		{"torus of 64", must(topology.Torus(64)), 4},
		{"K4", must(topology.Complete(4)), 3},
		{"K16", must(topology.Complete(16)), 15},
		{"K9", must(topology.Complete(9)), 9},
		{"K33", must(topology.Complete(33)), 33},
		{"Petersen", petersen, 4},
		{"circulant 16: 1, 6", lift(1, 16, topology.Arc{S: 1}, topology.Arc{S: 6}), 4},
		{"circulant 15: 1, 4 (odd order)", lift(1, 15, topology.Arc{S: 1}, topology.Arc{S: 4}), 5},
	}
	for _, c := range cases {
		if got := checkColoring(t, c.name, c.g); got != c.want {
			t.Errorf("%s: %d colours, want %d", c.name, got, c.want)
		}
	}
}

// TestColorEdgesUsuallyNeedsNoExtraColor: random regular graphs of even order almost
// all have chromatic index Δ (Robinson and Wormald 1992), and an extra round costs time.
func TestColorEdgesUsuallyNeedsNoExtraColor(t *testing.T) {
	for seed := range uint64(20) {
		for _, d := range []int{3, 4, 7} {
			g, err := topology.RandomRegular(64, d, seed)
			if err != nil {
				t.Fatal(err)
			}
			if got := checkColoring(t, "random regular", g); got != d {
				t.Errorf("random %d-regular graph on 64 nodes, seed %d: %d colours, want %d", d, seed, got, d)
			}
		}
	}
}

func TestTurnsHoldEveryArcOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	exponential := func(n int) *mixing.Matrix {
		w, err := mixing.Exponential(n)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	matrices := []*mixing.Matrix{exponential(2), exponential(7), exponential(16), exponential(100)}
	for range 50 {
		w, err := mixing.Metropolis(randomGraph(rng, 2+rng.IntN(30), rng.Float64()))
		if err != nil {
			t.Fatal(err)
		}
		matrices = append(matrices, w)
	}
	for _, w := range matrices {
		turns := w.Turns()
		most := 0
		for _, d := range w.Degrees() {
			most = max(most, d)
		}
		if w.Directed() && len(turns) != most || len(turns) > most+1 {
			t.Errorf("n = %d: %d turns for degree %d, directed %v", w.Nodes(), len(turns), most, w.Directed())
		}
		arcs := map[[2]int]float64{}
		for k, turn := range turns {
			if len(turn) == 0 {
				t.Errorf("n = %d: turn %d is empty", w.Nodes(), k)
			}
			sends, receives := map[int]bool{}, map[int]bool{}
			for _, a := range turn {
				if sends[a.From] || receives[a.To] {
					t.Errorf("n = %d: turn %d uses a node twice at %d→%d", w.Nodes(), k, a.From, a.To)
				}
				sends[a.From], receives[a.To] = true, true
				arcs[[2]int{a.To, a.From}] = a.Weight
			}
			if !w.Directed() && len(sends) != len(turn) {
				t.Errorf("n = %d: turn %d is not a matching", w.Nodes(), k)
			}
		}
		if len(arcs) != w.Arcs() {
			t.Errorf("n = %d: %d different arcs in turns, W has %d", w.Nodes(), len(arcs), w.Arcs())
		}
		for at, weight := range arcs {
			if have, ok := w.At(at[0], at[1]); !ok || have != weight {
				t.Errorf("n = %d: arc %d→%d has weight %v in its turn, %v in W", w.Nodes(), at[1], at[0], weight, have)
			}
		}
	}
}
