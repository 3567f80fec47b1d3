package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
)

// Every command that uses a plan refuses one that was changed after it was written. With --unchecked it takes the
// content, under the hash of that content.
func TestChangedPlansAreUsedOnlyUnchecked(t *testing.T) {
	dir := t.TempDir()
	file, next := filepath.Join(dir, "ring.json"), filepath.Join(dir, "next.yaml")
	must(t, "topology", "ring", "--nodes", "4", "-o", file)
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(source), `"every": 1`, `"every": 4`, 1)
	description := "format: batopo.cluster/v1\nnodes: 4\nbandwidth: 9.76\n"
	for name, text := range map[string]string{file: changed, next: description} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	plan, err := design.ReadPlanFile(file)
	if err != nil || plan.Every != 4 {
		t.Fatalf("%v, every %d", err, plan.Every)
	}
	for _, args := range [][]string{
		{"export", file, "--format", "torch"}, {"simulate", file, "--json"}, {"draw", file, "-o", "-"},
		{"train", file, "--iterations", "4", "--baselines", "none", "--quiet"}, {"topology", "matchings", "--of", file},
		{"replan", file, "--cluster", next}, {"weights", file, "--quiet"}, {"compare", file},
	} {
		code, _, errs := run(t, args...)
		if code != 2 || !strings.Contains(errs, plan.Hash) || !strings.Contains(errs, plan.ComputeHash()) ||
			!strings.Contains(errs, "--unchecked") {
			t.Errorf("batopo %s: exit %d, %s", strings.Join(args, " "), code, errs)
		}
		code, out, errs := run(t, append(args, "--unchecked")...)
		if code == 2 || strings.Contains(out, plan.Hash) {
			t.Errorf("batopo %s --unchecked: exit %d, %s, or the old hash is shown", strings.Join(args, " "), code, errs)
		}
	}
	if code, _, _ := run(t, "verify", file); code != 1 {
		t.Errorf("verify: exit %d; a false hash is a false claim", code)
	}
}
