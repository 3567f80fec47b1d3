// Package rerun repeats the small rows of an experiment and holds them against the committed
// results: the test that a fresh checkout reproduces the published numbers.
package rerun

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"testing"

	"batopo/experiments/internal/ledger"
	"batopo/experiments/internal/measure"
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
func Small[T any](t *testing.T, name string, tasks func(ledger.Options) ([]ledger.Task[T], error), differ func(fresh, committed T) string) {
	t.Helper()
	const results = "../results"
	committed, err := ledger.Read[T](filepath.Join(results, name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := ledger.Perform(t.Context(), name, ledger.Options{Root: "../..", Results: t.TempDir(), Toy: true, Log: io.Discard}, tasks)
	if err != nil {
		t.Fatal(err)
	}
	if len(fresh.Rows) == 0 {
		t.Fatal("the toy run has no rows")
	}
	for _, row := range fresh.Rows {
		old, ok := rowOf(committed, row.Key)
		switch {
		case !ok:
			t.Errorf("%s: no such row in the committed results; run make reproduce", row.Key)
		case !bytes.Equal(compact(t, old.Settings), compact(t, row.Settings)):
			t.Errorf("%s: settings are %s, the committed row has %s; run make reproduce", row.Key, row.Settings, old.Settings)
		default:
			if text := differ(row.Value, old.Value); text != "" {
				t.Errorf("%s: %s", row.Key, text)
			}
		}
	}
}

// Measurements says how two measurements differ by more than the tolerances; "" if they do not.
func Measurements(fresh, committed measure.Measurement) string {
	for _, n := range []struct {
		name      string
		got, want int
	}{
		{"edges", fresh.Edges, committed.Edges}, {"largest degree", fresh.MaxDegree, committed.MaxDegree},
		{"iterations", fresh.Iterations, committed.Iterations}, {"simulated iterations", fresh.SimulatedIterations, committed.SimulatedIterations},
		{"points of the curve", len(fresh.Errors), len(committed.Errors)},
	} {
		if n.got != n.want {
			return fmt.Sprintf("%s: got %d, committed %d", n.name, n.got, n.want)
		}
	}
	if math.Abs(fresh.RAsym-committed.RAsym) > rateTolerance {
		return fmt.Sprintf("r_asym: got %v, committed %v", fresh.RAsym, committed.RAsym)
	}
	if relative(fresh.TimeMS, committed.TimeMS) > timeTolerance {
		return fmt.Sprintf("time: got %v ms, committed %v ms", fresh.TimeMS, committed.TimeMS)
	}
	for k := range fresh.Errors {
		if relative(fresh.Errors[k], committed.Errors[k]) > drawTolerance {
			return fmt.Sprintf("error after %d rounds: got %v, committed %v", k, fresh.Errors[k], committed.Errors[k])
		}
	}
	return ""
}

// Outcomes says how the r_asym of two sets of runs differ; times are not compared.
func Outcomes(fresh, committed measure.Outcomes) string {
	if len(fresh.RAsym) != len(committed.RAsym) {
		return fmt.Sprintf("%d runs, committed %d", len(fresh.RAsym), len(committed.RAsym))
	}
	for k := range fresh.RAsym {
		if math.Abs(fresh.RAsym[k]-committed.RAsym[k]) > rateTolerance {
			return fmt.Sprintf("run %d: r_asym %v, committed %v", k+1, fresh.RAsym[k], committed.RAsym[k])
		}
	}
	return ""
}

func rowOf[T any](f *ledger.File[T], key string) (ledger.Row[T], bool) {
	for _, r := range f.Rows {
		if r.Key == key {
			return r, true
		}
	}
	return ledger.Row[T]{}, false
}

// compact removes the layout of JSON.
func compact(t *testing.T, text json.RawMessage) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := json.Compact(&out, text); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func relative(a, b float64) float64 {
	if a == b {
		return 0
	}
	return math.Abs(a-b) / max(math.Abs(a), math.Abs(b))
}
