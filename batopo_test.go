package batopo_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/face/cli"
)

// command runs the command line and returns the plan in the file it wrote.
func command(t *testing.T, file string, args ...string) *batopo.Plan {
	t.Helper()
	var out, errs bytes.Buffer
	gonum := func(string) string { return "gonum" }
	env := cli.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: gonum}
	if code := cli.Run(t.Context(), env, append(args, "--quiet")); code != 0 {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	p, err := batopo.ReadPlan(file)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The zero options ask the same question as the command line.
func TestZeroOptionsAreTheCommandsDefaults(t *testing.T) {
	c, err := batopo.Equal(6)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "plan.json")
	for _, static := range []bool{false, true} {
		shown := command(t, file, "plan", "--static="+strconv.FormatBool(static), "--nodes", "6", "-o", dir)
		answer, err := batopo.Advise(t.Context(), c, batopo.Options{Static: static})
		if err != nil {
			t.Fatal(err)
		}
		same(t, "Advise", answer.Plan, shown, err)
		if training := answer.Plan.Purpose == batopo.Training; training == static {
			t.Errorf("static %t: the plan is for %s", static, answer.Plan.Purpose)
		}
	}
	shown := command(t, file, "optimize", "--nodes", "6", "--edges", "8", "-o", file)
	optimized, err := batopo.Optimize(t.Context(), c, batopo.Options{MaxEdges: 8})
	same(t, "Optimize", optimized, shown, err)

	ring := "6\n0 1\n1 2\n2 3\n3 4\n4 5\n0 5\n"
	if err := os.WriteFile(filepath.Join(dir, "ring.txt"), []byte(ring), 0o666); err != nil {
		t.Fatal(err)
	}
	shown = command(t, file, "weights", filepath.Join(dir, "ring.txt"), "-o", file)
	edges := []batopo.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 2, J: 3}, {I: 3, J: 4}, {I: 4, J: 5}, {I: 0, J: 5}}
	weighted, err := batopo.Weights(t.Context(), c, edges, batopo.Options{})
	same(t, "Weights", weighted, shown, err)
}

// same compares everything but the facts of the run.
func same(t *testing.T, name string, got, want *batopo.Plan, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	got.Run, want.Run = design.Run{}, design.Run{}
	var a, b bytes.Buffer
	if err := got.Write(&a); err != nil {
		t.Fatal(err)
	}
	if err := want.Write(&b); err != nil {
		t.Fatal(err)
	}
	if a.String() != b.String() {
		t.Errorf("%s gives\n%s\nthe command\n%s", name, a.String(), b.String())
	}
}

func TestWeightsNeedConnectedEdges(t *testing.T) {
	c, err := batopo.Equal(4)
	if err != nil {
		t.Fatal(err)
	}
	apart := []batopo.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 0, J: 2}}
	_, err = batopo.Weights(t.Context(), c, apart, batopo.Options{})
	if err == nil || !strings.Contains(err.Error(), "falls into 2 parts (nodes 0 and 3 never meet)") {
		t.Errorf("a triangle and a node alone: %v", err)
	}
	if _, err = batopo.Weights(t.Context(), nil, apart, batopo.Options{}); err == nil {
		t.Error("weights without a cluster gave no error")
	}
}

// Training means W ⪰ 0, whichever question is asked.
func TestTrainingKeepsEigenvaluesAboveZero(t *testing.T) {
	c, err := batopo.Equal(6)
	if err != nil {
		t.Fatal(err)
	}
	ring := []batopo.Edge{{I: 0, J: 1}, {I: 1, J: 2}, {I: 2, J: 3}, {I: 3, J: 4}, {I: 4, J: 5}, {I: 0, J: 5}}
	for _, purpose := range []batopo.Purpose{batopo.Consensus, batopo.Training} {
		o := batopo.Options{MaxEdges: 6, Purpose: purpose}
		best, err := batopo.Advise(t.Context(), c, batopo.Options{Static: true, MaxEdges: 6, Purpose: purpose})
		if err != nil {
			t.Fatal(err)
		}
		training(t, purpose, best.Plan, nil)
		optimized, err := batopo.Optimize(t.Context(), c, o)
		training(t, purpose, optimized, err)
		weighted, err := batopo.Weights(t.Context(), c, ring, o)
		training(t, purpose, weighted, err)
	}
}

// training checks that the smallest eigenvalue is negative, or not, as the purpose says.
func training(t *testing.T, purpose batopo.Purpose, p *batopo.Plan, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	const rounded = 1e-9 // eigenvalues are computed to that
	if safe := *p.LambdaN >= -rounded; safe != (purpose == batopo.Training) || p.Purpose != purpose {
		t.Errorf("%s: the plan is for %s, its smallest eigenvalue is %v", purpose, p.Purpose, *p.LambdaN)
	}
}

// docs/library.md shows the example that runs here.
func TestDocumentShowsTheExample(t *testing.T) {
	document, err := os.ReadFile("docs/library.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(document), "```go\n")
	shown, _, ok := strings.Cut(rest, "```")
	if !ok {
		t.Fatal("docs/library.md shows no Go")
	}
	if lines := strings.Count(shown, "\n"); lines > 8 {
		t.Errorf("docs/library.md needs %d lines from a cluster to weights; 8 are promised", lines)
	}
	for line := range strings.Lines(shown) {
		if !strings.Contains(string(source), "\t"+line) {
			t.Errorf("docs/library.md shows a line that example_test.go does not run: %s", line)
		}
	}
}

// A false claim is an error, and so is a check that could not be finished.
func TestCheckNamesFalseClaims(t *testing.T) {
	c, err := batopo.Equal(6)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := batopo.Optimize(t.Context(), c, batopo.Options{MaxEdges: 6})
	if err != nil {
		t.Fatal(err)
	}
	if report, err := batopo.Check(t.Context(), plan); err != nil || len(report) == 0 {
		t.Errorf("an honest plan: %d findings, %v", len(report), err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := batopo.Check(ended, plan); err == nil {
		t.Error("a check that was cut short says that the plan is good")
	}
	plan.RAsym /= 2
	if _, err := batopo.Check(t.Context(), plan); err == nil || !strings.Contains(err.Error(), "r_asym") {
		t.Errorf("half of r_asym: %v", err)
	}
}

// Three nodes with one edge each cannot be connected, which is proved.
func TestInfeasibleIsSaid(t *testing.T) {
	c, err := cluster.New(cluster.Spec{Bandwidth: cluster.Numbers{1, 1, 1}, Edges: []int{1, 1, 1}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := batopo.Optimize(t.Context(), c, batopo.Options{MaxEdges: 2}); !errors.Is(err, batopo.ErrInfeasible) {
		t.Errorf("error %v, want ErrInfeasible", err)
	}
}

// Where a description states a message of its own and nothing names an optimizer, AdamW is assumed, and slow links get
// local SGD between groups; the paper's message means SGD.
func TestTheOptimizerThatIsAssumed(t *testing.T) {
	message, compute := 500.0, 300.0
	sites := cluster.Spec{Format: cluster.FormatV2, Model: &cluster.ModelSpec{MessageMB: &message, ComputeMS: &compute},
		Tree: &cluster.Group{Groups: []cluster.Group{{Name: "site", Count: 2, Nodes: 2, Link: &cluster.Link{GBs: 25},
			Uplink: &cluster.Link{GBs: 0.125}}}}}
	for want, spec := range map[batopo.Optimizer]cluster.Spec{"adamw": sites, "sgd": cluster.Homogeneous(4, 1)} {
		c, err := cluster.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := batopo.Advise(t.Context(), c, batopo.Options{Evaluations: 1000, Wire: "fp32"})
		if err != nil {
			t.Fatal(err)
		}
		if got := answer.Advice.Setting.Optimizer; got != want {
			t.Errorf("the optimizer is %q, want %q", got, want)
		}
		if clocks := answer.Plan.HasClocks(); clocks != (want == "adamw") {
			t.Errorf("%s: whether the plan has clocks is %t", want, clocks)
		}
	}
}

// A cluster that is missing is a mistake of the caller, which is named.
func TestNothingPanicsWithoutACluster(t *testing.T) {
	_, err := batopo.Advise(t.Context(), nil, batopo.Options{})
	_, optimize := batopo.Optimize(t.Context(), nil, batopo.Options{MaxEdges: 4})
	_, weights := batopo.Weights(t.Context(), nil, nil, batopo.Options{})
	rows, skipped := batopo.Compare(t.Context(), nil, nil, batopo.Options{})
	if len(rows) != 0 || len(skipped) != 1 {
		t.Fatal(rows, skipped)
	}
	for _, err := range []error{err, optimize, weights, skipped[0].Err} {
		if err == nil || !strings.Contains(err.Error(), "cluster") {
			t.Error(err)
		}
	}
}
