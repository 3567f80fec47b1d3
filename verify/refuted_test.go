package verify_test

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
	"github.com/batopo/batopo/verify"

	"gonum.org/v1/gonum/mat"
)

// statusOf is what verify says about a claim, with the hash made right again first.
func statusOf(t testing.TB, p *design.Plan, claim string) verify.Status {
	t.Helper()
	p.Hash = p.ComputeHash()
	report, err := verify.Check(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report {
		if f.Claim == claim {
			return f.Status
		}
	}
	return ""
}

// halves is a schedule or a static plan on n nodes whose lower and upper half never meet.
func halves(t testing.TB, n int) *mixing.Matrix {
	t.Helper()
	var edges []topology.Edge
	for i := range n / 2 {
		edges = append(edges, topology.Edge{I: i, J: (i + 1) % (n / 2)}, topology.Edge{I: n/2 + i, J: n/2 + (i+1)%(n/2)})
	}
	g, err := topology.New(n, edges)
	if err != nil {
		t.Fatal(err)
	}
	w, err := mixing.FromEdges(g, constant(len(g.Edges()), 1./3))
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func constant(n int, v float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}

// asSchedule makes a plan of two equal rounds of a static one, with claims of its own.
func asSchedule(p *design.Plan, rAsym float64, iterations int) *design.Plan {
	p.Rounds, p.RoundMS = append(p.Rounds, p.Rounds[0]), append(p.RoundMS, p.RoundMS[0])
	p.Lambda2, p.LambdaN, p.Notes = nil, nil, nil
	p.RAsym, p.Iterations, p.TimeMS = rAsym, iterations, float64(iterations)*p.CommunicationMS
	p.RAsymKind, p.IterationsKind = design.Estimate, design.Estimate
	return p
}

// Plans too large to be proved are still refuted where that is cheap, and what is left is listed.
func TestLargePlansAreRefutedOrListed(t *testing.T) {
	if testing.Short() {
		t.Skip("large plans; make deep does")
	}
	const n = 2100
	again := func(p *design.Plan) func() *design.Plan {
		return func() *design.Plan { return copied(reflect.ValueOf(p)).Interface().(*design.Plan) }
	}
	regular, exponential := again(familyPlan(t, "random-regular", n)), again(familyPlan(t, "exponential", n))
	oneWay := again(oneWayPlan(t, n))
	number := func(v float64) *float64 { return &v }
	for _, tc := range []struct {
		name  string
		plan  func() *design.Plan
		edit  func(p *design.Plan)
		claim string
		want  verify.Status
	}{
		{"r_asym lower", regular, func(p *design.Plan) { p.RAsym -= 1e-6 }, "r_asym", verify.False},
		{"r_asym higher", regular, func(p *design.Plan) { p.RAsym += 1e-6 }, "r_asym", verify.False},
		{"r_asym kept", regular, func(p *design.Plan) {}, "r_asym", verify.Unproved},
		{"lambda_2 lower", regular, func(p *design.Plan) { *p.Lambda2 -= 1e-6 }, "lambda_2", verify.False},
		{"lambda_n higher", regular, func(p *design.Plan) { *p.LambdaN += 1e-6 }, "lambda_n", verify.False},
		{"lambda_n missing", regular, func(p *design.Plan) { p.LambdaN = nil }, "lambda_n", verify.False},
		{"min_eigenvalue", regular, func(p *design.Plan) { p.MinEigenvalue = number(0) }, "min_eigenvalue", verify.False},
		{"training", regular, func(p *design.Plan) { p.Purpose = design.Training }, "purpose", verify.False},
		{"min_eigenvalue kept", regular, func(p *design.Plan) { p.MinEigenvalue = number(-0.99) }, "min_eigenvalue",
			verify.Unproved},
		{"iterations halved", regular, func(p *design.Plan) { p.Iterations /= 2 }, "iterations reach the target",
			verify.False},
		{"iterations doubled", regular, func(p *design.Plan) { p.Iterations *= 2 }, "iterations", verify.False},
		{"iterations kept", regular, func(p *design.Plan) {}, "iterations", verify.Unproved},
		{"iterations never", regular, func(p *design.Plan) { p.Iterations = 0 }, "iterations", verify.False},
		{"directed circulant", exponential, func(p *design.Plan) {}, "iterations are the fewest", verify.OK},
		{"directed circulant, one round less", exponential, func(p *design.Plan) { p.Iterations-- },
			"iterations reach the target", verify.False},
		{"directed circulant, one round more", exponential, func(p *design.Plan) { p.Iterations++ },
			"iterations are the fewest", verify.False},
		{"directed", oneWay, func(p *design.Plan) {}, "r_asym", verify.Unproved},
		{"directed, r_asym lower", oneWay, func(p *design.Plan) { p.RAsym = 0.9 }, "r_asym", verify.False},
		{"directed, few rounds", oneWay, func(p *design.Plan) { p.Iterations = 5 }, "iterations reach the target",
			verify.False},
		{"directed, many rounds", oneWay, func(p *design.Plan) { p.Iterations = 4000 }, "iterations are the fewest",
			verify.False},
		{"schedule that never agrees, r_asym 0", func() *design.Plan { return asSchedule(planOf(t, halves(t, n)), 0, 1) },
			func(p *design.Plan) {}, "r_asym", verify.False},
		{"schedule that never agrees, connected", func() *design.Plan { return asSchedule(planOf(t, halves(t, n)), 0, 1) },
			func(p *design.Plan) {}, "connected", verify.False},
		{"schedule that never agrees, iterations", func() *design.Plan {
			return asSchedule(planOf(t, halves(t, n)), 0.5,
				20)
		}, func(p *design.Plan) {}, "iterations reach the target", verify.False},
		{"schedule, honest", func() *design.Plan { return asSchedule(regular(), regular().RAsym, 20) },
			func(p *design.Plan) {}, "r_asym", verify.Unproved},
	} {
		p := tc.plan()
		tc.edit(p)
		if got := statusOf(t, p, tc.claim); got != tc.want {
			t.Errorf("%s: %s is %q, want %q", tc.name, tc.claim, got, tc.want)
		}
	}
}

// oneWayPlan is a directed plan without symmetry: half of what a node has stays, the rest goes to the next node and
// along a permutation without structure.
func oneWayPlan(t testing.TB, n int) *design.Plan {
	t.Helper()
	weights := map[[2]int]float64{}
	for i, j := range rand.New(rand.NewPCG(5, 6)).Perm(n) {
		weights[[2]int{i, (i + 1) % n}] += 0.25
		if i != j {
			weights[[2]int{i, j}] += 0.25
		}
	}
	var arcs []mixing.Arc
	for pair, v := range weights {
		arcs = append(arcs, mixing.Arc{From: pair[0], To: pair[1], Weight: v})
	}
	w, err := mixing.FromArcs(n, arcs)
	if err != nil {
		t.Fatal(err)
	}
	p := planOf(t, halves(t, n)) // the frame; everything that depends on W follows
	p.Directed = true
	var edges []design.PlanEdge
	p.Lambda2, p.LambdaN, p.Notes = nil, nil, nil
	for i := range n {
		from, weight := w.Row(i)
		for k, j := range from {
			edges = append(edges, design.PlanEdge{I: j, J: i, Weight: weight[k]})
		}
	}
	slices.SortFunc(edges, func(a, b design.PlanEdge) int { return cmp.Or(cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J)) })
	p.Rounds = []design.Round{{Part: 1, Edges: edges, SelfWeights: w.Self()}}
	p.RAsym, p.Iterations, p.RAsymKind, p.IterationsKind = 0.99999, 0, design.Estimate, design.Estimate
	return p
}

// Words that promise something are held to it.
func TestWordsAreHeldToWhatTheySay(t *testing.T) {
	static := func() *design.Plan { return familyPlan(t, "ring", 8) }
	for _, tc := range []struct {
		name  string
		plan  func() *design.Plan
		edit  func(p *design.Plan)
		claim string
		want  verify.Status
	}{
		{"exhausted", static, func(p *design.Plan) { p.Stop = design.Exhausted }, "stop", verify.Unproved},
		{"optimal after a search", static, func(p *design.Plan) {
			p.Stop, p.Notes = design.Converged,
				[]string{"optimal: every connected graph within the limits was looked at"}
		}, "notes", verify.False},
		{"optimal after enumeration", static, func(p *design.Plan) {
			p.Stop, p.Notes = design.Exhausted,
				[]string{"optimal: every connected graph within the limits was looked at"}
		}, "notes, bound.detail", verify.Unproved},
		{"never", static, func(p *design.Plan) { p.Notes = []string{"never reaches the target: some nodes cannot agree"} },
			"notes", verify.False},
		{"training with negative eigenvalues", static, func(p *design.Plan) { p.Purpose = design.Training }, "purpose",
			verify.False},
		{"search", static, func(p *design.Plan) {}, "method, seed, stop, settings, run", verify.Unproved},
	} {
		p := tc.plan()
		tc.edit(p)
		if got := statusOf(t, p, tc.claim); got != tc.want {
			t.Errorf("%s: %s is %q, want %q", tc.name, tc.claim, got, tc.want)
		}
	}
}

// What only a static undirected plan has is refused in any other, and what was asked for holds in every round.
func TestOtherPlansStateNoEigenvalues(t *testing.T) {
	half := 0.5
	for name, plan := range map[string]func() *design.Plan{
		"directed": func() *design.Plan { return familyPlan(t, "exponential", 8) },
		"schedule": func() *design.Plan { return schedulePlan(t, "base", 5) },
	} {
		for claim, edit := range map[string]func(p *design.Plan){
			"lambda_2":       func(p *design.Plan) { p.Lambda2 = &half },
			"lambda_n":       func(p *design.Plan) { p.LambdaN = &half },
			"min_eigenvalue": func(p *design.Plan) { p.MinEigenvalue = &half },
			"lift": func(p *design.Plan) {
				p.Lift = &topology.Lift{Orbits: 1, Size: p.Nodes,
					Arcs: []topology.Arc{{S: 1}}}
			},
			"edge budget": func(p *design.Plan) { p.MaxEdges = 1 },
			"degree limit": func(p *design.Plan) {
				p.DegreeLimit = p.MaxDegree - 1
				p.DegreeLimit = max(1, p.DegreeLimit)
			},
		} {
			p := plan()
			edit(p)
			if claim == "degree limit" && p.MaxDegree == 1 {
				continue
			}
			if got := statusOf(t, p, claim); got != verify.False {
				t.Errorf("%s: %s is %q, want it refused", name, claim, got)
			}
		}
	}
}

// An eigenvalue far below −1 is not mistaken for the all-ones vector's.
func TestEigenvaluesBelowMinusTwo(t *testing.T) {
	g, err := topology.New(4, circulant(4, 1))
	if err != nil {
		t.Fatal(err)
	}
	w, err := mixing.FromEdges(g, constant(4, 1)) // 1 − 2 + 2cos: 1, −1, −1, −3
	if err != nil {
		t.Fatal(err)
	}
	p := planOf(t, w)
	p.Sign = design.Free
	if math.Abs(*p.LambdaN+3) > 1e-12 {
		t.Fatalf("the smallest eigenvalue is %v, want −3", *p.LambdaN)
	}
	for _, claim := range []string{"r_asym", "lambda_2", "lambda_n"} {
		if got := statusOf(t, p, claim); got != verify.OK {
			t.Errorf("%s of an honest plan is %q", claim, got)
		}
	}
	*p.LambdaN, p.RAsym = -1, 1
	if got := statusOf(t, p, "lambda_n"); got != verify.False {
		t.Errorf("a hidden eigenvalue of −3: lambda_n is %q", got)
	}
}

func TestACancelledCheckListsWhatIsLeft(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	report, err := verify.Check(ctx, familyPlan(t, "ring", 8))
	if err != nil {
		t.Fatal(err)
	}
	left := 0
	for _, f := range report {
		if f.Status == verify.Unproved && strings.Contains(f.Detail, "not checked: context canceled") {
			left++
		}
	}
	if left != 5 {
		t.Errorf("%d parts are listed as not checked, want 5: %+v", left, report)
	}
}

// Rounds that make one mode large and a last one that takes it away leave of the other modes what rounding leaves:
// here nothing at all, though they shrink by a quarter per round only. All weights and sums are exact.
func TestLargeWeightsProveNothing(t *testing.T) {
	modes := [4][4]float64{{1, 1, 1, 1}, {1, -1, 1, -1}, {1, 1, -1, -1}, {1, -1, -1, 1}}
	round := func(first float64) *mixing.Matrix {
		w := mat.NewDense(4, 4, nil)
		for k, value := range []float64{1, first, 0.75, 0.75} {
			for i := range 4 {
				for j := range 4 {
					w.Set(i, j, w.At(i, j)+value*modes[k][i]*modes[k][j]/4)
				}
			}
		}
		m, err := mixing.FromDense(w)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for name, first := range map[string][]float64{
		"lost": {1 << 44, 1 << 44, 0}, "lost but for the rate": {1 << 44, 0}, "kept": {-0.5, 0.5, 0},
	} {
		s := &mixing.Schedule{}
		for _, v := range first {
			s.Rounds = append(s.Rounds, round(v))
		}
		p, err := design.NewSchedulePlan(t.Context(), hardware(t, 4), s)
		if err != nil {
			t.Fatal(err)
		}
		want := verify.False // of what float64 lost
		if name == "kept" {
			want = verify.OK
		}
		if got := statusOf(t, p, "r_asym"); got != want {
			t.Errorf("%s: r_asym %v is %q, want %q", name, p.RAsym, got, want)
		}
		p.RAsym = periodTruth(s.Rounds)
		if got := statusOf(t, p, "r_asym"); got != verify.OK {
			t.Errorf("%s: r_asym %v, the truth, is %q", name, p.RAsym, got)
		}
		if name == "lost" {
			p.Iterations, p.TimeMS = 3, 3*p.RoundMS[0]
			if got := statusOf(t, p, "iterations"); got != verify.Unproved {
				t.Errorf("%s: 3 iterations are %q, want %q", name, got, verify.Unproved)
			}
		}
	}
}

// Rounds with negative weights may bring the error below the target, far above it, and below it again: that it is
// above before the last round says nothing about earlier ones.
func TestFewestRoundsWithNegativeWeightsAreNotProved(t *testing.T) {
	pair := func(other float64) *mixing.Matrix { // on two nodes, with this eigenvalue besides 1
		w, err := mixing.FromDense(mat.NewDense(2, 2, []float64{(1 + other) / 2, (1 - other) / 2, (1 - other) / 2,
			(1 + other) / 2}))
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	s := &mixing.Schedule{Rounds: []*mixing.Matrix{pair(1e-5), pair(1e3), pair(1e-5)}}
	p, err := design.NewSchedulePlan(t.Context(), hardware(t, 2), s)
	if err != nil {
		t.Fatal(err)
	}
	p.Iterations, p.TimeMS = 3, p.RoundMS[0]+p.RoundMS[1]+p.RoundMS[2]
	if got := statusOf(t, p, "iterations are the fewest"); got != verify.Unproved {
		t.Errorf("3 rounds where one is enough: %q", got)
	}
}
