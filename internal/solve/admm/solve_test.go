package admm_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/admm"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/internal/solve/scenario"
	"github.com/batopo/batopo/topology"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"
)

func solve(t testing.TB, space design.Space, s admm.Settings) *admm.Result {
	t.Helper()
	res, err := admm.Solve(context.Background(), space, s)
	if err != nil {
		t.Fatalf("n = %d, r = %d: %v", space.Nodes, space.MaxEdges, err)
	}
	checkPlan(t, space, res)
	return res
}

// checkPlan recomputes every claim of a result from W alone.
func checkPlan(t testing.TB, space design.Space, res *admm.Result) {
	t.Helper()
	if err := space.Check(res.Chosen); err != nil {
		t.Errorf("the plan breaks the space: %v", err)
	}
	n := space.Nodes
	w := res.Mixing.Dense()
	edges := 0
	for i := range n {
		sum := 0.0
		for j := range n {
			v := w.At(i, j)
			if sum += v; v < 0 {
				t.Errorf("W[%d][%d] = %v is negative", i, j, v)
			}
			if v != w.At(j, i) {
				t.Errorf("W is not symmetric at (%d, %d)", i, j)
			}
			if i < j && v > 0 {
				edges++
				k, ok := slices.BinarySearchFunc(space.Candidates, topology.Edge{I: i, J: j}, topology.Edge.Compare)
				if !ok || !res.Chosen[k] {
					t.Errorf("W uses %d–%d, which is not a chosen candidate", i, j)
				}
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("row %d of W sums to %v", i, sum)
		}
	}
	if edges > space.MaxEdges {
		t.Errorf("W has %d edges, the budget is %d", edges, space.MaxEdges)
	}
	var svd mat.SVD
	w.Apply(func(_, _ int, v float64) float64 { return v - 1/float64(n) }, w)
	if !svd.Factorize(w, mat.SVDNone) {
		t.Fatal("no singular values")
	}
	if got := svd.Values(nil)[0]; math.Abs(got-res.RAsym) > 1e-9 {
		t.Errorf("‖W − J‖₂ = %v, but the plan claims %v", got, res.RAsym)
	}
}

func readJSON(t testing.TB, name string, into any) {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err == nil {
		err = json.Unmarshal(b, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// With default settings the global optimum is met (1e-4) for at least nine budgets in ten,
// and nothing is ever better than it.
func TestSmallProblemsReachTheGlobalOptimum(t *testing.T) {
	var file struct {
		Optimum map[int]map[int]float64
	}
	readJSON(t, "exhaustive_optimum.json", &file)
	largest := 7
	switch {
	case raced:
		largest = 5
	case testing.Short():
		largest = 6 // make deep solves seven nodes too
	}
	met, total := 0, 0
	for n := 4; n <= largest; n++ {
		for r := n - 1; r <= topology.Pairs(n); r++ {
			want, ok := file.Optimum[n][r]
			if !ok {
				t.Fatalf("no reference for n = %d, r = %d", n, r)
			}
			got := solve(t, scenario.Homogeneous(n, r), admm.Settings{Seed: 1}).RAsym
			if got < want-1e-6 {
				t.Errorf("n = %d, r = %d: r_asym %v is below the optimum %v", n, r, got, want)
			}
			total++
			if got <= want+1e-4 {
				met++
			} else {
				t.Logf("n = %d, r = %d: %.6f, optimum %.6f", n, r, got, want)
			}
		}
	}
	t.Logf("optimum met for %d of %d budgets", met, total)
	if met*10 < total*9 {
		t.Errorf("the optimum is met for %d of %d budgets, want nine in ten", met, total)
	}
}

type tableRow struct {
	n, r  int
	paper float64
}

func tableOne(t testing.TB) (rows []tableRow) {
	var file struct{ Rows [][3]float64 }
	readJSON(t, "table1.json", &file)
	for _, r := range file.Rows {
		rows = append(rows, tableRow{int(r[0]), int(r[1]), r[2]})
	}
	return rows
}

// Table I up to n = 24; BenchmarkTableI goes on to 64.
func TestTableI(t *testing.T) {
	if testing.Short() {
		t.Skip("the paper's Table I at full size; make deep does")
	}
	largest := 24
	if raced {
		largest = 8
	}
	for _, row := range tableOne(t) {
		if row.n > largest {
			break
		}
		got := solve(t, scenario.Homogeneous(row.n, row.r), admm.Settings{Seed: 1, Starts: 6}).RAsym
		if got > row.paper+0.005 {
			t.Errorf("n = %d, r = %d: r_asym %.4f, the paper has %.2f", row.n, row.r, got, row.paper)
		}
	}
}

func heterogeneous() []struct {
	name  string
	space design.Space
} {
	return []struct {
		name  string
		space design.Space
	}{
		{"node-level r=16", scenario.TwoClasses(3, 1)},
		{"node-level r=32", scenario.TwoClasses(6, 2)},
		{"node-level r=48", scenario.TwoClasses(9, 3)},
		{"intra-server r=8", scenario.Server([7]int{1, 1, 1, 1, 1, 1, 2})},
		{"intra-server r=12", scenario.Server([7]int{1, 1, 1, 1, 2, 2, 4})},
		{"intra-server r=16", scenario.Server([7]int{1, 1, 1, 1, 3, 3, 6})},
		{"BCube r=24", scenario.BCube([2]int{1, 2})},
		{"BCube r=48", scenario.BCube([2]int{3, 3})},
	}
}

// The paper's heterogeneous scenarios at all their budgets: M z = e holds exactly.
func TestHeterogeneousScenariosMeetTheirLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("the paper's scenarios; make deep does")
	}
	starts := 4
	if raced {
		starts = 1
	}
	for _, h := range heterogeneous() {
		for _, exact := range []bool{true, false} {
			h.space.Exact = exact
			res := solve(t, h.space, admm.Settings{Seed: 1, Starts: starts, Iterations: 600})
			t.Logf("%s, exact %v: r_asym %.4f, %d edges, limits met %v", h.name, exact, res.RAsym, len(res.Weights), res.Met)
			if exact && !res.Met {
				t.Errorf("%s: limits must be met exactly", h.name)
			}
		}
	}
	// All 48 candidates must be used, so only the weights are left: the graph is K4 □ K4.
	if got := solve(t, scenario.BCube([2]int{3, 3}), admm.Settings{Starts: 1}).RAsym; math.Abs(got-1.0/3) > 1e-5 {
		t.Errorf("BCube with capacities (3, 3): r_asym %v, want 1/3", got)
	}
}

// The printed method solves whole problems too, to the same quality.
func TestPrintedMethodSolves(t *testing.T) {
	for _, space := range []design.Space{scenario.Homogeneous(6, 9), scenario.Server([7]int{1, 1, 1, 1, 2, 2, 4})} {
		settings := admm.Settings{Seed: 3, Starts: 2, Iterations: 200}
		fast := solve(t, space, settings)
		settings.Method = admm.Printed
		printed := solve(t, space, settings)
		if math.Abs(fast.RAsym-printed.RAsym) > 1e-4 {
			t.Errorf("n = %d: closed form ends at %.6f, printed method at %.6f", space.Nodes, fast.RAsym, printed.RAsym)
		}
	}
}

func TestResultDoesNotDependOnProcessorsOrProgress(t *testing.T) {
	space := scenario.Homogeneous(8, 12)
	settings := admm.Settings{Seed: 5, Starts: 4, Iterations: 300}
	var want *admm.Result
	for _, processors := range []int{1, 2, 4} {
		settings.Workers = processors
		calls := 0
		if processors == 2 {
			settings.Progress = func(p design.Progress) { calls++ }
		}
		got := solve(t, space, settings)
		if processors == 2 && calls == 0 {
			t.Error("no progress was reported")
		}
		settings.Progress = nil
		if want == nil {
			want = got
			continue
		}
		if !slices.Equal(got.Weights, want.Weights) || !slices.Equal(got.Chosen, want.Chosen) {
			t.Errorf("with %d processors the plan differs from that with 1", processors)
		}
		if d := cmp.Diff(want.Runs, got.Runs); d != "" {
			t.Errorf("with %d processors the runs differ (-1 +%d):\n%s", processors, processors, d)
		}
	}
}

func TestStarts(t *testing.T) {
	petersen := []topology.Edge{}
	for i := range 5 {
		petersen = append(petersen, topology.Edge{I: i, J: (i + 1) % 5}, topology.Edge{I: i, J: i + 5},
			topology.Edge{I: 5 + i, J: 5 + (i+2)%5})
	}
	graph, err := topology.New(10, petersen)
	if err != nil {
		t.Fatal(err)
	}
	for _, start := range []admm.Start{admm.Annealed, admm.Random, admm.Ring, admm.Given} {
		t.Run(start.String(), func(t *testing.T) {
			res := solve(t, scenario.Homogeneous(10, 15),
				admm.Settings{Start: start, Graph: graph, Starts: 2, Iterations: 200, Seed: 2})
			// The Petersen graph (3/7) is itself the first plan of its start.
			if start == admm.Given && res.RAsym > 3.0/7+1e-6 {
				t.Errorf("started from the Petersen graph: %v, want at most 3/7", res.RAsym)
			}
			if !strings.Contains(strings.Join(res.Notes, " "), start.String()) {
				t.Errorf("the notes do not name the start: %q", res.Notes)
			}
		})
	}
}

func TestCancellationReturnsTheBestPlanSoFar(t *testing.T) {
	space := scenario.Homogeneous(16, 32)
	ctx, cancel := context.WithCancel(context.Background())
	settings := admm.Settings{Seed: 1, Progress: func(p design.Progress) {
		if p.Feasible && p.Done >= 100 {
			cancel()
		}
	}}
	res, err := admm.Solve(ctx, space, settings)
	if err != nil {
		t.Fatal(err)
	}
	checkPlan(t, space, res)
	if res.Stop != design.Interrupted {
		t.Errorf("Stop is %q, want %q", res.Stop, design.Interrupted)
	}
	if res.Iterations > 1000 {
		t.Errorf("%d iterations after a cancellation at 100", res.Iterations)
	}
	if _, err := admm.Solve(ctx, space, settings); !errors.Is(err, admm.ErrNoPlan) || !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before the start: %v, want ErrNoPlan and context.Canceled", err)
	}
	late, cancelLate := context.WithTimeout(context.Background(), 0)
	defer cancelLate()
	if _, err := admm.Solve(late, space, admm.Settings{}); !errors.Is(err, admm.ErrNoPlan) {
		t.Errorf("time limit 0: %v, want ErrNoPlan", err)
	}
}

func TestRunsReportWhatTheyDid(t *testing.T) {
	res := solve(t, scenario.Homogeneous(8, 12), admm.Settings{Seed: 1, Starts: 6, Iterations: 400})
	if len(res.Runs) != 6 || res.Winner < 0 || res.Winner >= 6 {
		t.Fatalf("%d runs, winner %d", len(res.Runs), res.Winner)
	}
	for k, r := range res.Runs {
		if r.RAsym < res.RAsym-1e-9 {
			t.Errorf("run %d has %v, better than the result %v", k, r.RAsym, res.RAsym)
		}
		if r.RhoFirst <= 0 || r.RhoLast < r.RhoFirst ||
			r.Stop == "" || r.Err != nil {
			t.Errorf("run %d reports %+v", k, r)
		}
	}
	if first, third := res.Runs[0].RhoFirst, res.Runs[2].RhoFirst; first == third {
		t.Errorf("runs 1 and 3 begin with the same ρ = %v; it should be swept", first)
	}
}

func TestBadInputIsExplained(t *testing.T) {
	good := scenario.Homogeneous(6, 9)
	with := func(change func(s *design.Space)) design.Space {
		s := good
		change(&s)
		return s
	}
	other, err := topology.New(5, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name     string
		space    design.Space
		settings admm.Settings
		is       error
		want     string
	}{
		{name: "too few edges", space: with(func(s *design.Space) { s.MaxEdges = 4 }), want: "need at least 5 edges"},
		{name: "too many edges", space: with(func(s *design.Space) { s.MaxEdges = 16 }), want: "only 15 candidate edges"},
		{name: "disconnected", space: with(func(s *design.Space) { s.Candidates, s.MaxEdges = s.Candidates[5:], 9 }),
			want: "do not connect"},
		{name: "odd degrees", space: scenario.Degrees([]int{3, 2, 2, 2, 2, 2}), is: feasible.ErrInfeasible,
			want: "sum to 13"},
		{name: "no such degrees", space: scenario.Degrees([]int{5, 5, 5, 1, 1, 1}), is: feasible.ErrInfeasible,
			want: "Erdős and Gallai"},
		{name: "overloaded link", space: scenario.Server([7]int{1, 1, 1, 1, 3, 3, 0}), is: feasible.ErrInfeasible,
			want: "SYS"},
		{name: "negative ρ", space: good, settings: admm.Settings{Rho: -1}, want: "Rho is -1"},
		{name: "ρ not a number", space: good, settings: admm.Settings{Rho: math.NaN()}, want: "Rho is NaN"},
		{name: "weight on no graph", space: good, settings: admm.Settings{Start: admm.Random, Share: 0.5},
			want: "no graph to put it on"},
		{name: "more than all weight", space: good, settings: admm.Settings{Share: 1.5}, want: "Share is 1.5"},
		{name: "fading ρ", space: good, settings: admm.Settings{Growth: 0.9}, want: "Growth is 0.9"},
		{name: "negative starts", space: good, settings: admm.Settings{Starts: -2}, want: "Starts is -2"},
		{name: "no graph", space: good, settings: admm.Settings{Start: admm.Given}, want: "Graph"},
		{name: "wrong graph", space: good, settings: admm.Settings{Start: admm.Given, Graph: other}, want: "6 nodes"},
		{name: "ring impossible", space: scenario.BCube([2]int{1, 2}), settings: admm.Settings{Start: admm.Ring},
			want: "not a candidate"},
		{name: "unknown method", space: good, settings: admm.Settings{Method: 7}, want: "Method is 7"},
		{name: "unknown start", space: good, settings: admm.Settings{Start: 9}, want: "Start is 9"},
	} {
		_, err := admm.Solve(context.Background(), test.space, test.settings)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want an error with %q", test.name, err, test.want)
		}
		if test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("%s: %v is not %v", test.name, err, test.is)
		}
	}
}

// Larger budgets are never worse when they are solved from the smaller plan.
func TestLargerBudgetIsNotWorse(t *testing.T) {
	small := solve(t, scenario.Homogeneous(8, 10), admm.Settings{Seed: 1, Starts: 3})
	large := solve(t, scenario.Homogeneous(8, 13),
		admm.Settings{Seed: 1, Starts: 2, Start: admm.Given, Graph: small.Graph})
	if large.RAsym > small.RAsym+1e-6 {
		t.Errorf("13 edges give %v, 10 edges gave %v", large.RAsym, small.RAsym)
	}
}

// Two and three nodes: the complete graph averages in one step.
func TestTinyProblems(t *testing.T) {
	for n := 2; n <= 3; n++ {
		if got := solve(t, scenario.Homogeneous(n, topology.Pairs(n)), admm.Settings{}).RAsym; got > 1e-9 {
			t.Errorf("complete graph of %d: r_asym %v, want 0", n, got)
		}
	}
}

func ExampleSolve() {
	space := design.Space{Nodes: 6, Candidates: topology.AllPairs(6), MaxEdges: 9}
	res, err := admm.Solve(context.Background(), space, admm.Settings{Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d edges, maximum degree %d, r_asym %.4f\n", len(res.Weights), res.Graph.MaxDegree(), res.RAsym)
	// Output: 9 edges, maximum degree 3, r_asym 0.3333
}
