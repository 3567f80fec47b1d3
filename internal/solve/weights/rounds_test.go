package weights_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
	"github.com/batopo/batopo/verify"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"
)

const target = 1e-4

// roundsOf counts rounds by all eigenvalues, 0 when the target is never reached.
func roundsOf(t testing.TB, g *topology.Graph, weight []float64) int {
	t.Helper()
	w, err := mixing.FromEdges(g, weight)
	if err != nil {
		t.Fatal(err)
	}
	s, err := w.Spectrum(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	k, _, _ := s.Iterations(context.Background(), target)
	return k
}

// fewest solves for the rate, then for the rounds, and lets verify check the proof.
func fewest(t testing.TB, g *topology.Graph, s weights.Settings) *weights.RoundsResult {
	t.Helper()
	rate, err := weights.Solve(t.Context(), g, s)
	if err != nil {
		t.Fatal(err)
	}
	r, err := weights.SolveRounds(t.Context(), g, rate.Weights, target, s)
	if err != nil {
		t.Fatal(err)
	}
	if k := roundsOf(t, g, r.Weights); k != r.Rounds {
		t.Errorf("the weights need %d rounds, the result says %d", k, r.Rounds)
	}
	checkRounds(t, g, nil, r, r.Weights, s)
	return r
}

// kind names the weights that settings allow.
func kind(s weights.Settings) string {
	if s.MinEigenvalue == nil {
		return string(s.Sign)
	}
	return fmt.Sprintf("%s with eigenvalues of %g and more", s.Sign, *s.MinEigenvalue)
}

// checkRounds puts the result into a plan file and has that checked.
func checkRounds(t testing.TB, g *topology.Graph, lift *topology.Lift, r *weights.RoundsResult, perEdge []float64,
	s weights.Settings) {
	t.Helper()
	if r.Bound == nil || r.Bound.Rounds != r.Rounds {
		t.Errorf("%d nodes, %d edges, %s: %d rounds are not proved to be the fewest (%s)",
			g.Nodes(), len(g.Edges()), kind(s), r.Rounds, r.Stop)
		return
	}
	if slices.Contains(perEdge, 0) {
		return // the plan would have fewer edges than the certificate
	}
	c, err := cluster.New(cluster.Homogeneous(g.Nodes(), cluster.PaperBandwidthGBs))
	if err != nil {
		t.Fatal(err)
	}
	w, err := mixing.FromEdges(g, perEdge)
	if err != nil {
		t.Fatal(err)
	}
	spectrum, err := w.Spectrum(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	plan, err := design.NewPlan(context.Background(), c, w, spectrum)
	if err != nil {
		t.Fatal(err)
	}
	plan.RoundsBound, plan.MinEigenvalue, plan.Lift = r.Bound, s.MinEigenvalue, lift
	if s.Sign != "" {
		plan.Sign = s.Sign
	}
	var file bytes.Buffer
	if err := plan.Write(&file); err != nil {
		t.Fatal(err)
	}
	if plan, err = design.ReadPlan("rounds", &file); err != nil {
		t.Fatal(err)
	}
	report, err := verify.Check(context.Background(), plan)
	if err != nil {
		t.Fatal(err)
	}
	found := slices.ContainsFunc(report, func(f verify.Finding) bool {
		return f.Claim == "rounds_bound" &&
			f.Status == verify.OK
	})
	if err := report.Err(); err != nil || !found {
		t.Errorf("%d nodes, %s: verify says %v, rounds_bound checked: %t", g.Nodes(), kind(s), err, found)
	}
}

// All edges of a ring are alike, so one weight for all is enough, and its eigenvalues are 1 − 2g(1 − cos 2πj/n): a
// scan over g finds the fewest rounds.
func TestFewestRoundsOfRings(t *testing.T) {
	for _, n := range []int{4, 5, 8, 13, 16, 33} {
		g, err := topology.Ring(n)
		if err != nil {
			t.Fatal(err)
		}
		want := math.MaxInt
		for step := 1; step <= 5000; step++ {
			weight := float64(step) / 10000
			others := make([]float64, n-1)
			for j := range others {
				others[j] = 1 - 2*weight*(1-math.Cos(2*math.Pi*float64(j+1)/float64(n)))
			}
			if k, ok, _ := mixing.SymmetricSpectrum(n, others).Iterations(context.Background(), target); ok {
				want = min(want, k)
			}
		}
		if r := fewest(t, g, weights.Settings{}); r.Rounds != want {
			t.Errorf("ring of %d: %d rounds, the scan finds %d", n, r.Rounds, want)
		}
	}
}

// The figures of docs/research/weights.md: the weights of least r_asym need 34 rounds.
func TestRingOfEightNeeds33Rounds(t *testing.T) {
	g, err := topology.Ring(8)
	if err != nil {
		t.Fatal(err)
	}
	rate, err := weights.Solve(t.Context(), g, weights.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if k := roundsOf(t, g, rate.Weights); k != 34 {
		t.Errorf("weights of least r_asym need %d rounds, want 34", k)
	}
	if r := fewest(t, g, weights.Settings{}); r.Rounds != 33 || r.Bound.Rounds != 33 {
		t.Errorf("%d rounds, %d proved, want 33", r.Rounds, r.Bound.Rounds)
	}
}

// No weights that are drawn, near the answer or anywhere, need fewer rounds.
func TestOtherWeightsNeedNoFewerRounds(t *testing.T) {
	rapid.Check(t, func(d *rapid.T) {
		g, s := drawGraph(t, d), drawSettings(d)
		if mu := s.MinEigenvalue; mu != nil {
			// Hundreds of rounds say no more than dozens. On a complete graph all eigenvalues can be μ: where μ, or a
			// power of it, is about as large as the target, no proof need be found.
			*mu = math.Round(20*(*mu))/20 + 0.013
			if *mu > 0.5 {
				*mu -= 0.5
			}
		}
		r := fewest(t, g, s)
		if t.Failed() {
			d.FailNow()
		}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(d, "seed"), 1))
		for range 200 {
			other := slices.Clone(r.Weights)
			size := math.Pow(10, -4*rng.Float64())
			for k := range other {
				other[k] += size * rng.NormFloat64() * other[k]
			}
			if !allowed(t, g, other, s) {
				continue
			}
			if k := roundsOf(t, g, other); k != 0 && k < r.Rounds {
				d.Fatalf("weights %v need %d rounds, the result %d", other, k, r.Rounds)
			}
		}
	})
}

// allowed reports whether weights keep what the settings ask for.
func allowed(t *testing.T, g *topology.Graph, weight []float64, s weights.Settings) bool {
	w, err := mixing.FromEdges(g, weight)
	if err != nil {
		t.Fatal(err)
	}
	if s.Sign != design.Free && !w.Nonnegative() {
		return false
	}
	spectrum, err := w.Spectrum(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s.MinEigenvalue == nil || spectrum.LambdaN >= *s.MinEigenvalue
}

// A lift and the same graph without its symmetry have the same answer.
func TestLiftRounds(t *testing.T) {
	zero := 0.0
	for seed, shape := range []struct{ orbits, size, arcs int }{{1, 12, 2}, {2, 6, 4}, {3, 5, 6}, {4, 8, 10}, {2, 16, 6}} {
		for _, s := range []weights.Settings{{}, {Sign: design.Free}, {MinEigenvalue: &zero}} {
			l := randomLift(t, shape.orbits, shape.size, shape.arcs, uint64(seed))
			rate, err := weights.SolveLift(t.Context(), l, s)
			if err != nil {
				t.Fatal(err)
			}
			r, err := weights.SolveLiftRounds(t.Context(), l, rate.Weights, target, s)
			if err != nil {
				t.Fatal(err)
			}
			g, arcOf := l.Graph()
			perEdge := make([]float64, len(arcOf))
			for k, a := range arcOf {
				perEdge[k] = r.Weights[a]
			}
			checkRounds(t, g, &l, r, perEdge, s)
			if plain := fewest(t, g, s); plain.Rounds != r.Rounds {
				t.Errorf("%v, setting %q: %d rounds as a lift, %d as a graph", l, s.Sign, r.Rounds, plain.Rounds)
			}
		}
	}
}

// Orbits make thousands of nodes a small problem.
func TestLargeLiftRounds(t *testing.T) {
	l := randomLift(t, 4, 256, 16, 1)
	rate, err := weights.SolveLift(t.Context(), l, weights.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := weights.SolveLiftRounds(t.Context(), l, rate.Weights, target, weights.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	g, arcOf := l.Graph()
	perEdge := make([]float64, len(arcOf))
	for k, a := range arcOf {
		perEdge[k] = r.Weights[a]
	}
	checkRounds(t, g, &l, r, perEdge, weights.Settings{})
}

// Where the answer is one round already, that is said without a certificate.
func TestCompleteGraphNeedsOneRound(t *testing.T) {
	g := joined(t, 6, func(i, j int) bool { return true })
	if r := fewest(t, g, weights.Settings{}); r.Rounds != 1 {
		t.Errorf("%d rounds, want 1", r.Rounds)
	}
}

func TestRoundsKeepGivenWeights(t *testing.T) {
	g, err := topology.Ring(5) // one eigenvalue pair at each end: nothing to trade
	if err != nil {
		t.Fatal(err)
	}
	rate, err := weights.Solve(t.Context(), g, weights.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	r := fewest(t, g, weights.Settings{})
	if roundsOf(t, g, rate.Weights) == r.Rounds && !floats.Equal(rate.Weights, r.Weights) {
		t.Errorf("weights %v replaced by %v, which need as many rounds", rate.Weights, r.Weights)
	}
}

func TestRoundsBeyondReachAreLeftAlone(t *testing.T) {
	g := randomGraph(t, 400, 1200, 1)
	start := make([]float64, 1200)
	for k := range start {
		start[k] = 0.05
	}
	r, err := weights.SolveRounds(t.Context(), g, start, target, weights.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(r.Skipped, "400 nodes") || r.Bound != nil || !floats.Equal(r.Weights, start) {
		t.Errorf("skipped %q, bound %v; want the weights back with the reason", r.Skipped, r.Bound)
	}
}

func TestRoundsRefuseBadInput(t *testing.T) {
	g, err := topology.Ring(4)
	if err != nil {
		t.Fatal(err)
	}
	good := []float64{0.3, 0.3, 0.3, 0.3}
	for _, c := range []struct {
		want   string
		start  []float64
		target float64
	}{
		{"3 weights", good[:3], target}, {"not all finite", []float64{0.3, math.NaN(), 0.3, 0.3}, target},
		{"target error is 0", good, 0}, {"target error is NaN", good, math.NaN()},
	} {
		if _, err := weights.SolveRounds(t.Context(), g, c.start, c.target, weights.Settings{}); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("error is %v, want one with %q", err, c.want)
		}
	}
}

// A cancelled solve still answers, with weights as good as those it was given.
func TestRoundsCancelled(t *testing.T) {
	g := randomGraph(t, 200, 700, 1)
	start := make([]float64, 700)
	for k, e := range g.Edges() {
		start[k] = 1 / float64(1+max(g.Degree(e.I), g.Degree(e.J)))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	r, err := weights.SolveRounds(ctx, g, start, target, weights.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Stop != design.Interrupted {
		t.Errorf("stop %q, want %q", r.Stop, design.Interrupted)
	}
	if r.Rounds > roundsOf(t, g, start) || r.Bound != nil && r.Bound.Rounds != r.Rounds {
		t.Errorf("%d rounds, more than the %d of the start", r.Rounds, roundsOf(t, g, start))
	}
}
