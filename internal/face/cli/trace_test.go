package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
)

// The trace of Algorithm 2 ends with the graph of the plan, keeps the printed rule, and is the same every time.
func TestTraceEndsWithThePlan(t *testing.T) {
	trace := func(more ...string) (text string, plan design.Plan) {
		file := filepath.Join(t.TempDir(), "steps.csv")
		out := must(t, append([]string{"optimize", "--nodes", "8", "--edges", "12", "--method", "paper", "--quiet", "--json",
			"--trace", file}, more...)...)
		if err := json.Unmarshal([]byte(out), &plan); err != nil {
			t.Fatal(err)
		}
		written, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(written), plan
	}
	text, plan := trace()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if want := "run,step,rho,gap,dual,lambda,r_asym"; lines[0] != want {
		t.Fatalf("the trace begins with %q, want %q", lines[0], want)
	}
	last := strings.Split(lines[len(lines)-1], ",")
	number := func(column int) float64 {
		v, err := strconv.ParseFloat(last[column], 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	if len(lines)-1 != int(number(1)) || number(3) > 1e-6 {
		t.Errorf("%d steps; the last is %v, and should have its own number and ‖X − Y‖² ≤ 1e-6", len(lines)-1, last)
	}
	if d := number(6) - plan.RAsym; d > 1e-9 || d < -1e-9 {
		t.Errorf("the trace ends with r_asym %v, the plan has %v", number(6), plan.RAsym)
	}
	if again, _ := trace("--workers", "1"); again != text {
		t.Error("the same question gives another trace")
	}
	many, _ := trace("--starts", "3", "--seed", "5")
	runs := 0
	for k, line := range strings.Split(strings.TrimSpace(many), "\n")[1:] {
		run, _ := strconv.Atoi(strings.Split(line, ",")[0])
		if step := strings.Split(line, ",")[1]; run != runs && (run != runs+1 || step != "1") {
			t.Fatalf("line %d of the trace of three starts is out of order: %s", k+2, line)
		}
		runs = run
	}
	if runs != 3 {
		t.Errorf("the trace of three starts has %d", runs)
	}
}

func TestTraceIsDrawn(t *testing.T) {
	file := filepath.Join(t.TempDir(), "steps.svg")
	must(t, "optimize", "--nodes", "8", "--edges", "12", "--method", "admm", "--steps", "100", "--quiet", "--trace", file)
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "Algorithm 2, step by step") {
		t.Errorf("no picture of the steps: %v", err)
	}
}

func TestTraceRefuses(t *testing.T) {
	for _, tc := range []struct {
		name, want string
		args       []string
	}{
		{"another ending", "batopo draws SVG", []string{"--method", "paper", "--trace", "steps.txt"}},
		{"another method", "only the methods admm and paper", []string{"--trace", "steps.csv"}},
		{"too long", "at most 1048576 lines", []string{"--method", "paper", "--starts", "1000", "--steps", "10000", "--trace",
			filepath.Join(t.TempDir(), "steps.csv")}},
	} {
		code, _, errs := run(t, append([]string{"optimize", "--nodes", "8", "--edges", "12", "--quiet"}, tc.args...)...)
		if code != 2 || !strings.Contains(errs, tc.want) {
			t.Errorf("%s: exit %d, %q; want 2 and %q", tc.name, code, errs, tc.want)
		}
	}
}
