package mixing_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"

	"pgregory.net/rapid"
)

// checkDoublyStochastic recomputes row and column sums from the dense matrix.
func checkDoublyStochastic(t interface{ Errorf(string, ...any) }, name string, m *mixing.Matrix) {
	n := m.Nodes()
	dense := m.Dense()
	for i := range n {
		row, column := 0.0, 0.0
		for j := range n {
			row += dense.At(i, j)
			column += dense.At(j, i)
		}
		if math.Abs(row-1) > mixing.SumTolerance || math.Abs(column-1) > mixing.SumTolerance {
			t.Errorf("%s n=%d: row %d sums to %.17g, column to %.17g, want 1", name, n, i, row, column)
		}
	}
}

// TestEveryFamily is the contract of the list: for random parameters a family
// either gives a doubly stochastic, nonnegative, repeatable matrix of the right
// size, connected unless it is a random draw, or an error.
func TestEveryFamily(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.SampledFrom(mixing.Families).Draw(t, "family")
		p := mixing.Params{Nodes: rapid.IntRange(-1, 40).Draw(t, "nodes"),
			Seed: rapid.Uint64Range(0, math.MaxUint32).Draw(t, "seed")}
		if f.Takes(mixing.ParamDegree) {
			p.Degree = rapid.IntRange(-1, 12).Draw(t, "degree")
		}
		if f.Takes(mixing.ParamShifts) {
			p.Shifts = rapid.IntRange(-1, 12).Draw(t, "shifts")
		}
		if f.Takes(mixing.ParamRule) {
			p.Rule = rapid.SampledFrom([]string{"", "metropolis", "metropolis-hastings", "maximum-degree",
				"best-constant"}).Draw(t, "rule")
		}
		m, err := f.Build(p)
		if err != nil {
			if m != nil || !strings.HasPrefix(err.Error(), "topology: ") && !strings.HasPrefix(err.Error(), "mixing: ") {
				t.Errorf("%s %+v: matrix %v with error %q", f.Name, p, m, err)
			}
			return
		}
		if m.Nodes() != p.Nodes || !m.Nonnegative() {
			t.Errorf("%s %+v: %d nodes, nonnegative %v", f.Name, p, m.Nodes(), m.Nonnegative())
		}
		checkDoublyStochastic(t, f.Name, m)
		if !f.Takes(mixing.ParamShifts) && !m.Graph().Connected() {
			t.Errorf("%s %+v: not connected", f.Name, p)
		}
		again, err := f.Build(p)
		if err != nil || !slices.Equal(m.Self(), again.Self()) || m.Arcs() != again.Arcs() {
			t.Errorf("%s %+v: a second call gives something else (error %v)", f.Name, p, err)
		}
	})
}

// TestEveryFamilyHasDefaults builds each family from the number of nodes alone.
func TestEveryFamilyHasDefaults(t *testing.T) {
	for _, f := range mixing.Families {
		for _, n := range []int{2, 4, 8, 16, 64} {
			m, err := f.Build(mixing.Params{Nodes: n})
			if err != nil {
				t.Errorf("%s n=%d: %v", f.Name, n, err)
				continue
			}
			checkDoublyStochastic(t, f.Name, m)
		}
		if f.Doc == "" {
			t.Errorf("%s has no description", f.Name)
		}
	}
}

func TestFamiliesRefuse(t *testing.T) {
	tests := []struct {
		family string
		p      mixing.Params
		want   string
	}{
		{"ring", mixing.Params{Nodes: 0}, "number of nodes must be 1 …"},
		{"ring", mixing.Params{Nodes: 8, Degree: 3}, "family ring takes no degree; it takes nodes, rule"},
		{"exponential", mixing.Params{Nodes: 8, Rule: "metropolis"}, "takes no rule"},
		{"ring", mixing.Params{Nodes: 8, Rule: "best"}, "no weight rule \"best\"; known are metropolis,"},
		{"star", mixing.Params{Nodes: 8, Rule: "uniform"}, "node 0 has degree 7 and node 1 has degree 1"},
		{"hypercube", mixing.Params{Nodes: 12}, "power of 2"},
		{"exponential", mixing.Params{Nodes: 1 << 21}, "must be 1 … 131072"},
		{"u-equistatic", mixing.Params{Nodes: 1}, "must be 2 …"},
		{"u-equistatic", mixing.Params{Nodes: 8, Shifts: -1}, "-1 shifts"},
		{"d-equistatic", mixing.Params{Nodes: 8, Seed: 1 << 32}, "0 … 4294967295"},
		{"exponential", mixing.Params{Nodes: 1 << 17}, "would have 2228224 edges; at most 1048576"},
		{"d-equistatic", mixing.Params{Nodes: 1 << 17, Shifts: 1 << 17}, "at most 1048576"},
		{"u-equistatic", mixing.Params{Nodes: 1 << 17, Shifts: 100}, "at most 1048576"},
		{"hypercube", mixing.Params{Nodes: 1 << 17}, "has 1114112 edges; at most 1048576"},
		{"complete", mixing.Params{Nodes: 1 << 17}, "at most 1048576"},
	}
	for _, tt := range tests {
		f, err := mixing.FindFamily(tt.family)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Build(tt.p); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %+v: error %v, want one that says %q", tt.family, tt.p, err, tt.want)
		}
	}
	if _, err := mixing.FindFamily("circle"); err == nil || !strings.Contains(err.Error(), "known are ring, path, grid") {
		t.Errorf("family circle: error %v, want one that lists the families", err)
	}
	if _, err := mixing.EquiStatic(8, []int{8}, true); err == nil {
		t.Error("EquiStatic shift 8 of 8: got no error")
	}
}

// TestRulesDoNotSeeNames checks that relabelling the nodes changes no r_asym.
func TestRulesDoNotSeeNames(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for range 30 {
		n := 4 + rng.IntN(20)
		g, err := topology.Path(n) // keeps the graph connected
		if err != nil {
			t.Fatal(err)
		}
		edges := slices.Clone(g.Edges())
		for _, e := range topology.AllPairs(n) {
			if e.J-e.I > 1 && rng.IntN(4) == 0 {
				edges = append(edges, e)
			}
		}
		if g, err = topology.New(n, edges); err != nil {
			t.Fatal(err)
		}
		perm, renamed := rng.Perm(n), make([]topology.Edge, len(g.Edges()))
		for k, e := range g.Edges() {
			renamed[k] = topology.Edge{I: perm[e.I], J: perm[e.J]}
		}
		other, err := topology.New(n, renamed)
		if err != nil {
			t.Fatal(err)
		}
		for _, rule := range mixing.Rules {
			if rule.Name == "uniform" {
				continue // refuses irregular graphs
			}
			a, b := spectrum(t, mix(t, rule.Name, g)), spectrum(t, mix(t, rule.Name, other))
			if !near(a.RAsym, b.RAsym) || !near(a.Lambda2, b.Lambda2) || !near(a.LambdaN, b.LambdaN) {
				t.Errorf("%s on %v: r_asym %v, relabelled %v", rule.Name, g.Edges(), a.RAsym, b.RAsym)
			}
		}
	}
}

// TestBestConstantBeatsOtherConstants scans the constants that keep W nonnegative.
func TestBestConstantBeatsOtherConstants(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	for range 20 {
		n := 5 + rng.IntN(8)
		g, err := topology.RandomRegular(n, 4, rng.Uint64())
		if err != nil {
			t.Fatal(err)
		}
		star, err := topology.Star(n)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range []*topology.Graph{g, star} {
			best := spectrum(t, mix(t, "best-constant", g)).RAsym
			for step := range 100 {
				weights := make([]float64, len(g.Edges()))
				for k := range weights {
					weights[k] = float64(step+1) / 100 / float64(g.MaxDegree())
				}
				m, err := mixing.FromEdges(g, weights)
				if err != nil {
					t.Fatal(err)
				}
				if got := spectrum(t, m).RAsym; got < best-1e-12 {
					t.Fatalf("n=%d %v: the constant %v gives %v, the best one %v", n, g.Edges(), weights[0], got, best)
				}
			}
		}
	}
}

// TestRandomRegularMeetsFriedman: the second eigenvalue of a random d-regular graph is at most
// 2√(d−1) + o(1) with high probability (Friedman 2008), far from the value of the circulant that the generator begins
// with.
func TestRandomRegularMeetsFriedman(t *testing.T) {
	for _, d := range []int{3, 4, 8} {
		m := build(t, "random-regular", mixing.Params{Nodes: 400, Degree: d, Seed: 1})
		got := spectrum(t, m).Lambda2*float64(d+1) - 1 // of the adjacency matrix
		if limit := 2 * math.Sqrt(float64(d-1)); got > 1.02*limit {
			t.Errorf("degree %d: second eigenvalue %.4f of the adjacency matrix, want about %.4f at most", d, got, limit)
		}
	}
}

// Seeds 1 and 2 draw shifts that have a divisor in common with 12. Everybody gets the first connected draw instead.
func TestRandomFamiliesAreDrawnUntilConnected(t *testing.T) {
	f, err := mixing.FindFamily("u-equistatic")
	if err != nil {
		t.Fatal(err)
	}
	third, err := f.Build(mixing.Params{Nodes: 12, Seed: 3})
	if err != nil || !third.Graph().Connected() {
		t.Fatal(err)
	}
	for asked := uint64(1); asked <= 3; asked++ {
		w, seed, err := f.Draw(mixing.Params{Nodes: 12, Seed: asked})
		if err != nil || seed != 3 || !slices.Equal(w.Graph().Edges(), third.Graph().Edges()) {
			t.Errorf("seed %d: drawn with seed %d, error %v; want the draw of seed 3", asked, seed, err)
		}
	}
}
