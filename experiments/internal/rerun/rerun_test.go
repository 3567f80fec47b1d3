package rerun

import (
	"maps"
	"testing"

	"github.com/batopo/batopo/experiments/internal/ledger"
)

func TestDifferencesAreSeen(t *testing.T) {
	base := ledger.Fields{"edges": 4., "r_asym": 0.5, "time_ms": 100., "errors": []any{2., 1.}, "seconds": 1., "note": "x"}
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
