// Package rerun repeats the small rows of an experiment and holds them against the committed
// results: the test that a fresh checkout reproduces the published numbers.
package rerun

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/batopo/batopo/experiments/internal/ledger"
)

// tolerances are relative, by the name of a field; all other numbers are counts, or counts times constants. On one
// kind of processor rows repeat to the last bit; others may round differently in eigenvalues and stop an iteration
// of the weights a step earlier or later.
var tolerances = map[string]float64{
	"r_asym": 1e-6, "bound": 1e-6, "degree_bound": 1e-6, "weights_bound": 1e-6,
	"errors": 2e-3, // simulated, and kept to four digits
}

const constant = 1e-9

// Small runs the toy rows of an experiment into a folder of its own and compares every one with
// the row of the same settings in the committed file, but for the fields that differ from run to run.
// The working folder must be the experiment's.
func Small[T any](t *testing.T, name string, tasks func(ledger.Options) ([]ledger.Task[T], error), but ...string) {
	t.Helper()
	options := ledger.Options{Root: "../..", Results: t.TempDir(), Toy: true, Log: io.Discard}
	if _, err := ledger.Run(t.Context(), name, options, tasks); err != nil {
		t.Fatal(err)
	}
	fresh, err := ledger.Read[ledger.Fields](options.Results, name)
	if err != nil {
		t.Fatal(err)
	}
	committed, err := ledger.Read[ledger.Fields]("../results", name)
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
			continue
		}
		for _, text := range differ(row.Value, old.Value, but...) {
			t.Errorf("%s: %s", row.Key, text)
		}
	}
}

// differ lists the numbers in which two values differ by more than the tolerances.
func differ(fresh, committed ledger.Fields, but ...string) (list []string) {
	names := maps.Clone(fresh)
	maps.Copy(names, committed)
	for name := range names {
		near := func(a, b float64) bool {
			return math.Abs(a-b) <= max(constant, tolerances[name])*max(math.Abs(a), math.Abs(b))
		}
		got, want := fresh.Numbers(name), committed.Numbers(name)
		if !slices.Contains(but, name) && !slices.EqualFunc(got, want, near) {
			list = append(list, fmt.Sprintf("%s: got %v, committed %v", name, got, want))
		}
	}
	return list
}
