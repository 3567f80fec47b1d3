package consensus_test

import (
	"context"
	"math"
	"testing"

	"github.com/batopo/batopo/internal/consensus"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"

	"github.com/google/go-cmp/cmp"
)

func family(t testing.TB, name string, p mixing.Params) *mixing.Matrix {
	t.Helper()
	f, err := mixing.FindFamily(name)
	if err != nil {
		t.Fatal(err)
	}
	w, err := f.Build(p)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func static(w *mixing.Matrix, ms float64) *mixing.Schedule {
	return &mixing.Schedule{Rounds: []*mixing.Matrix{w}, RoundMS: []float64{ms}}
}

// The root mean square over Gaussian starts is ‖Wᵏ − J‖_F, whose first k below the
// target is Spectrum.Iterations.
func TestGaussianStartsAgreeWithTheSpectrum(t *testing.T) {
	for _, name := range []string{"ring", "torus", "exponential", "hypercube"} {
		w := family(t, name, mixing.Params{Nodes: 16})
		s, err := w.Spectrum(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		want, ok, _ := s.Iterations(context.Background(), 1e-4)
		if !ok {
			t.Fatalf("%s never converges", name)
		}
		got, err := consensus.Simulate(context.Background(), static(w, 5),
			consensus.Settings{Trials: 400, Seed: 1, Target: 1e-4})
		if err != nil {
			t.Fatal(err)
		}
		last := got.Errors[len(got.Errors)-1]
		// One round more or less: the sample of 400 starts moves the error by a few per cent.
		if !got.Reached || math.Abs(float64(last.Round-want)) > 1 || last.TimeMS != 5*float64(last.Round) {
			t.Errorf("%s: %d rounds in %v ms (reached %v), the spectrum says %d",
				name, last.Round, last.TimeMS, got.Reached, want)
		}
	}
}

func TestGivenStartOnThePathOfTwo(t *testing.T) {
	w := family(t, "path", mixing.Params{Nodes: 2})
	got, err := consensus.Simulate(context.Background(), static(w, 1),
		consensus.Settings{Start: []float64{1, 3}, MaxRounds: 2})
	if err != nil {
		t.Fatal(err)
	}
	want := []consensus.Error{
		{Round: 0, Mean: math.Sqrt2, Max: math.Sqrt2, RMS: math.Sqrt2, Relative: 1},
		{Round: 1, TimeMS: 1}, {Round: 2, TimeMS: 2},
	}
	if diff := cmp.Diff(want, got.Errors[:3]); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}

func TestScheduleWithoutPricesTakesNoTime(t *testing.T) {
	w := family(t, "ring", mixing.Params{Nodes: 4})
	free, err := consensus.Simulate(context.Background(), mixing.Static(w), consensus.Settings{MaxRounds: 3})
	if err != nil {
		t.Fatal(err)
	}
	priced, err := consensus.Simulate(context.Background(), static(w, 2), consensus.Settings{MaxRounds: 3})
	if err != nil {
		t.Fatal(err)
	}
	last := len(priced.Errors) - 1
	if priced.Errors[last].TimeMS != 6 || free.Errors[last].TimeMS != 0 ||
		free.Errors[last].RMS != priced.Errors[last].RMS {
		t.Errorf("priced %+v, without prices %+v; want 6 ms, 0 ms and the same error", priced.Errors[last], free.Errors[last])
	}
}

func TestCoresDoNotChangeTheResult(t *testing.T) {
	w := family(t, "u-equistatic", mixing.Params{Nodes: 50, Shifts: 3, Seed: 4})
	run := func(workers int) *consensus.Result {
		r, err := consensus.Simulate(context.Background(), static(w, 1),
			consensus.Settings{Seed: 9, MaxRounds: 40, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if diff := cmp.Diff(run(1), run(8)); diff != "" {
		t.Errorf("one worker and eight differ:\n%s", diff)
	}
}

func TestCancelledSimulationKeepsWhatItHas(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	w := family(t, "ring", mixing.Params{Nodes: 64})
	got, err := consensus.Simulate(ctx, static(w, 1),
		consensus.Settings{MaxRounds: 1000, Progress: func(round int, _ float64) {
			if round >= 32 {
				cancel()
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	if got.Complete || len(got.Errors) != 33 {
		t.Errorf("complete %v with %d errors, want incomplete with 33", got.Complete, len(got.Errors))
	}
}

func TestBadSettingsAreErrors(t *testing.T) {
	w := family(t, "ring", mixing.Params{Nodes: 4})
	for _, s := range []consensus.Settings{{Trials: -1}, {MaxRounds: -1}, {Target: math.NaN()}, {Target: math.Inf(1)},
		{Trials: 1 << 30}, {MaxRounds: 1 << 30}, {Start: []float64{1}}, {Start: []float64{1, 2, 3, math.Inf(1)}}} {
		if _, err := consensus.Simulate(context.Background(), static(w, 1), s); err == nil {
			t.Errorf("settings %+v: no error", s)
		}
	}
	if _, err := consensus.Simulate(context.Background(), &mixing.Schedule{}, consensus.Settings{}); err == nil {
		t.Error("no matrices: no error")
	}
	half := &mixing.Schedule{Rounds: []*mixing.Matrix{w, w}, RoundMS: []float64{1}}
	if _, err := consensus.Simulate(context.Background(), half, consensus.Settings{}); err == nil {
		t.Error("two rounds with one time: no error")
	}
}

// 10⁵ nodes with 10 neighbours each, 100 rounds.
func BenchmarkSimulateHundredThousandNodes(b *testing.B) {
	arcs := make([]topology.Arc, 5)
	for k := range arcs {
		arcs[k] = topology.Arc{S: 1 + 7919*k}
	}
	l, err := topology.NewLift(1, 100_000, arcs)
	if err != nil {
		b.Fatal(err)
	}
	g, _ := l.Graph()
	w, err := mixing.Metropolis(g)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := consensus.Simulate(context.Background(), static(w, 1),
			consensus.Settings{Trials: 1, MaxRounds: 100}); err != nil {
			b.Fatal(err)
		}
	}
}

// On a path with weights 0.9 and 0.9 the node between them has the self weight −0.8: an eigenvalue lies below −1, and
// errors grow until no number holds them. What is listed are numbers.
func TestErrorsThatGrowAreNumbersToTheEnd(t *testing.T) {
	g, err := topology.New(3, []topology.Edge{{I: 0, J: 1}, {I: 1, J: 2}})
	if err != nil {
		t.Fatal(err)
	}
	w, err := mixing.FromEdges(g, []float64{0.9, 0.9})
	if err != nil {
		t.Fatal(err)
	}
	got, err := consensus.Simulate(context.Background(), static(w, 1), consensus.Settings{MaxRounds: 5000, Target: 1e-4})
	if err != nil {
		t.Fatal(err)
	}
	last := got.Errors[len(got.Errors)-1]
	if !got.Diverged || got.Reached || !got.Complete || len(got.Errors) >= 5000 || last.Round != len(got.Errors)-1 {
		t.Errorf("diverged %v, reached %v after %d rounds", got.Diverged, got.Reached, last.Round)
	}
	for _, v := range []float64{last.Mean, last.Max, last.RMS, last.Relative} {
		if math.IsInf(v, 0) || math.IsNaN(v) {
			t.Errorf("the last round listed is %+v", last)
		}
	}
}
