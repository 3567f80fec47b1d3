package mixing_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

func load(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

func build(t *testing.T, family string, p mixing.Params) *mixing.Matrix {
	t.Helper()
	f, err := mixing.FindFamily(family)
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Build(p)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func spectrum(t *testing.T, m *mixing.Matrix) mixing.Spectrum {
	t.Helper()
	s, err := m.Spectrum(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// near allows for the rounding of dense eigenvalue methods.
func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9 }

func TestBaselineTable(t *testing.T) {
	var rows []map[string]float64
	load(t, "baseline_rasym.json", &rows)
	for _, row := range rows {
		n := int(row["n"])
		for _, family := range []string{"ring", "grid", "torus"} {
			m := build(t, family, mixing.Params{Nodes: n})
			if got, want := spectrum(t, m).RAsym, row[family]; !near(got, want) {
				t.Errorf("%s n=%d: r_asym %.12f, want %.12f", family, n, got, want)
			}
			if want, ok := row[family+"_edges"]; ok && m.Arcs() != 2*int(want) {
				t.Errorf("%s n=%d: %d edges, want %v", family, n, m.Arcs()/2, want)
			}
		}
		m := build(t, "exponential", mixing.Params{Nodes: n})
		for _, key := range []string{"exp", "expn", "formula"} {
			if got, want := spectrum(t, m).RAsym, row[key]; !near(got, want) {
				t.Errorf("exponential n=%d: r_asym %.12f, want %.12f (%s)", n, got, want, key)
			}
		}
		if got := slices.Max(m.Degrees()); got != int(row["exp_outdeg"]) {
			t.Errorf("exponential n=%d: out-degree %d, want %v", n, got, row["exp_outdeg"])
		}
		if got := len(m.Graph().Edges()); got != int(row["exp_und"]) {
			t.Errorf("exponential n=%d: %d pairs, want %v", n, got, row["exp_und"])
		}
	}
}

// TestTableIExponentialRow checks the exponential row of Table I of the BA-Topo
// paper (Shen et al.): r_asym to the printed digit, and the time to an error of
// 1e-4, which is iterations × degree × 5.01 ms when every node sends over one link.
func TestTableIExponentialRow(t *testing.T) {
	const messageMS = 5.01
	tests := []struct {
		n      int
		rAsym  string
		timeMS float64
	}{
		{4, "0.33", 90}, {6, "0.50", 210}, {8, "0.50", 210}, {12, "0.60", 381}, {16, "0.60", 381}, {24, "0.67", 576},
		{32, "0.67", 576}, {48, "0.71", 842}, {64, "0.71", 842}, {96, "0.75", 1157}, {128, "0.75", 1157},
	}
	for _, tt := range tests {
		m := build(t, "exponential", mixing.Params{Nodes: tt.n})
		s := spectrum(t, m)
		tau := slices.Max(m.Degrees())
		if want := 1 - 2/float64(1+tau); !near(s.RAsym, want) || fmt.Sprintf("%.2f", s.RAsym) != tt.rAsym {
			t.Errorf("n=%d: r_asym %.12f, want %.12f, printed as %s", tt.n, s.RAsym, want, tt.rAsym)
		}
		k, ok, _ := s.Iterations(context.Background(), 1e-4)
		if got := math.Round(float64(k*tau) * messageMS); !ok || got != tt.timeMS {
			t.Errorf("n=%d: %d iterations × %d × %v ms = %v ms, want %v", tt.n, k, tau, messageMS, got, tt.timeMS)
		}
	}
}

// TestEquiStaticAsPublished checks the draw of Song et al. (2022) for 300 nodes, 9 shifts and seed 0.
func TestEquiStaticAsPublished(t *testing.T) {
	shifts, err := mixing.EquiStaticShifts(300, 9, 0)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{173, 48, 118, 193, 252, 196, 10, 212, 278}; !slices.Equal(shifts, want) {
		t.Errorf("shifts %v, want %v", shifts, want)
	}
	for _, tt := range []struct {
		family string
		want   float64
	}{{"u-equistatic", 0.6345}, {"d-equistatic", 0.7089}} {
		m := build(t, tt.family, mixing.Params{Nodes: 300, Shifts: 9, Seed: 0})
		if got := spectrum(t, m).RAsym; math.Abs(got-tt.want) > 5e-5 {
			t.Errorf("%s: r_asym %.6f, want %.4f", tt.family, got, tt.want)
		}
	}
	if got := spectrum(t, build(t, "exponential", mixing.Params{Nodes: 300})).RAsym; !near(got, 0.8) {
		t.Errorf("exponential: r_asym %.6f, want 0.8", got)
	}
}

func TestWeightRulesOnPublishedGraphs(t *testing.T) {
	var instances map[string]struct {
		N         int      `json:"n"`
		Edges     [][2]int `json:"edges"`
		MaxDegree float64  `json:"max_deg"`
		Hastings  float64  `json:"mh"`
		Constant  float64  `json:"best_const"`
	}
	load(t, "weight_rules.json", &instances)
	if len(instances) != 3 {
		t.Fatalf("%d instances, want 3", len(instances))
	}
	for name, in := range instances {
		edges := make([]topology.Edge, len(in.Edges))
		for k, e := range in.Edges {
			edges[k] = topology.Edge{I: e[0], J: e[1]}
		}
		g, err := topology.New(in.N, edges)
		if err != nil {
			t.Fatal(err)
		}
		for rule, want := range map[string]float64{
			"maximum-degree": in.MaxDegree, "metropolis-hastings": in.Hastings, "best-constant-unlimited": in.Constant,
		} {
			if got := spectrum(t, mix(t, rule, g)).RAsym; !near(got, want) {
				t.Errorf("%s on %s: r_asym %.12f, want %.12f", rule, name, got, want)
			}
		}
	}
}

func mix(t *testing.T, rule string, g *topology.Graph) *mixing.Matrix {
	t.Helper()
	r, err := mixing.FindRule(rule)
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.Mix(g)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// cayley joins elements of Z₄ × Z₄ (numbered 4a + b) whose difference is ± one of the given ones.
func cayley(t *testing.T, differences ...[2]int) *topology.Graph {
	t.Helper()
	var edges []topology.Edge
	for a := range 4 {
		for b := range 4 {
			for _, d := range differences {
				edges = append(edges, topology.Edge{I: 4*a + b, J: (a+d[0])%4*4 + (b+d[1])%4})
			}
		}
	}
	g, err := topology.New(16, edges)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestBestConstantClosedForms checks r_asym = (μₙ − μ₂)/(μₙ + μ₂) on graphs whose Laplacian spectrum is in
// every textbook.
func TestBestConstantClosedForms(t *testing.T) {
	must := func(g *topology.Graph, err error) *topology.Graph {
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	clebsch := func() *topology.Graph { // folded 5-cube: 4-bit words that differ in one bit or in all
		var edges []topology.Edge
		for i := range 16 {
			for _, d := range []int{1, 2, 4, 8, 15} {
				if i < i^d {
					edges = append(edges, topology.Edge{I: i, J: i ^ d})
				}
			}
		}
		return must(topology.New(16, edges))
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
	tests := []struct {
		name               string
		g                  *topology.Graph
		limited, unlimited float64
	}{
		{"C8", must(topology.Ring(8)), (2 + math.Sqrt2) / (6 - math.Sqrt2), (2 + math.Sqrt2) / (6 - math.Sqrt2)},
		{"P8", must(topology.Path(8)), math.Cos(math.Pi / 8), math.Cos(math.Pi / 8)},
		{"K3,3", lift(1, 6, topology.Arc{S: 1}, topology.Arc{S: 3}), 1. / 3, 1. / 3},
		{"octahedron", lift(1, 6, topology.Arc{S: 1}, topology.Arc{S: 2}), 1. / 5, 1. / 5},
		{"Petersen", petersen, 3. / 7, 3. / 7},
		{"Q4", must(topology.Hypercube(16)), 3. / 5, 3. / 5},
		{"4×4 torus", must(topology.Torus(16)), 3. / 5, 3. / 5},
		{"Shrikhande", cayley(t, [2]int{0, 1}, [2]int{1, 0}, [2]int{1, 1}), 1. / 3, 1. / 3},
		{"Clebsch", clebsch(), 1. / 3, 1. / 3},
		{"Wagner", lift(1, 8, topology.Arc{S: 1}, topology.Arc{S: 4}), (2 + math.Sqrt2) / (6 + math.Sqrt2),
			(2 + math.Sqrt2) / (6 + math.Sqrt2)},
		{"star K1,7", must(topology.Star(8)), 6. / 7, 7. / 9},
		{"K5", must(topology.Complete(5)), 0, 0},
		{"single node", must(topology.Path(1)), 0, 0},
	}
	for _, tt := range tests {
		for rule, want := range map[string]float64{"best-constant": tt.limited, "best-constant-unlimited": tt.unlimited} {
			m := mix(t, rule, tt.g)
			if got := spectrum(t, m).RAsym; !near(got, want) {
				t.Errorf("%s on %s: r_asym %.12f, want %.12f", rule, tt.name, got, want)
			}
			if rule == "best-constant" && !m.Nonnegative() {
				t.Errorf("best-constant on %s has a negative weight", tt.name)
			}
		}
	}
}
