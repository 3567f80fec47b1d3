package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/experiments/internal/ledger"
	"github.com/batopo/batopo/experiments/internal/measure"
)

// tolerances are relative, by the name of a field; all other numbers are counts, or counts times constants. On one
// kind of processor rows repeat to the last bit; others may round differently in eigenvalues and stop an iteration
// of the weights a step earlier or later.
var tolerances = map[string]float64{
	"r_asym": 1e-6, "bound": 1e-6, "degree_bound": 1e-6, "weights_bound": 1e-6,
	"starts_r_asym": 1e-6,
	"errors":        2e-3, // simulated, and kept to four digits
}

const (
	constant = 1e-9
	zero     = 1e-14 // absolute: r_asym of exact averaging is 0 up to the last bits of eigenvalues
)

// A fresh checkout reproduces the published numbers.
func TestSmallRowsReproduce(t *testing.T) {
	if testing.Short() {
		t.Skip("computes rows of the paper's tables again; make deep does")
	}
	t.Run("table1", func(t *testing.T) { repeats(t, "table1", table1) })
	t.Run("figures", func(t *testing.T) { repeats(t, "figures", figures) })
	// All rows of Table II are cheap: they price the committed topologies of the figures again.
	t.Run("table2", func(t *testing.T) {
		repeats(t, "table2", func(o ledger.Options) ([]ledger.Task[measure.Epoch], error) {
			o.Results = "../results"
			return table2(o)
		})
	})
	t.Run("ablations", func(t *testing.T) { repeats(t, "ablations", ablations, "seconds") })
}

// repeats runs the toy rows of an experiment into a folder of its own and compares every one with
// the row of the same settings in the committed file, but for the fields that differ from run to run.
// The working folder must be the experiment's.
func repeats[T any](t *testing.T, name string, tasks func(ledger.Options) ([]ledger.Task[T], error), but ...string) {
	t.Helper()
	options := ledger.Options{Root: "../..", Results: t.TempDir(), Toy: true, Log: io.Discard}
	if err := ledger.Run(t.Context(), name, options, tasks); err != nil {
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
			return math.Abs(a-b) <= zero+max(constant, tolerances[name])*max(math.Abs(a), math.Abs(b))
		}
		got, want := fresh.Numbers(name), committed.Numbers(name)
		if !slices.Contains(but, name) && !slices.EqualFunc(got, want, near) {
			list = append(list, fmt.Sprintf("%s: got %v, committed %v", name, got, want))
		}
	}
	return list
}

func TestDifferencesAreSeen(t *testing.T) {
	base := ledger.Fields{"edges": 4., "r_asym": 0.5, "time_ms": 100., "errors": []any{2., 1.}, "seconds": 1., "hash": "x"}
	if text := differ(base, base); text != nil {
		t.Errorf("a row differs from itself: %s", text)
	}
	for name, change := range map[string]any{
		"edges": 5., "r_asym": 0.50001, "time_ms": 100.001, "errors": []any{2., 1.1}, "seconds": 9., "bound": 0.4,
	} {
		other := maps.Clone(base)
		other[name] = change
		if len(differ(other, base)) != 1 || len(differ(base, other)) != 1 {
			t.Errorf("%s: the change was not seen", name)
		}
	}
	shorter, rounded := maps.Clone(base), maps.Clone(base)
	shorter["errors"] = []any{2.}
	if differ(shorter, base) == nil || differ(base, shorter) == nil {
		t.Error("a shorter curve was not seen")
	}
	rounded["r_asym"], rounded["errors"], rounded["seconds"] = 0.5000001, []any{2.001, 1.}, 9.
	if text := differ(rounded, base, "seconds"); text != nil {
		t.Errorf("rounding, or a time that is left out, makes a difference: %s", text)
	}
}

func TestUnknownExperimentsAreErrors(t *testing.T) {
	o := ledger.Options{Root: "../..", Results: t.TempDir(), Toy: true, Log: io.Discard}
	err := compute(t.Context(), o, []string{"table1", "tabel2"})
	if err == nil || !strings.Contains(err.Error(), "tabel2") {
		t.Errorf("error %v; want one that names tabel2", err)
	}
}
