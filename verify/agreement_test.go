package verify

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/bound"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/verify/internal/question"
)

// posedBy returns the limits that verify reads from a plan for the problem, as if one had been found.
func posedBy(t testing.TB, p design.Problem) question.Limits {
	t.Helper()
	k := newCheck(&design.Plan{Nodes: p.Cluster.Nodes(),
		Question: design.Question{Cluster: p.Cluster.Spec(),
			MaxEdges: p.MaxEdges, DegreeLimit: p.MaxDegree, Objective: p.Objective,
			Sign: p.Sign, Purpose: p.Purpose, MinEigenvalue: p.MinEigenvalue}}, p.Cluster)
	// The capacities of the search lie within those that verify finds for itself.
	l, err := k.posed(func(c question.Capacities) []int {
		a, err := feasible.On(p.Cluster).Allocate(t.Context(), p.MaxEdges)
		if err != nil {
			t.Fatal(err)
		}
		for l, edges := range a.Edges {
			if edges < c.Tight[l] || edges > c.Roomy[l] {
				t.Errorf("%s: the search lets resources carry %v edges, verify between %v and %v", describe(p), a.Edges, c.Tight,
					c.Roomy)
				break
			}
		}
		return a.Edges
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func describe(p design.Problem) string {
	text := fmt.Sprintf("n = %d, r = %d, degrees ≤ %d, %s", p.Cluster.Nodes(), p.MaxEdges, p.MaxDegree, p.Sign)
	if p.MinEigenvalue != nil {
		text += fmt.Sprintf(", W ⪰ %v", *p.MinEigenvalue)
	}
	return text
}

// eachProblem visits a grid of problems on homogeneous clusters.
func eachProblem(t *testing.T, visit func(p design.Problem)) {
	zero, negative := 0.0, -0.3
	for _, n := range []int{2, 3, 5, 8, 16, 32} {
		c, err := cluster.New(cluster.Homogeneous(n, cluster.PaperBandwidthGBs))
		if err != nil {
			t.Fatal(err)
		}
		all := n * (n - 1) / 2
		budgets := []int{n - 1, n, n + n/4, 3 * n / 2, 2 * n, 5 * n / 2, all - 1, all}
		slices.Sort(budgets)
		for _, r := range slices.Compact(budgets) {
			if r < n-1 || r > all {
				continue
			}
			even := (2*r + n - 1) / n
			for _, degree := range []int{0, max(2, even)} {
				for _, setting := range []design.Sign{design.NonNegative, design.Free} {
					for _, mu := range []*float64{nil, &zero, &negative} {
						visit(design.Problem{Cluster: c, MaxEdges: r, MaxDegree: degree, Objective: design.Rate,
							Purpose: design.Consensus, Sign: setting, MinEigenvalue: mu})
					}
				}
			}
		}
	}
}

// Two programs written from the same proofs give the same numbers: what package bound states is
// proved here, and the same argument proves at most 1e-6 more.
func TestAgreesWithPackageBound(t *testing.T) {
	count := map[string]int{}
	agree := func(p design.Problem, what string, l question.Limits, b *design.Bound) {
		t.Helper()
		argue, err := l.Argument(b)
		if err != nil {
			t.Errorf("%s: %s: %v", describe(p), what, err)
			return
		}
		count[fmt.Sprint(b.Kind, " ", b.Order)]++
		if got := argue(b.RAsym); got < b.RAsym-design.ClaimTolerance {
			t.Errorf("%s: %s %s of order %d is %.12g, only %.12g is proved", describe(p), what, b.Kind, b.Order, b.RAsym, got)
		}
		if best, by := largest(t, l, b); math.Abs(best-b.RAsym) > 1e-6 {
			t.Errorf("%s: %s %s of order %d is %.12g, but %+v proves %.12g",
				describe(p), what, b.Kind, b.Order, b.RAsym, by, best)
		}
	}
	eachProblem(t, func(p design.Problem) {
		posed, degree, err := bound.Problem(t.Context(), p)
		if err != nil {
			t.Fatalf("%s: %v", describe(p), err)
		}
		l := posedBy(t, p)
		agree(p, "bound", l, &posed)
		if degree != nil {
			even, err := l.Capped((2*p.MaxEdges + l.Nodes - 1) / l.Nodes)
			if err != nil {
				t.Fatalf("%s: %v", describe(p), err)
			}
			agree(p, "degree_bound", even, degree)
		}
	})
	for _, kind := range []string{"complete 0", "tree 0", "ring 0", "ball 1", "ball 2", "ball 3", "two-step 2", "walk 3",
		"walk 4"} {
		if count[kind] < 4 {
			t.Errorf("%d problems have a bound of kind and order %s, want a few: %v", count[kind], kind, count)
		}
	}
}

// largest returns the most that the argument of b proves, and with which numbers: with those stated, and with others
// where only one is free and docs/research/bounds.md says that the best was searched for, γ, η and the order of ball.
func largest(t *testing.T, l question.Limits, b *design.Bound) (float64, design.Bound) {
	t.Helper()
	best, by := math.Inf(-1), *b
	try := func(b design.Bound) {
		argue, err := l.Argument(&b)
		if err != nil {
			return // out of its range
		}
		if v := argue(1); v > best {
			best, by = v, b
		}
	}
	try(*b)
	for _, step := range []float64{-0.1, -0.01, -1e-3, 1e-3, 0.01, 0.1} {
		for _, vary := range []func(b *design.Bound){
			func(b *design.Bound) { b.Gamma *= 1 + step },
			func(b *design.Bound) { b.Eta *= 1 + step },
		} {
			varied := *b
			vary(&varied)
			if varied.Gamma != b.Gamma || varied.Eta != b.Eta {
				try(varied)
			}
		}
	}
	if b.Kind == "ball" {
		for k := 1; k <= 12; k++ {
			try(design.Bound{Kind: "ball", Order: k})
		}
	}
	return best, by
}

// The limits read from a plan are those that package bound reads from the problem, on every example.
func TestSameLimitsOnEveryExample(t *testing.T) {
	files, err := filepath.Glob("../examples/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples found: %v", err)
	}
	cuts, gates := 0, 0
	for _, name := range files {
		c, err := cluster.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		budgets, err := feasible.On(c).Budgets(t.Context(), 4)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range budgets {
			for _, degree := range []int{0, 4} {
				p := design.Problem{Cluster: c, MaxEdges: a.MaxEdges, MaxDegree: degree, Objective: design.Rate,
					Purpose: design.Consensus, Sign: design.NonNegative}
				want, err := bound.FromProblem(t.Context(), p)
				if err != nil {
					t.Fatal(err)
				}
				if best, err := want.Best(); err != nil {
					continue // the maximum degree leaves no connected graph
				} else if argue, err := posedBy(t, p).Argument(&best); err != nil || math.Abs(argue(best.RAsym)-best.RAsym) > 1e-9 {
					t.Errorf("%s, %s: bound %+v: %v", name, describe(p), best, err)
				}
				got := posedBy(t, p)
				degrees := slices.Repeat([]int{c.Nodes() - 1}, c.Nodes())
				for i := range want.Degrees {
					degrees[i] = min(degrees[i], want.Degrees[i])
				}
				slices.Sort(degrees)
				if !slices.Equal(got.Degrees, degrees) {
					t.Errorf("%s, %s: degrees %v, package bound says %v", name, describe(p), got.Degrees, degrees)
				}
				var wantCuts []question.Cut
				for _, c := range want.Cuts {
					wantCuts = append(wantCuts, question.Cut{Inside: c.Inside, Edges: c.Edges})
				}
				if !slices.Equal(got.Cuts, wantCuts) {
					t.Errorf("%s, %s: cuts %v, package bound says %v", name, describe(p), got.Cuts, wantCuts)
				}
				cuts += len(got.Cuts)
				for _, g := range want.Gates {
					b := design.Bound{Kind: design.GatewayBound, Groups: g.Groups, Together: g.Together}
					if inside, edges, err := got.Parted(&b); err != nil || inside != g.Inside || edges != g.Edges {
						t.Errorf("%s, %s: %d edges around %d nodes, %v; package bound says %+v", name, describe(p), edges, inside, err, g)
					}
					gates++
				}
			}
		}
	}
	if cuts == 0 || gates == 0 {
		t.Errorf("examples have %d cuts and %d gates", cuts, gates)
	}
}

// What rechecking one bound costs, beside what finding it cost.
func BenchmarkRecheck(b *testing.B) {
	for _, size := range []struct{ nodes, edges int }{{16, 32}, {64, 192}, {128, 448}, {1024, 5120}, {16384, 114688}} {
		for _, setting := range []design.Sign{design.NonNegative, design.Free} {
			c, err := cluster.New(cluster.Homogeneous(size.nodes, cluster.PaperBandwidthGBs))
			if err != nil {
				b.Fatal(err)
			}
			p := design.Problem{Cluster: c, MaxEdges: size.edges, Objective: design.Rate, Purpose: design.Consensus,
				Sign: setting}
			start := time.Now()
			posed, _, err := bound.Problem(b.Context(), p)
			if err != nil {
				b.Fatal(err)
			}
			search := time.Since(start)
			l := posedBy(b, p)
			b.Run(fmt.Sprintf("n=%d/edges=%d/%s", size.nodes, size.edges, posed.Kind), func(b *testing.B) {
				for b.Loop() {
					argue, err := l.Argument(&posed)
					if err != nil || argue(posed.RAsym) != posed.RAsym {
						b.Fatal("not proved")
					}
				}
				b.ReportMetric(float64(search)/(float64(b.Elapsed())/float64(b.N)), "times-faster-than-search")
			})
		}
	}
}
