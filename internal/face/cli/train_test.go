package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/face/cli"

	"github.com/google/go-cmp/cmp"
)

// trainingLine is what a test reads of any line of train --json.
type trainingLine struct {
	Event, Run  string
	Iteration   int
	Accuracy    float64
	IterationMS float64 `json:"iteration_ms"`
	Order       string
	Every       int
	ToTarget    *int `json:"iterations_to_target"`
	Runs        []trainingLine
}

func trainingLines(t *testing.T, out string) (lines []trainingLine) {
	t.Helper()
	for in := bufio.NewScanner(strings.NewReader(out)); in.Scan(); {
		var l trainingLine
		if err := json.Unmarshal(in.Bytes(), &l); err != nil {
			t.Fatalf("%v in %s", err, in.Text())
		}
		lines = append(lines, l)
	}
	return lines
}

// The plan and its baselines learn the digits; the picture and the table name all of them.
func TestTrainShowsPlanAndBaselines(t *testing.T) {
	plot := filepath.Join(t.TempDir(), "learning.svg")
	out := must(t, "train", "--nodes", "16", "--iterations", "100", "--plot", plot, "--quiet")
	picture, err := os.ReadFile(plot)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"plan", "ring", "exponential", "one-peer-exponential", "all-reduce"} {
		if !strings.Contains(out, "\n"+want+" ") || !strings.Contains(string(picture), ">"+want+"<") {
			t.Errorf("%s is missing in the table or in the picture:\n%s", want, out)
		}
	}
	if !strings.Contains(out, "16 nodes, digits: 1437 training and 360 test images, classes evenly spread") {
		t.Errorf("the setting is not described:\n%s", out)
	}
}

// What docs/train.md shows is what the program prints.
func TestTrainDocShowsRealOutput(t *testing.T) {
	if testing.Short() {
		t.Skip("trains for a page of the docs; make deep does")
	}
	doc, err := os.ReadFile("../../../docs/train.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(doc), "$ batopo train --nodes 16\n")
	shown, _, closed := strings.Cut(after, "```")
	if !found || !closed {
		t.Fatal("docs/train.md shows no output of batopo train --nodes 16")
	}
	if diff := cmp.Diff(must(t, "train", "--nodes", "16", "--quiet"), shown); diff != "" {
		t.Errorf("docs/train.md differs from the program (-printed +shown):\n%s", diff)
	}
}

// The same bytes for any number of workers.
func TestTrainIsDeterministic(t *testing.T) {
	if testing.Short() {
		t.Skip("trains twice; train's own tests compare smaller runs")
	}
	common := []string{"train", "--nodes", "8", "--skew", "0.3", "--momentum", "quasi-global", "--json", "--quiet"}
	run := func(more ...string) string { return must(t, append(common, more...)...) }
	whole := run("--iterations", "60", "--workers", "1")
	if got := run("--iterations", "60", "--workers", "4"); got != whole {
		t.Errorf("four workers print\n%s\none prints\n%s", got, whole)
	}
	lines := trainingLines(t, whole)
	if lines[0].Event != "start" || len(lines[0].Runs) != 5 || len(lines) != 1+5*13+5 {
		t.Fatalf("%d lines, the first %+v; want a start, 13 tests of 5 runs and 5 ends", len(lines), lines[0])
	}
	for _, end := range lines[len(lines)-5:] {
		if end.Event != "end" || end.Accuracy < 0.7 {
			t.Errorf("%+v; want an end with at least 0.7", end)
		}
	}
}

// A plan's own order and period of averaging are kept, unless flags say otherwise; they change the time of an
// iteration.
func TestTrainKeepsToThePlan(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ring.json")
	must(t, "topology", "ring", "--nodes", "4", "-o", file)
	plan, err := design.ReadPlanFile(file)
	if err != nil {
		t.Fatal(err)
	}
	plan.Every, plan.Order, plan.Overlap = 4, design.CombineThenAdapt, true
	plan.Hash = plan.ComputeHash()
	var b bytes.Buffer
	if err := plan.Write(&b); err != nil {
		t.Fatal(err)
	}
	own := write(t, "own.json", b.String())
	for _, tc := range []struct {
		flags []string
		order string
		every int
		ms    float64 // compute 15.21, a round of 10.02, which hides behind the gradient where it overlaps
	}{
		{nil, "cta", 4, 15.21},
		{[]string{"--every", "2"}, "cta", 2, 15.21},
		{[]string{"--order", "atc"}, "atc", 4, 15.21 + 10.02/4},
	} {
		args := append([]string{"train", own, "--iterations", "2", "--json", "--quiet", "--baselines", "ring"}, tc.flags...)
		runs := trainingLines(t, must(t, args...))[0].Runs
		if len(runs) != 2 || runs[0].Run != "own" || runs[0].Order != tc.order || runs[0].Every != tc.every ||
			math.Abs(runs[0].IterationMS-tc.ms) > 1e-9 {
			t.Errorf("%v: %+v, want order %s, every %d, %v ms", tc.flags, runs, tc.order, tc.every, tc.ms)
		}
	}
	graph := write(t, "mine.edges", "4\n"+ringLines(4))
	out := must(t, "train", graph, "--iterations", "2", "--quiet", "--baselines", "none")
	if !strings.Contains(out, "mine: the file has no weights") {
		t.Errorf("weights were made up and nobody says so:\n%s", out)
	}
}

func TestTrainRefusesBadInput(t *testing.T) {
	plan := write(t, "p.json", "{}")
	for _, tc := range []struct {
		args []string
		want string
	}{
		{nil, "Give --nodes N, a cluster description, or a plan"},
		{[]string{"--nodes", "4", "--model", "cnn"}, "it must be mlp or softmax"},
		{[]string{"--nodes", "4", "--momentum", "global"}, `--momentum is "global"`},
		{[]string{"--nodes", "4", "--order", "act"}, `--order is "act"`},
		{[]string{"--nodes", "4", "--every", "0"}, "--every is 0; it must be from 1"},
		{[]string{"--nodes", "4", "--rate", "0"}, "--rate is 0"},
		{[]string{"--nodes", "4", "--batch", "0"}, "--batch is 0"},
		{[]string{"--nodes", "4", "--hidden", "0"}, "--hidden is [0]; a layer must be from 1"},
		{[]string{"--nodes", "4", "--hidden", "99999999"}, "--hidden is [99999999]; a layer must be from 1"},
		{[]string{"--nodes", "4", "--iterations", "0"}, "--iterations is 0"},
		{[]string{"--nodes", "4", "--test-every", "0"}, "--test-every is 0"},
		{[]string{"--nodes", "4", "--workers", "-1"}, "--workers is -1; it must be at least 1"},
		{[]string{"--nodes", "4", "--skew", "-1"}, "--skew is -1"},
		{[]string{"--nodes", "4", "--target", "1.5"}, "--target is 1.5"},
		{[]string{"--nodes", "4", "--baselines", "wheel"}, `--baselines is "wheel"; known are all-reduce, ring`},
		{[]string{"--nodes", "4", "--data", "nowhere"}, "batopo: --data: stat nowhere: no such file"},
		{[]string{"--nodes", "4", "--data", t.TempDir()}, "no data set"},
		{[]string{"--nodes", "4", "--plot", "x.png"}, "batopo draws SVG"},
		{[]string{"--nodes", "500"}, "for 500 nodes"},
		{[]string{plan}, "p.json"},
	} {
		code, out, errs := run(t, append([]string{"train", "--quiet"}, tc.args...)...)
		if code != 2 || out != "" || !strings.Contains(errs, tc.want) {
			t.Errorf("train %v: exit %d, %q\n%s\nwant 2 and %q", tc.args, code, out, errs, tc.want)
		}
	}
}

// Three seeds show the mean of three trainings, with Student's interval.
func TestTrainWithSeeds(t *testing.T) {
	same := []string{"train", "--nodes", "4", "--iterations", "60", "--baselines", "ring", "--evaluations", "100", "--quiet"}
	sum, all := 0.0, []float64{}
	for _, seed := range []string{"7", "8", "9"} {
		lines := trainingLines(t, must(t, append(slices.Clone(same), "--seed", seed, "--json")...))
		last := lines[len(lines)-1]
		if last.Event != "end" || last.Run != "ring" {
			t.Fatalf("the last line is %+v", last)
		}
		all, sum = append(all, last.Accuracy), sum+last.Accuracy
	}
	squares := 0.0
	for _, v := range all {
		squares += (v - sum/3) * (v - sum/3)
	}
	const student = 4.30265 // two degrees of freedom, 97.5 %
	want := fmt.Sprintf("%.4f ± %.4f", sum/3, student*math.Sqrt(squares/2)/math.Sqrt(3))
	if out := must(t, append(slices.Clone(same), "--seed", "7", "--seeds", "3")...); !strings.Contains(out, want) {
		t.Errorf("the ring's accuracy should be %s:\n%s", want, out)
	}
	for _, tc := range []struct{ want, flags string }{
		{"--seeds is 0; it must be from 1 to 100", "--seeds 0"}, {"--json is about one", "--seeds 2 --json"},
	} {
		code, _, errs := run(t, append(slices.Clone(same), strings.Fields(tc.flags)...)...)
		if code != 2 || !strings.Contains(errs, tc.want) {
			t.Errorf("%s: exit %d, %q; want 2 and %q", tc.flags, code, errs, tc.want)
		}
	}
}

// A training that is stopped shows what it has.
func TestInterruptedTrainingShowsWhatItHas(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := &stopper{after: 40, stop: cancel}
	var errs bytes.Buffer
	env := cli.Env{Stdin: strings.NewReader(""), Stdout: out, Stderr: &errs, Getenv: func(string) string { return "" }}
	code := cli.Run(ctx, env, []string{"train", "--nodes", "4", "--iterations", "1000000", "--json"})
	if code != 1 || !strings.Contains(errs.String(), "interrupted; what was trained is shown") {
		t.Errorf("exit %d\n%s", code, errs.String())
	}
	lines := trainingLines(t, out.String())
	if last := lines[len(lines)-1]; last.Event != "end" || last.Run != "all-reduce" {
		t.Errorf("the last line is %+v, want the end of all-reduce", last)
	}
}

// stopper cancels a command after it has written a number of times.
type stopper struct {
	bytes.Buffer
	after int
	stop  context.CancelFunc
}

func (s *stopper) Write(b []byte) (int, error) {
	if s.after--; s.after == 0 {
		s.stop()
	}
	return s.Buffer.Write(b)
}

// The draw of seed 1 on 12 nodes is not connected. Every command takes the draw of seed 3 instead, and says so.
func TestRandomFamiliesAreDrawnAlike(t *testing.T) {
	plan := filepath.Join(t.TempDir(), "u.json")
	for name, out := range map[string]string{
		"topology": must(t, "topology", "u-equistatic", "--nodes", "12", "--seed", "1", "-o", plan),
		"train": must(t, "train", "--nodes", "12", "--seed", "1", "--iterations", "1", "--evaluations", "100",
			"--baselines", "u-equistatic"),
	} {
		if !strings.Contains(out, "drawn with seed 3, the first from 1 on") {
			t.Errorf("%s does not say what was drawn:\n%s", name, out)
		}
	}
	out := must(t, "compare", "--nodes", "12", "--seed", "1", "--json")
	if !strings.Contains(out, "seed 3, the first connected draw") {
		t.Errorf("compare:\n%s", out)
	}
}
