package weights_test

import (
	"math"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/topology"
)

func solve(t *testing.T, g *topology.Graph, s weights.Settings) *weights.Result {
	t.Helper()
	r, err := weights.Solve(t.Context(), g, s)
	if err != nil {
		t.Fatal(err)
	}
	checkResult(t, g, r.Weights, r, s)
	return r
}

// On an edge-transitive graph equal weights are optimal (Boyd, Diaconis and Xiao 2004), so r_asym = (μₙ − μ₂)/(μₙ + μ₂)
// with the Laplacian's extreme eigenvalues, and λ₂ = 1 − μ₂/μₙ under W ⪰ 0; the others are cited.
func TestClosedForms(t *testing.T) {
	clebsch := func(i, j int) bool { d := i ^ j; return d&(d-1) == 0 || d == 15 } // folded 5-cube
	shrikhande := func(i, j int) bool {                                           // Z₄ × Z₄ with ±(1,0), ±(0,1), ±(1,1)
		x, y := (i/4-j/4+4)%4, (i%4-j%4+4)%4
		return x == 0 && y%2 == 1 || y == 0 && x%2 == 1 || x == y && x%2 == 1
	}
	petersen := mustGraph(t, 10, [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 4}, {0, 5}, {1, 6}, {2, 7}, {3, 8}, {4, 9},
		{5, 7}, {7, 9}, {9, 6}, {6, 8}, {8, 5}})
	wagner := joined(t, 8, func(i, j int) bool { d := j - i; return d == 1 || d == 7 || d == 4 })
	family := func(build func(n int) (*topology.Graph, error), n int) *topology.Graph {
		g, err := build(n)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	cosine := math.Cos(2 * math.Pi / 8)
	none := math.NaN()
	cases := []struct {
		name                 string
		g                    *topology.Graph
		fmmc, fdla, training float64 // training: λ₂ for FMMC with W ⪰ 0
	}{
		{"C8", family(topology.Ring, 8), (1 + cosine) / (3 - cosine), (1 + cosine) / (3 - cosine), 1 - (2-2*cosine)/4},
		// The path: Boyd, Diaconis, Sun and Xiao 2006.
		{"P8", family(topology.Path, 8), math.Cos(math.Pi / 8), math.Cos(math.Pi / 8), none},
		{"K2", family(topology.Complete, 2), 0, 0, 0},
		{"K9", family(topology.Complete, 9), 0, 0, 0},
		{"K3,3", joined(t, 6, func(i, j int) bool { return (i < 3) != (j < 3) }), 1. / 3, 1. / 3, 1. / 2},
		{"octahedron", joined(t, 6, func(i, j int) bool { return j-i != 3 }), 1. / 5, 1. / 5, 1. / 3},
		{"Petersen", petersen, 3. / 7, 3. / 7, 3. / 5},
		{"Q4", family(topology.Hypercube, 16), 3. / 5, 3. / 5, 3. / 4},
		{"4×4 torus", family(topology.Torus, 16), 3. / 5, 3. / 5, 3. / 4},
		{"5-regular Clebsch", joined(t, 16, clebsch), 1. / 3, 1. / 3, 1. / 2},
		{"Shrikhande", joined(t, 16, shrikhande), 1. / 3, 1. / 3, 1. / 2},
		// The hub gives each leaf at most 1/7, so λ₂ = 6/7; with free weights 2/(μ₂ + μₙ) = 2/9.
		{"star K1,7", family(topology.Star, 8), 6. / 7, 7. / 9, 7. / 8},
		{"Wagner", wagner, math.Sqrt2 - 1, math.Sqrt2 - 1, none},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			expect := func(what string, got, want float64) {
				if !math.IsNaN(want) && !(math.Abs(got-want) <= 1e-8) {
					t.Errorf("%s is %.12g, want %.12g", what, got, want)
				}
			}
			expect("r_asym (FMMC)", solve(t, c.g, weights.Settings{}).RAsym, c.fmmc)
			expect("r_asym (FDLA)", solve(t, c.g, weights.Settings{Sign: design.Free}).RAsym, c.fdla)
			expect("λ₂ under W ⪰ 0", solve(t, c.g, weights.Settings{MinEigenvalue: pointer(0)}).Lambda2, c.training)
		})
	}
}

func TestPublishedInstances(t *testing.T) {
	var file struct {
		Instances []struct {
			Name       string
			Nodes      int
			Edges      [][2]int
			FDLA, FMMC float64
			Published  struct{ FDLA, FMMC float64 }
		}
	}
	readTestdata(t, "published.json", &file)
	if len(file.Instances) != 3 {
		t.Fatalf("%d instances, want 3", len(file.Instances))
	}
	for _, c := range file.Instances {
		t.Run(c.Name, func(t *testing.T) {
			g := mustGraph(t, c.Nodes, c.Edges)
			for setting, want := range map[design.Sign][2]float64{design.NonNegative: {c.FMMC, c.Published.FMMC},
				design.Free: {c.FDLA, c.Published.FDLA}} {
				got := solve(t, g, weights.Settings{Sign: setting}).RAsym
				if math.Abs(got-want[0]) > 1e-7 {
					t.Errorf("%s: r_asym is %.12g, want %.12g", setting, got, want[0])
				}
				if want[1] != 0 && math.Abs(got-want[1]) > 0.6e-4 {
					t.Errorf("%s: r_asym is %.6g, printed is %.4g", setting, got, want[1])
				}
			}
		})
	}
}

func TestEnumeratedOptima(t *testing.T) {
	var file struct {
		Optima []struct {
			Nodes, Edges int
			FMMC         float64
			FMMCGraph    string `json:"fmmc_graph6"`
			FDLA         float64
			FDLAGraph    string `json:"fdla_graph6"`
		}
	}
	readTestdata(t, "enumerated.json", &file)
	if len(file.Optima) < 30 {
		t.Fatalf("%d optima, want all edge counts of 4 to 7 nodes", len(file.Optima))
	}
	for _, c := range file.Optima {
		for _, side := range []struct {
			setting design.Sign
			graph6  string
			want    float64
		}{{design.NonNegative, c.FMMCGraph, c.FMMC}, {design.Free, c.FDLAGraph, c.FDLA}} {
			read, err := topology.ReadGraph6(strings.NewReader(side.graph6))
			if err != nil {
				t.Fatal(err)
			}
			if got := solve(t, read.Graph, weights.Settings{Sign: side.setting}).RAsym; math.Abs(got-side.want) > 1e-7 {
				t.Errorf("%s %s: r_asym is %.12g, want %.12g", side.setting, side.graph6, got, side.want)
			}
		}
	}
}
