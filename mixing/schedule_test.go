package mixing_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/mat"
)

// TestEverySchedule runs the contract of a schedule over the whole list.
func TestEverySchedule(t *testing.T) {
	ring, err := topology.Ring(16)
	if err != nil {
		t.Fatal(err)
	}
	base, err := mixing.Metropolis(ring)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range mixing.Schedules {
		p := mixing.ScheduleParams{Nodes: 16, Seed: 3}
		if f.Takes(mixing.ParamBase) {
			p.Base = base
		}
		s, err := f.Build(p)
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		if s.Name != f.Name || s.Nodes() != 16 || len(s.Rounds) == 0 || f.Doc == "" {
			t.Errorf("%s: schedule %q, %d nodes, %d rounds, doc %q", f.Name, s.Name, s.Nodes(), len(s.Rounds), f.Doc)
		}
		if s.MaxDegree() != 1 {
			t.Errorf("%s: degree %d by default, want 1", f.Name, s.MaxDegree())
		}
		for k := range 3 * len(s.Rounds) {
			if s.Round(k) != s.Rounds[k%len(s.Rounds)] {
				t.Errorf("%s: round %d is not round %d of the period", f.Name, k, k%len(s.Rounds))
			}
		}
		rate, err := s.Rate(context.Background())
		if err != nil || rate < 0 || rate >= 1 {
			t.Errorf("%s: rate %v, error %v; want 0 ≤ rate < 1 on 16 nodes", f.Name, rate, err)
		}
		again, err := f.Build(p)
		if err != nil {
			t.Fatal(err)
		}
		for r := range s.Rounds {
			if !mat.Equal(s.Rounds[r].Dense(), again.Rounds[r].Dense()) {
				t.Errorf("%s: round %d differs between two builds with the same seed", f.Name, r)
			}
		}
		if found, err := mixing.FindSchedule(f.Name); err != nil || found.Name != f.Name {
			t.Errorf("FindSchedule(%q): %v, %v", f.Name, found.Name, err)
		}
	}
}

func TestScheduleErrorsSayWhatIsRight(t *testing.T) {
	exponential, err := mixing.Exponential(8)
	if err != nil {
		t.Fatal(err)
	}
	alone, err := mixing.FromArcs(3, nil)
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name   string
		params mixing.ScheduleParams
		want   string
	}{
		{"base", mixing.ScheduleParams{Nodes: 1}, "2 …"},
		{"base", mixing.ScheduleParams{Nodes: 5, Degree: 5}, "1 … 4"},
		{"base", mixing.ScheduleParams{Nodes: 5, Degree: -1}, "1 … 4"},
		{"base", mixing.ScheduleParams{Nodes: 5, Shifts: 2}, "takes nodes, degree"},
		{"hyper-hypercube", mixing.ScheduleParams{Nodes: 14, Degree: 2}, "what remains is 7"},
		{"one-peer-hypercube", mixing.ScheduleParams{Nodes: 6}, "power of 2"},
		{"one-peer-exponential", mixing.ScheduleParams{Nodes: -3}, "2 …"},
		{"od-equidyn", mixing.ScheduleParams{Nodes: 8, Eta: 1.5}, "at most 1"},
		{"od-equidyn", mixing.ScheduleParams{Nodes: 8, Eta: math.NaN()}, "at most 1"},
		{"ou-equidyn", mixing.ScheduleParams{Nodes: 8, Rounds: -1}, "1 … "},
		{"ou-equidyn", mixing.ScheduleParams{Nodes: 8, Shifts: -1}, "1 … "},
		{"od-equidyn", mixing.ScheduleParams{Nodes: 1 << 15, Rounds: 64}, "would have 2097152 edges; at most 1048576"},
		{"one-peer-exponential", mixing.ScheduleParams{Nodes: 1 << 17}, "would have 2228224 edges; at most 1048576"},
		{"one-peer-hypercube", mixing.ScheduleParams{Nodes: 1 << 17}, "would have 1114112 edges; at most 1048576"},
		{"base", mixing.ScheduleParams{Nodes: 1<<17 - 1, Degree: 15}, "at most 1048576"},
		{"matchings", mixing.ScheduleParams{Nodes: 8}, "needs a base"},
		{"matchings", mixing.ScheduleParams{Base: exponential}, "directed"},
		{"matchings", mixing.ScheduleParams{Base: alone}, "without edges"},
	}
	for _, c := range cases {
		f, err := mixing.FindSchedule(c.name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Build(c.params); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %+v: error %v; want one that says %q", c.name, c.params, err, c.want)
		}
	}
	if _, err := mixing.FindSchedule("nonsense"); err == nil || !strings.Contains(err.Error(), "one-peer-exponential") {
		t.Errorf("unknown schedule: error %v; want the list of names", err)
	}
}

// TestEquiDynRounds holds the formula of Song et al. (2022) for every drawn round.
func TestEquiDynRounds(t *testing.T) {
	const n, eta = 12, 0.25
	for _, name := range []string{"od-equidyn", "ou-equidyn"} {
		f, err := mixing.FindSchedule(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := f.Build(mixing.ScheduleParams{Nodes: n, Shifts: 3, Eta: eta, Rounds: 200, Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		allowed, err := mixing.EquiStaticShifts(n, 3, 5)
		if err != nil {
			t.Fatal(err)
		}
		used := map[int]bool{}
		for r, w := range s.Rounds {
			paired := 0
			for i := range n {
				from, weight := w.Row(i)
				if len(from) > 1 {
					t.Fatalf("%s round %d: node %d listens to %v", name, r, i, from)
				}
				for k, j := range from {
					shift := (j - i + n) % n
					if !slices.Contains(allowed, shift) && (name == "od-equidyn" || !slices.Contains(allowed, n-shift)) {
						t.Errorf("%s round %d: %d listens to %d, but the shifts are %v", name, r, i, j, allowed)
					}
					used[shift] = true
					if want := eta * (n - 1) / n; math.Abs(weight[k]-want) > 1e-15 {
						t.Errorf("%s round %d: weight %v, want η(n−1)/n = %v", name, r, weight[k], want)
					}
					paired++
				}
			}
			if name == "od-equidyn" && paired != n || paired < 2*n/3 {
				// A pair is refused only if one of its ends is taken, so every free node has two taken neighbours on its cycle.
				t.Errorf("%s round %d: only %d of %d nodes take part", name, r, paired, n)
			}
		}
		for _, a := range allowed {
			if !used[a] {
				t.Errorf("%s: shift %d of %v never drawn in 200 rounds", name, a, allowed)
			}
		}
	}
}

// TestMatchingSchedule uses even rings, whose two matchings are forced, so that the rate is known.
func TestMatchingSchedule(t *testing.T) {
	for _, c := range []struct {
		n    int
		rate float64
	}{
		{4, 0},
		// The norm of a product of two projections is the cosine of their principal angle, here 2π/n.
		{8, math.Sqrt(math.Cos(2 * math.Pi / 8))},
		{20, math.Sqrt(math.Cos(2 * math.Pi / 20))},
	} {
		g, err := topology.Ring(c.n)
		if err != nil {
			t.Fatal(err)
		}
		w, err := mixing.Metropolis(g)
		if err != nil {
			t.Fatal(err)
		}
		s, err := mixing.Matchings(w)
		if err != nil {
			t.Fatal(err)
		}
		rate, err := s.Rate(context.Background())
		if err != nil || len(s.Rounds) != 2 {
			t.Fatalf("ring of %d: %d rounds, error %v", c.n, len(s.Rounds), err)
		}
		if math.Abs(rate-c.rate) > 1e-12 {
			t.Errorf("ring of %d: rate %.15g, want %.15g", c.n, rate, c.rate)
		}
		used := map[topology.Edge]int{}
		for r, round := range s.Rounds {
			edges, weights := round.Edges()
			for k, e := range edges {
				used[e]++
				if weights[k] != 0.5 {
					t.Errorf("ring of %d round %d: weight %v of %v, want 1/2", c.n, r, weights[k], e)
				}
			}
		}
		if len(used) != c.n {
			t.Errorf("ring of %d: %d edges used in a period, want all %d", c.n, len(used), c.n)
		}
	}
}

func TestScheduleIterationsAgreeWithStatic(t *testing.T) {
	for _, name := range []string{"ring", "torus", "exponential", "complete"} {
		f, err := mixing.FindFamily(name)
		if err != nil {
			t.Fatal(err)
		}
		w, err := f.Build(mixing.Params{Nodes: 16})
		if err != nil {
			t.Fatal(err)
		}
		spectrum, err := w.Spectrum(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		want, _, _ := spectrum.Iterations(context.Background(), 1e-4)
		s := &mixing.Schedule{Name: "static " + name, Rounds: []*mixing.Matrix{w}}
		got, ok, err := s.Iterations(context.Background(), 1e-4)
		if err != nil || !ok || got != want {
			t.Errorf("%s as a schedule of one round: %d iterations (ok %v, error %v), static %d", name, got, ok, err, want)
		}
		rate, err := s.Rate(context.Background())
		if err != nil || math.Abs(rate-spectrum.RAsym) > 1e-12 {
			t.Errorf("%s as a schedule of one round: rate %v (error %v), static %v", name, rate, err, spectrum.RAsym)
		}
	}
	// A long random period comes closer to J than rounding allows to see, but it is not exact.
	equiDyn, err := mixing.FindSchedule("od-equidyn")
	if err != nil {
		t.Fatal(err)
	}
	long, err := equiDyn.Build(mixing.ScheduleParams{Nodes: 8, Rounds: 4000, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if rate, err := long.Rate(context.Background()); err != nil || rate < 0.3 || rate > 0.9 {
		t.Errorf("4000 random rounds on 8 nodes: rate %v, error %v; every round shrinks the error by about √½", rate, err)
	}
	base, err := mixing.Base(12, 1)
	if err != nil {
		t.Fatal(err)
	}
	if k, ok, err := base.Iterations(context.Background(), 1e-4); k != 5 || !ok || err != nil {
		t.Errorf("Base-2 on 12 nodes: %d iterations (ok %v, error %v), want its 5 rounds", k, ok, err)
	}
	alone, err := mixing.FromArcs(3, nil)
	if err != nil {
		t.Fatal(err)
	}
	never := &mixing.Schedule{Name: "silence", Rounds: []*mixing.Matrix{alone, alone}}
	if k, ok, err := never.Iterations(context.Background(), 1e-4); ok || err != nil {
		t.Errorf("a schedule without edges: %d iterations, ok %v, error %v; want not ok", k, ok, err)
	}
}
