package bound

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
)

func readJSON(t *testing.T, name string, into any) {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func mustBest(t *testing.T, l Limits) design.Bound {
	t.Helper()
	b, err := l.Best()
	if err != nil {
		t.Fatalf("Best(%+v): %v", l, err)
	}
	return b
}

// The ball argument alone gives the published rows; Best must not be below it.
func TestBallAtTheBudgetsOfTable1(t *testing.T) {
	var table struct {
		Rows []struct {
			Nodes, Edges   int
			Degree, Budget float64
		}
	}
	readJSON(t, "table1.json", &table)
	for _, row := range table.Rows {
		budget := Limits{Nodes: row.Nodes, MaxEdges: row.Edges}
		degree := budget.withDegrees(2 * row.Edges / row.Nodes)
		for _, c := range []struct {
			name   string
			limits Limits
			want   float64
		}{{"budget", budget, row.Budget}, {"degree", degree, row.Degree}} {
			q, err := c.limits.question()
			if err != nil {
				t.Fatal(err)
			}
			ball, _ := q.ball()
			got := ball.RAsym
			if math.Abs(got-c.want) > 0.0005 {
				t.Errorf("n=%d r=%d %s: ball bound is %.5f, want %.3f", row.Nodes, row.Edges, c.name, got, c.want)
			}
			if best := mustBest(t, c.limits); best.RAsym < got {
				t.Errorf("n=%d r=%d %s: Best is %v, below the ball bound %v", row.Nodes, row.Edges, c.name, best, got)
			}
		}
	}
}

func TestBallCountsNeighboursInWords(t *testing.T) {
	for least, want := range map[int]string{1: "at most 1 neighbour and", 2: "at most 2 neighbours and"} {
		q, err := Limits{Nodes: 8, MaxEdges: 12, Degrees: []int{least, 4, 4, 4, 4, 4, 4, 4}}.question()
		if err != nil {
			t.Fatal(err)
		}
		if ball, _ := q.ball(); !strings.Contains(ball.Detail, want) {
			t.Errorf("detail %q; want %q", ball.Detail, want)
		}
	}
}

// What the sharper arguments add at these budgets, with no limit on degrees.
func TestSharperThanBallForBudgetsAlone(t *testing.T) {
	for _, c := range []struct {
		nodes, edges int
		fmmc, fdla   float64 // at least
	}{
		{8, 12, 0.3829, 0.3779},
		{16, 32, 0.3939, 0.3829},
		{32, 80, 0.4310, 0.4236},
		{64, 96, 0.6655, 0.6509},
		{64, 160, 0.5173, 0.5113},
		{64, 192, 0.4495, 0.4449},
		{128, 448, 0.4504, 0.4472},
		{1024, 5120, 0.4167, 0.4143},
	} {
		for setting, want := range map[design.Sign]float64{design.NonNegative: c.fmmc, design.Free: c.fdla} {
			got := mustBest(t, Limits{Nodes: c.nodes, MaxEdges: c.edges, Sign: setting})
			t.Logf("n=%d r=%d %s: %.4f (%s, order %d)", c.nodes, c.edges, setting, got.RAsym, got.Kind, got.Order)
			if got.RAsym < want {
				t.Errorf("n=%d r=%d %s: bound %.5f (%s), want at least %.4f", c.nodes, c.edges, setting, got.RAsym, got.Kind, want)
			}
		}
	}
}

// Graphs whose best weights reach a bound, so that both are exact. The optimum on a strongly
// regular or distance-regular graph with adjacency eigenvalues between s and e besides d is (e−s)/(2d−e−s).
func TestTightCases(t *testing.T) {
	zero, positive, negative := 0.0, 0.2, -0.5
	for _, c := range []struct {
		name   string
		limits Limits
		want   float64
		kind   design.BoundKind
	}{
		{"C4", Limits{Nodes: 4, MaxEdges: 4}, 1.0 / 3, "ball"},
		{"C4 plus an edge", Limits{Nodes: 4, MaxEdges: 5}, 1.0 / 3, "ball"},
		{"octahedron", Limits{Nodes: 6, MaxEdges: 12}, 1.0 / 5, "ball"},
		{"K2,2,2,2", Limits{Nodes: 8, MaxEdges: 24, Sign: design.Free}, 1.0 / 7, "ball"},
		{"complete but one edge", Limits{Nodes: 30, MaxEdges: 434}, 1.0 / 29, "ball"},
		{"5-regular Clebsch", Limits{Nodes: 16, MaxEdges: 40, Sign: design.Free}, 1.0 / 3, "ball"},
		{"Petersen", Limits{Nodes: 10, MaxEdges: 15}, 3.0 / 7, "walk"},
		{"Hoffman–Singleton", Limits{Nodes: 50, MaxEdges: 175}, 1.0 / 3, "walk"},
		{"n=7, r=9", Limits{Nodes: 7, MaxEdges: 9}, math.Sqrt(2.0 / 9), "ball"},
		{"C8 among degrees of 2", Limits{Nodes: 8, MaxEdges: 8}.withDegrees(2), 0.744520838205434, "ring"},
		{"C7 among degrees of 2", Limits{Nodes: 7, MaxEdges: 7}.withDegrees(2),
			(math.Cos(2*math.Pi/7) + math.Cos(math.Pi/7)) / (2 + math.Cos(math.Pi/7) - math.Cos(2*math.Pi/7)), "ring"},
		{"star K1,7 fmmc", Limits{Nodes: 8, MaxEdges: 7}, 6.0 / 7, "tree"},
		{"star K1,7 fdla", Limits{Nodes: 8, MaxEdges: 7, Sign: design.Free}, 7.0 / 9, "tree"},
		{"star K1,7, λ_n ≥ 0", Limits{Nodes: 8, MaxEdges: 7, MinEigenvalue: &zero}, 7.0 / 8, "tree"},
		{"star K1,7, λ_n ≥ −1/2", Limits{Nodes: 8, MaxEdges: 7, MinEigenvalue: &negative, Sign: design.Free}, 13.0 / 16,
			"tree"},
		{"C8 among degrees of 2, λ_n ≥ 0", Limits{Nodes: 8, MaxEdges: 8, MinEigenvalue: &zero}.withDegrees(2),
			(1 + math.Cos(math.Pi/4)) / 2, "ring"},
		{"C4, λ_n ≥ 0", Limits{Nodes: 4, MaxEdges: 4, MinEigenvalue: &zero}, 1.0 / 2, "ball"},
		{"K20, λ_n ≥ 1/5", Limits{Nodes: 20, MaxEdges: 190, MinEigenvalue: &positive}, 0.2, "complete"},
		{"K20, λ_n ≥ −1/2", Limits{Nodes: 20, MaxEdges: 190, MinEigenvalue: &negative}, -1.0 / 19, "complete"},
		{"K20, λ_n ≥ −1/2, any weights", Limits{Nodes: 20, MaxEdges: 190, MinEigenvalue: &negative, Sign: design.Free}, -0.5,
			"complete"},
		{"K2", Limits{Nodes: 2, MaxEdges: 1}, 0, "complete"},
		{"K20", Limits{Nodes: 20, MaxEdges: 1000}, 0, "complete"},
	} {
		got := mustBest(t, c.limits)
		if math.Abs(got.RAsym-c.want) > 3*design.BoundSlack {
			t.Errorf("%s: bound %.9f, want %.9f", c.name, got.RAsym, c.want)
		}
		if got.Kind != c.kind {
			t.Errorf("%s: proved by %q, want %q", c.name, got.Kind, c.kind)
		}
	}
}

// No bound may exceed the optimum over all graphs, which is known for up to 7 nodes.
func TestNeverAboveTheOptimum(t *testing.T) {
	var optima map[string]map[string]struct{ FMMC, FDLA float64 }
	readJSON(t, "optima.json", &optima)
	const solved = 1e-8 // accuracy of the optima
	checked, exact := 0, 0
	for nodes, budgets := range optima {
		for edges, want := range budgets {
			n, _ := strconv.Atoi(nodes)
			r, _ := strconv.Atoi(edges)
			for setting, optimum := range map[design.Sign]float64{design.NonNegative: want.FMMC, design.Free: want.FDLA} {
				checked++
				got := mustBest(t, Limits{Nodes: n, MaxEdges: r, Sign: setting})
				if math.Abs(got.RAsym-optimum) < 5*solved {
					exact++
				}
				if got.RAsym > optimum+solved {
					t.Errorf("n=%d r=%d %s: bound %.10f by %q is above the optimum %.10f", n, r, setting, got.RAsym, got.Kind, optimum)
				}
				if got.RAsym < 0.85*optimum-solved {
					t.Errorf("n=%d r=%d %s: bound %.4f by %q is far below the optimum %.4f",
						n, r, setting, got.RAsym, got.Kind, optimum)
				}
			}
		}
	}
	t.Logf("%d of %d bounds are exact", exact, checked)
	if exact < 48 {
		t.Errorf("only %d of %d bounds are exact, 48 were", exact, checked)
	}
	if checked != 2*(4+7+11+16) {
		t.Errorf("%d optima in testdata, want one per budget and setting", checked)
	}
}

func TestBestRefusesWhatCannotBe(t *testing.T) {
	nan := math.NaN()
	for _, l := range []Limits{
		{Nodes: 1, MaxEdges: 5},
		{Nodes: 8, MaxEdges: 6},
		{Nodes: 8, MaxEdges: 9, Sign: "sparse"},
		{Nodes: 8, MaxEdges: 9, MinEigenvalue: &nan},
		{Nodes: 4, MaxEdges: 9, Degrees: []int{1, 1, 1}},
		{Nodes: 4, MaxEdges: 9, Degrees: []int{3, 3, 0, 3}},
		{Nodes: 4, MaxEdges: 9, Degrees: []int{1, 1, 1, 1}},
		{Nodes: 4, MaxEdges: 4, Cuts: []Cut{{"uplink", 4, 1}}},
		{Nodes: 4, MaxEdges: 4, Cuts: []Cut{{"uplink", 2, 0}}},
	} {
		if b, err := l.Best(); err == nil {
			t.Errorf("Best(%+v) = %+v, want an error", l, b)
		}
	}
}

func ExampleLimits_Best() {
	b, err := Limits{Nodes: 10, MaxEdges: 15}.Best()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("no 15 edges on 10 nodes beat %.6f (%s); the Petersen graph reaches 3/7\n", b.RAsym, b.Kind)
	// Output: no 15 edges on 10 nodes beat 0.428571 (walk); the Petersen graph reaches 3/7
}
