package advise

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/consensus"
	"github.com/batopo/batopo/mixing"
)

// The convergence model that is built in is the one that the training runs gave.
func TestTheLawIsThatOfTheRuns(t *testing.T) {
	fitted, err := os.ReadFile("../../../experiments/training/law.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(fitted, measured) {
		t.Error("advise/law.json differs from experiments/training/law.json; copy it here")
	}
	for _, term := range MeasuredConvergence().Terms {
		product(Features{}, term.Product) // panics where a feature is not known
	}
}

// testdata/features.json was written by experiments/training/features.py, which the convergence model was fitted with.
func TestFeaturesAreThoseOfTheFit(t *testing.T) {
	source, err := os.ReadFile("testdata/features.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []struct {
		Process                             string
		Nodes, Every                        int
		Lazy                                float64
		Spread, Negative, Pull, Churn, Size float64
	}
	if err := json.Unmarshal(source, &rows); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		s := exactShape(r.Nodes)
		if r.Process != "exact" {
			if s, err = newShape(t.Context(), lazily(t, named(t, r.Process, r.Nodes), r.Lazy)); err != nil {
				t.Fatal(err)
			}
		}
		f := s.features(Features{}, r.Every, MeasuredConvergence().Gamma)
		got := []float64{f.Spread, f.Negative, f.Pull, f.Churn, f.Size}
		want := []float64{r.Spread, r.Negative, r.Pull, r.Churn, r.Size}
		for k := range want {
			if math.Abs(got[k]-want[k]) > 1e-7 { // the fit follows the variance until 1e-10 of the start is left
				t.Errorf("%s, %d nodes, lazy %v, H = %d: spread, negative, pull, churn, size %v; want %v", r.Process, r.Nodes,
					r.Lazy, r.Every, got, want)
				break
			}
		}
	}
}

// Static W has two ways to its variance; both agree.
func TestVarianceByEigenvaluesAndByCovariance(t *testing.T) {
	for _, name := range []string{"ring", "exponential", "torus"} {
		s, err := newShape(t.Context(), named(t, name, 16))
		if err != nil {
			t.Fatal(err)
		}
		for _, every := range []int{1, 3} {
			if a, b := s.normalVariance(every, 0.9), consensus.Variance(s.rounds, every, 0.9); math.Abs(a-b) > 1e-8*b {
				t.Errorf("%s, H = %d: %v by eigenvalues, %v by covariance", name, every, a, b)
			}
		}
	}
}

func named(t *testing.T, name string, nodes int) []*mixing.Matrix {
	t.Helper()
	if f, err := mixing.FindSchedule(name); err == nil {
		s, err := f.Build(mixing.ScheduleParams{Nodes: nodes})
		if err != nil {
			t.Fatal(err)
		}
		return s.Rounds
	}
	f, err := mixing.FindFamily(name)
	if err != nil {
		t.Fatal(err)
	}
	w, err := f.Build(mixing.Params{Nodes: nodes})
	if err != nil {
		t.Fatal(err)
	}
	return []*mixing.Matrix{w}
}

func lazily(t *testing.T, rounds []*mixing.Matrix, share float64) []*mixing.Matrix {
	t.Helper()
	out := make([]*mixing.Matrix, len(rounds))
	for k, w := range rounds {
		var err error
		if out[k], err = mixing.GivingAway(w, share); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// A convergence model with round numbers, worked out by hand.
func TestEpochsByHand(t *testing.T) {
	model := &Convergence{Gamma: 0.9, Prior: 0.5, Terms: []Term{
		{[]string{"spread"}, 0.3, 0.1}, {[]string{"pull", "skew"}, 1, 0.2}, {[]string{"steps"}, 0, 0.5},
		{[]string{"quasi"}, 0.7, 0.1}}}
	model.Domain.Nodes = []int{16, 8}
	if err := json.Unmarshal([]byte(`[{"skew": 0.1, "rms": 0.3, "rms_with_steps": 0.25}, {"skew": null, "rms": 0.1, "rms_with_steps": 0.2}]`), &model.Errors); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name           string
		f              Features
		nodes          int
		log, deviation float64
	}{
		{"exact averaging, whatever the setting", Features{Quasi: 1, Skew: 1}, 16, 0, 0},
		{"ln 2 fewer neighbours", Features{Spread: math.Ln2}, 16, 0.3 * math.Ln2, 0.1},
		{"under skew 0.1 rounds that take little help", Features{Spread: 1, Pull: -0.4, Skew: 1}, 16, 0.3 - 0.4, 0.3},
		{"halfway between the skews", Features{Spread: 1, Pull: -0.4, Skew: 0.5}, 16, 0.3 - 0.2, 0.2},
		{"the momentum's own effect is everybody's", Features{Spread: 1, Quasi: 1}, 16, 0.3, 0.1},
		{"every 4 steps, whose term was never measured", Features{Spread: 1, Steps: 2}, 16, 0.3, math.Hypot(0.2, 1)},
		{"fewer nodes than measured, two halvings", Features{Spread: 1}, 2, 0.3, 0.3},
		{"more nodes than measured, a doubling", Features{Spread: 1}, 32, 0.3, 0.2},
		{"the larger error counts", Features{Spread: 1, Steps: 2, Skew: 1}, 16, 0.3, math.Hypot(0.3, 1)},
	} {
		log, deviation := model.Epochs(tc.f, tc.nodes)
		if math.Abs(log-tc.log) > 1e-12 || math.Abs(deviation-tc.deviation) > 1e-12 {
			t.Errorf("%s: %v ± %v, want %v ± %v", tc.name, log, deviation, tc.log, tc.deviation)
		}
	}
}

func TestOutsideTheLaw(t *testing.T) {
	model := MeasuredConvergence()
	if out := model.Outside(Features{Spread: 0.5, Pull: -0.4, Steps: 3, Skew: 1, Quasi: 1}, 16); out != nil {
		t.Errorf("a process like those measured is called outside: %v", out)
	}
	for _, tc := range []struct {
		f     Features
		nodes int
		want  string
	}{
		{Features{}, 64, "64 nodes (measured: 8 to 32; the error is taken 2 times as large)"},
		{Features{Spread: 3}, 16, "spread 3.00"},
		{Features{Steps: 5}, 16, "every 32 steps"},
		{Features{CTA: 1, Quasi: 1, Skew: 0.5}, 16, "at a weak skew"},
		{Features{Steps: 3, Skew: 0.5}, 16, "H above 4"},
		{Features{Steps: 1, Group: 1, Skew: 0.5}, 16, "at a weak skew group norm"},
		{Features{Steps: 1}, 32, "on more than 16 nodes"},
		{Features{Quasi: 1}, 32, "on 8 and 16 nodes only"},
		{Features{Quasi: 1, Skew: 1}, 8, "under skew on 16"},
		{Features{Quasi: 1, Negative: 0.3}, 8, "where W ⪰ 0 does not hold"},
		{Features{CTA: 1, Skew: 1, Group: 1}, 16, "cta with group norm"},
		{Features{CTA: 1, Skew: 1, Pull: -0.8}, 16, "change as little"},
		{Features{Group: 1}, 16, "group norm without skew"},
	} {
		if out := model.Outside(tc.f, tc.nodes); !slices.ContainsFunc(out, func(s string) bool {
			return strings.Contains(s, tc.want)
		}) {
			t.Errorf("%+v on %d nodes: %v, want %q", tc.f, tc.nodes, out, tc.want)
		}
	}
}

// At Dirichlet(1.0) cta was never run with quasi-global momentum, nor at 0.1 with rounds that change little: what the
// convergence model says there, it has not seen.
func TestTheErrorIsTwiceAsLargeWhereNoRunHadTheCombination(t *testing.T) {
	model := MeasuredConvergence()
	for _, tc := range []struct {
		name         string
		seen, unseen Features
	}{
		{"cta with quasi-global momentum at a weak skew", Features{Pull: -0.4, Skew: SkewOf(1), CTA: 1},
			Features{Pull: -0.4, Skew: SkewOf(1), CTA: 1, Quasi: 1}},
		{"lazy cta at a strong skew", Features{Pull: -0.8, Skew: 1}, Features{Pull: -0.8, Skew: 1, CTA: 1}},
	} {
		_, seen := model.Epochs(tc.seen, 16)
		if _, unseen := model.Epochs(tc.unseen, 16); math.Abs(unseen/seen-2) > 1e-9 {
			t.Errorf("%s: the error is %v, of what was run %v; want twice as much", tc.name, unseen, seen)
		}
	}
	weak := Features{Pull: -0.8, Skew: SkewOf(1), CTA: 1}
	if out := model.Outside(weak, 16); out != nil {
		t.Errorf("lazy cta at Dirichlet(1.0), which was run, is called outside: %v", out)
	}
}

func TestBrokenLawsAreRefused(t *testing.T) {
	for _, source := range []string{"", "{}", `{"gamma": 2, "terms": [{}], "leave_out_by_skew": [{}]}`} {
		if _, err := readConvergence([]byte(source)); err == nil {
			t.Errorf("%q is taken for a convergence model", source)
		}
	}
}

func TestSettingsOutOfRange(t *testing.T) {
	for _, s := range []Setting{{Skew: -1}, {Skew: 100}, {Skew: math.NaN()}, {Momentum: "mixed"}, {Norm: "layer"}} {
		if s.Validate() == nil {
			t.Errorf("%+v is taken", s)
		}
	}
	if err := (Setting{Skew: 0.1, Momentum: "quasi-global", Norm: GroupNorm}).Validate(); err != nil {
		t.Error(err)
	}
}
