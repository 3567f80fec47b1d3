package cli_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/show/report"

	"github.com/google/go-cmp/cmp"
)

// The table of the README that says how much faster holds what plan answers.
func TestReadmeStatesRealSpeedups(t *testing.T) {
	if testing.Short() {
		t.Skip("plans every example of the README; make deep does")
	}
	const file = "../../../README.md"
	readme, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	predicted := 0
	row := regexp.MustCompile("(?m)^(\\| [^|]+ \\| `batopo plan (examples/[^`]+)` \\|).*$")
	real := row.ReplaceAllStringFunc(string(readme), func(shown string) string {
		predicted++
		parts := row.FindStringSubmatch(shown)
		return parts[1] + speedup(t, "../../../"+parts[2])
	})
	if predicted != 4 {
		t.Errorf("README.md has %d predicted rows, want 4", predicted)
	}
	if *update {
		if err := os.WriteFile(file, []byte(real), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(real, string(readme)); diff != "" {
		t.Errorf("README.md is out of date; go test ./internal/face/cli -run Readme -update writes it (-real +shown):\n%s", diff)
	}
}

// priced is how long an iteration takes, and what one of synchronous training is worth.
type priced struct {
	Iteration float64 `json:"iteration_ms"`
	Effective float64 `json:"progress_ms"`
	Error     float64 `json:"log_standard_error"`
}

// times says how many times as fast an answer is as something else, with the range.
func (p priced) times(other priced) string {
	ratio, error := other.Effective/p.Effective, math.Exp(math.Hypot(p.Error, other.Error))
	if error == 1 {
		return fmt.Sprintf("%.2f", ratio)
	}
	return fmt.Sprintf("%.2f (%.2f to %.2f)", ratio, ratio/error, ratio*error)
}

// speedup is the end of a row: the answer and its time, how many times as fast it is as the best simple alternative,
// and as DistributedDataParallel on all machines, with their times.
func speedup(t *testing.T, file string) string {
	t.Helper()
	var said struct {
		Answer  string `json:"headline"`
		Choices []struct {
			Kind        string    `json:"kind"`
			Nodes       []int     `json:"nodes"`
			Shares      []float64 `json:"batch_shares"`
			Recommended bool      `json:"recommended"`
			priced
		} `json:"candidates"`
		Simple struct {
			What string `json:"what"`
			priced
		} `json:"best_simple"`
	}
	words := append([]string{"plan", "--quiet", "--json"}, strings.Fields(file)...) // a file, and perhaps options
	if err := json.Unmarshal([]byte(must(t, words...)), &said); err != nil {
		t.Fatal(err)
	}
	answer := strings.TrimSuffix(strings.TrimPrefix(said.Answer, "Run "), ".")
	var ours, ddp int
	for k, c := range said.Choices {
		if c.Recommended {
			ours = k
		}
		if c.Kind == "ddp" && len(c.Nodes) == 0 && len(c.Shares) == 0 {
			ddp = k
		}
	}
	r, d := said.Choices[ours], said.Choices[ddp]
	if d.Kind != "ddp" || !r.Recommended {
		t.Fatalf("%s: no choice is recommended, or none is DistributedDataParallel", file)
	}
	simple, all := "1: it is that", "1: it is that"
	if r.Effective != said.Simple.Effective {
		simple = fmt.Sprintf("%s; %s: %s ms", r.times(said.Simple.priced), said.Simple.What,
			report.Number(said.Simple.Iteration))
	}
	if ours != ddp {
		all = fmt.Sprintf("%s; %s ms", r.times(d.priced), report.Number(d.Iteration))
	}
	return fmt.Sprintf(" %s | %s | %s | %s |", answer, report.Number(r.Iteration), simple, all)
}

// notRun are lines of the README's shell blocks that a test cannot run, with what runs them instead.
var notRun = map[string]string{
	"pip install ./python": "it installs into the machine; make release-check builds the same package as a wheel",
	"make test":            "running this test runs it",
}

// The shell blocks of the README do what they say, in a home of their own.
func TestReadmeShellLinesRun(t *testing.T) {
	if testing.Short() {
		t.Skip("installs the program; make deep does")
	}
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	env := append(os.Environ(), "HOME="+home)
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
		value, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		env = append(env, name+"="+strings.TrimSpace(string(value)))
	}
	said := map[string]string{}
	for _, block := range fenced.FindAllStringSubmatch(string(readme), -1) {
		if block[1] != "sh" {
			continue
		}
		for line := range strings.Lines(block[2]) {
			line, _, _ = strings.Cut(line, "#")
			line = strings.TrimSpace(line)
			if notRun[line] != "" {
				continue
			}
			c := exec.Command("sh", "-c", line)
			c.Dir, c.Env = "../../..", env
			out, err := c.CombinedOutput()
			if err != nil {
				t.Errorf("%s: %v\n%s", line, err, out)
			}
			said[line] = string(out)
		}
	}
	if len(said) != 2 {
		t.Errorf("%d lines were run, want make install and go run", len(said))
	}
	if out := said["go run ./cmd/batopo plan --nodes 16"]; !strings.Contains(out, "\n  torchrun --nnodes 16 ") {
		t.Errorf("plan --nodes 16 gives no answer:\n%s", out)
	}
	out, err := exec.Command(home+"/.local/bin/batopo", "version").Output()
	if err != nil || !strings.HasPrefix(string(out), "batopo ") {
		t.Errorf("the installed program says %q: %v", out, err)
	}
}
