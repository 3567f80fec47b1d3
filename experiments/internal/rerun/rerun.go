// Package rerun repeats the small rows of an experiment and holds them against the committed
// results: the test that a fresh checkout reproduces the published numbers.
package rerun

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/batopo/batopo/experiments/internal/ledger"
	"github.com/batopo/batopo/experiments/internal/measure"
)

// Tolerances. On one kind of processor rows repeat to the last bit; others may round differently in
// eigenvalues and stop an iteration of the weights a step earlier or later.
const (
	rateTolerance = 1e-6 // of r_asym, absolute
	timeTolerance = 1e-9 // of times, relative: they are counts times constants
	drawTolerance = 2e-3 // of simulated errors, relative: they are kept to four digits
)

// Small runs the toy rows of an experiment into a folder of its own and compares every one with
// the row of the same settings in the committed file. The working folder must be the experiment's.
func Small[T any](t *testing.T, name string, tasks func(ledger.Options) ([]ledger.Task[T], error),
	differ func(fresh, committed T) string) {
	t.Helper()
	committed, err := ledger.Read[T]("../results", name)
	if err != nil {
		t.Fatal(err)
	}
	options := ledger.Options{Root: "../..", Results: t.TempDir(), Toy: true, Log: io.Discard}
	fresh, err := ledger.Run(t.Context(), name, options, tasks)
	if err != nil {
		t.Fatal(err)
	}
	if len(fresh.Rows) == 0 {
		t.Fatal("the toy run has no rows")
	}
	for _, row := range fresh.Rows {
		old, ok := committed.Row(row.Key)
		if !ok || !bytes.Equal(old.Settings, row.Settings) {
			t.Errorf("%s: settings are %s, the committed row has %s; run make reproduce", row.Key, row.Settings, old.Settings)
		} else if text := differ(row.Value, old.Value); text != "" {
			t.Errorf("%s: %s", row.Key, text)
		}
	}
}

// Measurements says how two measurements differ by more than the tolerances; "" if they do not.
func Measurements(fresh, committed measure.Measurement) string {
	a, b := fresh, committed
	counts := func(m measure.Measurement) [5]int {
		return [...]int{m.Edges, m.MaxDegree, m.Iterations, m.SimulatedIterations, len(m.Errors)}
	}
	if counts(a) != counts(b) {
		return fmt.Sprintf("edges, degree, iterations, simulated ones and points of the curve: got %v, committed %v",
			counts(a), counts(b))
	}
	if text := rates([]float64{a.RAsym}, []float64{b.RAsym}); text != "" {
		return text
	}
	if relative(a.TimeMS, b.TimeMS) > timeTolerance {
		return fmt.Sprintf("time: got %v ms, committed %v ms", a.TimeMS, b.TimeMS)
	}
	for k := range a.Errors {
		if relative(a.Errors[k], b.Errors[k]) > drawTolerance {
			return fmt.Sprintf("error after %d rounds: got %v, committed %v", k, a.Errors[k], b.Errors[k])
		}
	}
	return ""
}

// Outcomes says how the r_asym of two sets of runs differ; times are not compared.
func Outcomes(fresh, committed measure.Outcomes) string { return rates(fresh.RAsym, committed.RAsym) }

func rates(fresh, committed []float64) string {
	if len(fresh) != len(committed) {
		return fmt.Sprintf("%d runs, committed %d", len(fresh), len(committed))
	}
	for k := range fresh {
		if math.Abs(fresh[k]-committed[k]) > rateTolerance {
			return fmt.Sprintf("run %d: r_asym %v, committed %v", k+1, fresh[k], committed[k])
		}
	}
	return ""
}

func relative(a, b float64) float64 {
	if a == b {
		return 0
	}
	return math.Abs(a-b) / max(math.Abs(a), math.Abs(b))
}
