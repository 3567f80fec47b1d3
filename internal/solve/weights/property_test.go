package weights_test

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/topology"

	"pgregory.net/rapid"
)

// drawSettings draws one of the four kinds of problem.
func drawSettings(r *rapid.T) weights.Settings {
	s := weights.Settings{Sign: rapid.SampledFrom([]design.Sign{design.NonNegative, design.Free}).Draw(r, "setting")}
	if rapid.Bool().Draw(r, "limited below") {
		s.MinEigenvalue = pointer(rapid.Float64Range(-1, 0.9).Draw(r, "μ"))
	}
	return s
}

func drawGraph(t *testing.T, r *rapid.T) *topology.Graph {
	n := rapid.IntRange(2, 14).Draw(r, "nodes")
	m := rapid.IntRange(n-1, topology.Pairs(n)).Draw(r, "edges")
	return randomGraph(t, n, m, rapid.Uint64().Draw(r, "seed"))
}

// Trees, leaves, bipartite and complete graphs all occur among these.
func TestAnyGraph(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := drawSettings(r)
		result := solve(t, drawGraph(t, r), s)
		for k, w := range result.Weights {
			if (w == 0) != slices.Contains(result.ZeroEdges, k) {
				r.Fatalf("weight %d is %g, but ZeroEdges is %v", k, w, result.ZeroEdges)
			}
		}
		if t.Failed() {
			r.FailNow()
		}
	})
}

func TestLaws(t *testing.T) {
	const close = 1e-8 // two solves, each to 1e-9
	rapid.Check(t, func(r *rapid.T) {
		g, s := drawGraph(t, r), drawSettings(r)
		value := func(g *topology.Graph, s weights.Settings) float64 {
			result, err := weights.Solve(t.Context(), g, s)
			if err != nil {
				r.Fatal(err)
			}
			return result.Value(s)
		}
		base := value(g, s)
		perm, renamed := rand.New(rand.NewPCG(1, 2)).Perm(g.Nodes()), make([]topology.Edge, len(g.Edges()))
		for k, e := range g.Edges() {
			renamed[k] = topology.Edge{I: perm[e.I], J: perm[e.J]}
		}
		other, err := topology.New(g.Nodes(), renamed)
		if err != nil {
			r.Fatal(err)
		}
		if relabelled := value(other, s); math.Abs(relabelled-base) > close {
			r.Errorf("value is %.12g, after renaming nodes %.12g", base, relabelled)
		}
		free := s
		free.Sign = design.Free
		if v := value(g, free); v > base+close {
			r.Errorf("free weights reach %.12g, nonnegative ones %.12g", v, base)
		}
		if s.MinEigenvalue != nil {
			tighter := s
			tighter.MinEigenvalue = pointer(*s.MinEigenvalue + 0.05)
			if v := value(g, tighter); v < base-close {
				r.Errorf("μ = %g gives %.12g, μ = %g gives %.12g", *s.MinEigenvalue, base, *tighter.MinEigenvalue, v)
			}
		}
		if edges := g.Edges(); len(edges) < topology.Pairs(g.Nodes()) {
			for _, e := range topology.AllPairs(g.Nodes()) {
				if _, present := g.EdgeIndex(e.I, e.J); !present {
					more, err := topology.New(g.Nodes(), append(slices.Clone(edges), e))
					if err != nil {
						r.Fatal(err)
					}
					if v := value(more, s); v > base+close {
						r.Errorf("value is %.12g, with one more edge %.12g", base, v)
					}
					break
				}
			}
		}
	})
}

func TestUnusedEdgesAreReported(t *testing.T) {
	g := randomGraph(t, 32, 80, 1)
	r := solve(t, g, weights.Settings{})
	if len(r.ZeroEdges) == 0 {
		t.Fatal("no edge is unused, which is not usual for a random graph")
	}
	var used [][2]int
	for k, e := range g.Edges() {
		if !slices.Contains(r.ZeroEdges, k) {
			used = append(used, [2]int{e.I, e.J})
		}
	}
	less := solve(t, mustGraph(t, 32, used), weights.Settings{})
	if math.Abs(less.RAsym-r.RAsym) > 1e-8 {
		t.Errorf("r_asym is %.12g with and %.12g without the unused edges %v", r.RAsym, less.RAsym, r.ZeroEdges)
	}
	if len(less.ZeroEdges) > 0 {
		t.Errorf("without unused edges, edges %v are still unused", less.ZeroEdges)
	}
}

func TestCutoff(t *testing.T) {
	g := randomGraph(t, 24, 60, 1)
	best := solve(t, g, weights.Settings{})
	hopeless, err := weights.Solve(t.Context(), g, weights.Settings{Cutoff: best.RAsym - 0.05})
	if err != nil {
		t.Fatal(err)
	}
	if hopeless.Stop != design.Rejected || hopeless.Iterations >= best.Iterations {
		t.Errorf("stop is %q after %d iterations; want %q before %d",
			hopeless.Stop, hopeless.Iterations, design.Rejected, best.Iterations)
	}
	if hopeless.Bound <= best.RAsym-0.05 || denseBound(t, hopeless.Certificate, g) <= best.RAsym-0.05 {
		t.Errorf("rejected, but only %.9g is proved", hopeless.Bound)
	}
	if kept := solve(t, g, weights.Settings{Cutoff: best.RAsym + 1e-7}); kept.RAsym != best.RAsym {
		t.Errorf("a cutoff out of reach changes r_asym from %.15g to %.15g", best.RAsym, kept.RAsym)
	}
}

func TestCancelledSolveIsValid(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	g := randomGraph(t, 12, 20, 3)
	r, err := weights.Solve(ctx, g, weights.Settings{Progress: func(p design.Progress) {
		if p.Done == 3 {
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Stop != design.Interrupted || r.Iterations != 3 {
		t.Errorf("stop is %q after %d iterations, want %q after 3", r.Stop, r.Iterations, design.Interrupted)
	}
	if !(r.Bound <= r.RAsym && r.RAsym < 1) || r.Bound > denseBound(t, r.Certificate, g)+1e-11 {
		t.Errorf("r_asym %.9g, bound %.9g, certificate proves %.9g", r.RAsym, r.Bound, denseBound(t, r.Certificate, g))
	}
}

func TestSameBytesTwiceAndWithProgress(t *testing.T) {
	g := randomGraph(t, 20, 45, 9)
	first := solve(t, g, weights.Settings{})
	steps := 0
	second := solve(t, g, weights.Settings{Progress: func(p design.Progress) {
		if p.Best < p.Bound {
			t.Errorf("iteration %d: value %.12g is below bound %.12g", p.Done, p.Best, p.Bound)
		}
		steps++
	}})
	if !reflect.DeepEqual(first, second) {
		t.Errorf("two solves differ: %+v and %+v", first, second)
	}
	if steps != first.Iterations+1 {
		t.Errorf("%d reports for %d iterations", steps, first.Iterations)
	}
}

func TestRefusals(t *testing.T) {
	split := mustGraph(t, 4, [][2]int{{0, 1}, {2, 3}})
	path := mustGraph(t, 3, [][2]int{{0, 1}, {1, 2}})
	lift := topology.Lift{Orbits: 2, Size: 4, Arcs: []topology.Arc{{A: 0, B: 1, S: 2}}}
	for _, c := range []struct {
		name, want string
		solve      func() (*weights.Result, error)
	}{
		{"one node", "at least 2", func() (*weights.Result, error) {
			return weights.Solve(t.Context(), mustGraph(t, 1, nil), weights.Settings{})
		}},
		{"two parts", "2 components", func() (*weights.Result,
			error) {
			return weights.Solve(t.Context(), split, weights.Settings{})
		}},
		{"setting", `"fdlq"`, func() (*weights.Result, error) {
			return weights.Solve(t.Context(), path, weights.Settings{Sign: "fdlq"})
		}},
		{"limit", "below 1", func() (*weights.Result, error) {
			return weights.Solve(t.Context(), path, weights.Settings{MinEigenvalue: pointer(1)})
		}},
		{"limit NaN", "below 1", func() (*weights.Result, error) {
			return weights.Solve(t.Context(), path, weights.Settings{MinEigenvalue: pointer(math.NaN())})
		}},
		{"tolerance", "positive", func() (*weights.Result, error) {
			return weights.Solve(t.Context(), path, weights.Settings{Tolerance: -1})
		}},
		{"split lift", "does not connect", func() (*weights.Result,
			error) {
			return weights.SolveLift(t.Context(), lift, weights.Settings{})
		}},
		{"arc not canonical", "not canonical", func() (*weights.Result, error) {
			return weights.SolveLift(t.Context(), topology.Lift{Orbits: 1, Size: 5, Arcs: []topology.Arc{{S: 4}}},
				weights.Settings{})
		}},
		{"lift of one node", "at least 2", func() (*weights.Result, error) {
			return weights.SolveLift(t.Context(), topology.Lift{Orbits: 1, Size: 1}, weights.Settings{})
		}},
	} {
		if _, err := c.solve(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error is %v, want one with %q", c.name, err, c.want)
		}
	}
}
