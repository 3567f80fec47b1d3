package question

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// kinds returns every argument, with free numbers as they come.
func kinds(rng *rand.Rand) []*design.Bound {
	all := []*design.Bound{{Kind: "complete"}, {Kind: "tree"}, {Kind: "ring"}, {Kind: "cut"}}
	for k := 1; k <= 5; k++ {
		all = append(all, &design.Bound{Kind: "ball", Order: k})
	}
	for range 2 {
		all = append(all,
			&design.Bound{Kind: "two-step", Order: 2, Gamma: 0.5 * rng.Float64() * rng.Float64()},
			&design.Bound{Kind: "walk", Order: 3, Eta: 3 * rng.Float64()},
			&design.Bound{Kind: "walk", Order: 4, Theta: -rng.Float64() * rng.Float64(), Tau: 0.5 * rng.Float64()})
	}
	return append(all,
		&design.Bound{Kind: "two-step", Order: 2, Gamma: 2}, &design.Bound{Kind: "walk", Order: 3, Eta: 1e9},
		&design.Bound{Kind: "walk", Order: 4, Theta: 1}, &design.Bound{Kind: "walk", Order: 4, Theta: -2, Tau: 1})
}

// A matrix refutes every bound above its own value. No argument may prove one, whatever its free
// numbers are, within any limits that the matrix keeps.
func TestNoArgumentProvesMoreThanAMatrixReaches(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	closest := map[string]float64{}
	for _, m := range manyMatrices(t, rng) {
		name, w := m.name, m.w
		s, err := w.Spectrum(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range keptBy(w, s, rng) {
			value := s.RAsym
			if l.Lowest != nil {
				value = s.Lambda2
			}
			for _, b := range kinds(rng) {
				argue, err := l.Argument(b)
				if err != nil {
					continue // it does not apply
				}
				proved := argue(1)
				if proved > value+1e-9 {
					t.Errorf("%s has value %.12g, but %+v proves %.12g within %+v", name, value, *b, proved, l)
				}
				if argue(value+2e-9) > value+1e-9 {
					t.Errorf("%s has value %.12g, but %+v confirms that it is larger, within %+v", name, value, *b, l)
				}
				key := fmt.Sprint(b.Kind, " ", b.Order)
				closest[key] = max(closest[key], proved/max(value, 1e-3))
			}
		}
	}
	// The test would be idle if the arguments proved nothing: some are attained, all come near.
	for key, want := range map[string]float64{"tree 0": 1, "ring 0": 1, "ball 1": 1, "ball 2": 1, "cut 0": 0.5,
		"two-step 2": 0.9, "walk 3": 0.95, "walk 4": 0.95} {
		if closest[key] < want-1e-9 {
			t.Errorf("%s proves at most %.3f of what a matrix reaches, want %.3f", key, closest[key], want)
		}
	}
}

type named struct {
	name string
	w    *mixing.Matrix
}

// manyMatrices returns extremal and random graphs with several weights each.
func manyMatrices(t *testing.T, rng *rand.Rand) []named {
	t.Helper()
	names := []string{"Petersen", "Clebsch", "Q4", "K8 less a matching"}
	graphs := []*topology.Graph{petersen(t), cayley(t, 16, 1, 2, 4, 8, 15), cayley(t, 16, 1, 2, 4, 8),
		cayley(t, 8, 1, 2, 3, 4, 5, 6)}
	for n := 3; n <= 9; n++ {
		names = append(names, fmt.Sprint("star ", n), fmt.Sprint("ring ", n), fmt.Sprint("complete ", n))
		graphs = append(graphs, star(t, n), ring(t, n), complete(t, n))
	}
	for trial := range 6 {
		names, graphs = append(names, fmt.Sprint("random ", trial)), append(graphs, randomGraph(t, rng, 3+rng.IntN(18)))
	}
	var all []named
	for k, g := range graphs {
		add := func(rule string, w *mixing.Matrix, err error) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, named{names[k] + ", " + rule, w})
		}
		w, err := mixing.BestConstantUnlimited(g)
		add("best constant", w, err)
		w, err = mixing.Metropolis(g)
		add("Metropolis", w, err)
		lazy, uneven := make([]float64, len(g.Edges())), make([]float64, len(g.Edges()))
		for k, e := range g.Edges() {
			lazy[k] = 1 / float64(2*g.MaxDegree())
			uneven[k] = (rng.Float64() - 0.1) / float64(1+max(g.Degree(e.I), g.Degree(e.J)))
		}
		w, err = mixing.FromEdges(g, lazy)
		add("lazy", w, err)
		w, err = mixing.FromEdges(g, uneven)
		add("uneven", w, err)
	}
	return all
}

// keptBy returns limits that a matrix keeps: its own number of edges, with and without its degrees and a cut.
func keptBy(w *mixing.Matrix, s mixing.Spectrum, rng *rand.Rand) []Limits {
	n, g := w.Nodes(), w.Graph()
	own, free := slices.Sorted(slices.Values(g.Degrees())), slices.Repeat([]int{n - 1}, n)
	c := Cut{Inside: 1 + rng.IntN(n-1)}
	for _, e := range g.Edges() {
		if (e.I < c.Inside) != (e.J < c.Inside) {
			c.Edges++
		}
	}
	var all []Limits
	for _, degrees := range [][]int{own, free, slices.Repeat([]int{own[n-1]}, n)} {
		for _, lowest := range []*float64{nil, &s.LambdaN} {
			l := Limits{Nodes: n, Edges: len(g.Edges()), Degrees: degrees, Cuts: []Cut{c}, Signed: true, Lowest: lowest}
			all = append(all, l)
			if w.Nonnegative() {
				l.Signed = false
				all = append(all, l)
			}
		}
	}
	return all
}

func graphOf(t *testing.T, n int, edges []topology.Edge) *topology.Graph {
	t.Helper()
	g, err := topology.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// cayley returns the graph on bit strings 0 … n−1 whose edges differ by one of the steps.
func cayley(t *testing.T, n int, steps ...int) *topology.Graph {
	t.Helper()
	var edges []topology.Edge
	for i := range n {
		for _, s := range steps {
			if i < i^s {
				edges = append(edges, topology.Edge{I: i, J: i ^ s})
			}
		}
	}
	return graphOf(t, n, edges)
}

func complete(t *testing.T, n int) *topology.Graph {
	t.Helper()
	return graphOf(t, n, topology.AllPairs(n))
}

func star(t *testing.T, n int) *topology.Graph {
	t.Helper()
	return graphOf(t, n, topology.AllPairs(n)[:n-1])
}

func ring(t *testing.T, n int) *topology.Graph {
	t.Helper()
	var edges []topology.Edge
	for i := range n {
		edges = append(edges, topology.Edge{I: i, J: (i + 1) % n})
	}
	return graphOf(t, n, edges)
}

func petersen(t *testing.T) *topology.Graph {
	t.Helper()
	var edges []topology.Edge
	for i := range 5 {
		edges = append(edges, topology.Edge{I: i, J: (i + 1) % 5}, topology.Edge{I: i, J: 5 + i},
			topology.Edge{I: 5 + i, J: 5 + (i+2)%5})
	}
	return graphOf(t, 10, edges)
}

// randomGraph returns a random tree with random edges added.
func randomGraph(t *testing.T, rng *rand.Rand, n int) *topology.Graph {
	t.Helper()
	in := map[topology.Edge]bool{}
	for j := 1; j < n; j++ {
		in[topology.Edge{I: rng.IntN(j), J: j}] = true
	}
	pairs, density := topology.AllPairs(n), rng.Float64()*rng.Float64()
	var edges []topology.Edge
	for _, e := range pairs {
		if in[e] || rng.Float64() < density {
			edges = append(edges, e)
		}
	}
	return graphOf(t, n, edges)
}

// Free numbers outside their range, and numbers of another argument, are refused: rounding could pass for a proof.
func TestFreeNumbersOutOfRangeAreRefused(t *testing.T) {
	l := Limits{Nodes: 16, Edges: 32, Degrees: slices.Repeat([]int{15}, 16)}
	for _, b := range []design.Bound{
		{Kind: "two-step", Order: 2, Gamma: -1e-9}, {Kind: "two-step", Order: 2, Gamma: 1e40}, {Kind: "two-step",
			Order: 2, Gamma: math.NaN()},
		{Kind: "two-step", Order: 2, Gamma: 0.1, Tau: 0.1}, {Kind: "ball", Order: 1, Gamma: 0.1},
		{Kind: "walk", Order: 3, Eta: 1e300}, {Kind: "walk", Order: 3, Eta: 0.5, Theta: -0.1},
		{Kind: "walk", Order: 4, Theta: -3, Tau: 0.1}, {Kind: "walk", Order: 4, Theta: -0.1, Tau: 1e8}, {Kind: "walk",
			Order: 4, Theta: -0.1, Tau: -0.1},
	} {
		if _, err := l.Argument(&b); err == nil {
			t.Errorf("%+v is accepted", b)
		}
	}
	// Within the range but beyond what the polynomial allows: it proves nothing.
	for _, b := range []design.Bound{{Kind: "walk", Order: 3, Eta: 0.1}, {Kind: "walk", Order: 4, Theta: 0.5, Tau: 0.1}} {
		argue, err := l.Argument(&b)
		if err != nil {
			t.Fatal(err)
		}
		if got := argue(0.38); got >= 0.38 {
			t.Errorf("%+v proves %v", b, got)
		}
	}
}
