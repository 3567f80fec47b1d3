package cli_test

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestScheduleIsAPlanThatHolds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rounds.json")
	ask := []string{"schedule", "../../../examples/node-level-16.yaml", "--exact", "--evaluations", "3000", "--quiet"}
	text := must(t, append(ask, "-o", file)...)
	for _, want := range []string{"4 rounds, 60.18 ms", "least time", "40.11 ms"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
	report := must(t, "verify", file)
	if !strings.Contains(report, "0 are false") || !strings.Contains(report, "time_bound") {
		t.Errorf("verify says:\n%s", report)
	}
	parts := must(t, "schedule", "../../../examples/node-level-16.yaml", "--form", "parts", "--quiet", "-o", file)
	if !strings.Contains(parts, "15.99 ms") || !strings.Contains(must(t, "verify", file), "0 are false") {
		t.Errorf("in parts:\n%s", parts)
	}
	if again := must(t, ask...); again != text {
		t.Errorf("the same command says\n%s\nand\n%s", text, again)
	}
}
