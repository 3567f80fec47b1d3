package verdict

import (
	"testing"

	"github.com/batopo/batopo/experiments/internal/measure"
	"github.com/batopo/batopo/experiments/internal/paper"
)

// Comparisons are of facts; one that is false decides, one that is missing leaves the sentence open.
func TestComparisonsOfFacts(t *testing.T) {
	for _, tc := range []struct {
		with, without float64 // Bi-CGSTAB steps at 128 nodes; fewer with ILU at the other sizes
		want          Result
	}{{9, 10, Holds}, {10, 9, Fails}, {10, 10, Fails}, {0, 10, Open}} {
		e := blank(t)
		for _, n := range []string{"8", "16", "32", "64"} {
			put(t, e, "solver", "n="+n+"/ilu", measure.Linear{PerStep: 1})
			put(t, e, "solver", "n="+n+"/no ilu", measure.Linear{PerStep: 2})
		}
		put(t, e, "solver", "n=128/no ilu", measure.Linear{PerStep: tc.without})
		if tc.with > 0 {
			put(t, e, "solver", "n=128/ilu", measure.Linear{PerStep: tc.with})
		}
		if got := decide(t, e, "solver-ilu", Method); got.Result != tc.want {
			t.Errorf("%v with and %v without ILU: %v (%s), want %v", tc.with, tc.without, got.Result, got.Shown,
				tc.want)
		}
	}
}

// Without runs what training must decide is open; with them times within a tenth of the printed ones are those.
func TestTrainingDecidesByItsRows(t *testing.T) {
	if got := decide(t, blank(t), "training-110", Trained); got.Result != Open {
		t.Errorf("without runs: %v (%s), want open", got.Result, got.Shown)
	}
	for want, seconds := range map[Result][2]float64{Holds: {112, 120}, Fails: {112, 90}} {
		e := blank(t)
		for k, dataset := range paper.Datasets {
			put(t, e, "training", "own targets/"+dataset+"/homogeneous/paper-r32",
				map[string]float64{"seconds": seconds[k]})
		}
		if got := decide(t, e, "training-110", Trained); got.Result != want {
			t.Errorf("%v s: %v (%s), want %v", seconds, got.Result, got.Shown, want)
		}
	}
}

// The name of a row follows the subject.
func TestComparisonsOfASubject(t *testing.T) {
	e := blank(t)
	for row, ms := range map[string]float64{"exponential": 60, "u-equistatic-m2": 60, "literal-r16": 15,
		"paper-r16": 90} {
		put(t, e, "figures", "node-level/"+row, measure.Measurement{RoundMS: ms})
	}
	for who, want := range map[*Subject]Result{&Literal: Holds, &Method: Fails} {
		if got := decide(t, e, "node-16-shorter-rounds", *who); got.Result != want {
			t.Errorf("%s: %v (%s), want %v", who.Name, got.Result, got.Shown, want)
		}
	}
}

// A sentence that exact averages would not meet where it was measured stays open; one that they would meet fails.
func TestWhatExactAveragesWouldNotMeetIsOpen(t *testing.T) {
	for _, tc := range []struct {
		measured, exact float64 // of one of eight speed-ups; the others are 1.2
		want            Result
	}{{1.1, 1.2, Holds}, {0.9, 1.2, Fails}, {0.9, 0.95, Open}} {
		e := blank(t)
		for _, dataset := range paper.Datasets {
			for _, scenario := range []string{"homogeneous", "node-level", "intra-server", "bcube-1to2"} {
				put(t, e, "training", "own targets/"+dataset+"/"+scenario+"/speed-up",
					map[string]float64{"closest": 1.2, "exact_closest": 1.3})
			}
		}
		put(t, e, "training", "own targets/CIFAR-10/intra-server/speed-up",
			map[string]float64{"closest": tc.measured, "exact_closest": tc.exact})
		if got := decide(t, e, "training-abstract", Trained); got.Result != tc.want {
			t.Errorf("%v, exact averages %v: %v (%s), want %v", tc.measured, tc.exact, got.Result, got.Shown, tc.want)
		}
	}
}
