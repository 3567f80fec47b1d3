package cli_test

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
)

// What plan writes beside plan.json is a drawing of that plan, whatever kind it is, and not of another that was
// searched for on the way.
func TestPlanDrawsWhatItRecommends(t *testing.T) {
	for _, tc := range []struct {
		name   string
		ask    []string
		rounds int
	}{
		{"schedule", []string{"--nodes", "8", "--compute", "100ms", "--message", "350MB", "--bandwidth", "4",
			"--optimizer", "sgd", "--wire", "fp32"}, 3},
		{"static only", []string{"--nodes", "4", "--static"}, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			said := must(t, append([]string{"plan", "-o", dir, "--quiet"}, tc.ask...)...)
			if file := filepath.ToSlash(filepath.Join(dir, "plan.json")); strings.Contains(said, "attach(") &&
				!strings.Contains(said, fmt.Sprintf("batopo.attach(optimizer, %q", file)) {
				t.Errorf("the lines of Python do not name %s:\n%s", file, said)
			}
			plan := readPlan(t, filepath.Join(dir, "plan.json"))
			if len(plan.Rounds) != tc.rounds {
				t.Fatalf("%s has %d rounds", plan.Method, len(plan.Rounds))
			}
			drawn, page := content(t, dir, "graph.svg"), content(t, dir, "report.html")
			if want := must(t, "draw", filepath.Join(dir, "plan.json"), "-o", "-"); drawn != want {
				t.Errorf("graph.svg is not what draw makes of plan.json, %s", plan.Method)
			}
			page, drawn = html.UnescapeString(page), html.UnescapeString(drawn)
			title := fmt.Sprintf(">%s, %d nodes<", plan.Method, plan.Nodes)
			if !strings.Contains(page, title) || !strings.Contains(drawn, title) {
				t.Errorf("report.html or graph.svg lacks the title %s", title)
			}
			if n := strings.Count(page, ">round "); tc.rounds > 1 && n != tc.rounds {
				t.Errorf("report.html draws %d rounds, the plan has %d", n, tc.rounds)
			}
		})
	}
}

func readPlan(t *testing.T, file string) *design.Plan {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	plan, err := design.ReadPlan(file, f)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func content(t *testing.T, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// A plan that is not written leaves no folder, and takes none away that was there.
func TestNoAnswerLeavesNoFolder(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "there")
	if err := os.Mkdir(there, 0o777); err != nil {
		t.Fatal(err)
	}
	for folder, kept := range map[string]bool{filepath.Join(dir, "new", "deep"): false, there: true} {
		if code, _, errs := run(t, "plan", "--nodes", "6", "--static", "-o", folder, "--time", "1ns"); code != 1 {
			t.Fatalf("exit %d, %s", code, errs)
		}
		if _, err := os.Stat(folder); (err == nil) != kept {
			t.Errorf("%s: %v, kept %t", folder, err, kept)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "new")); err == nil {
		t.Error("the folder above it is left")
	}
}
