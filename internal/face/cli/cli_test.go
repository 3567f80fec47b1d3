package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/face/cli"
)

// run runs a command line and returns its exit code and what it printed.
func run(t testing.TB, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = cli.Run(context.Background(),
		cli.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}, args)
	return code, out.String(), errs.String()
}

func must(t testing.TB, args ...string) string {
	t.Helper()
	code, out, errs := run(t, args...)
	if code != 0 {
		t.Fatalf("batopo %s: exit %d\n%s", strings.Join(args, " "), code, errs)
	}
	return out
}

func write(t testing.TB, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// Table I of the paper, exponential row, through the command line.
func TestTopologyPrintsTableOne(t *testing.T) {
	for _, tc := range []struct {
		n     int
		rAsym float64
		ms    float64
	}{
		{4, 0.33, 90}, {6, 0.5, 210}, {8, 0.5, 210}, {12, 0.6, 381}, {16, 0.6, 381}, {24, 0.67, 576},
		{32, 0.67, 576}, {48, 0.71, 842}, {64, 0.71, 842}, {96, 0.75, 1157}, {128, 0.75, 1157},
	} {
		var plan design.Plan
		if err := json.Unmarshal([]byte(must(t, "topology", "exponential", "--nodes", fmt.Sprint(tc.n), "--json")),
			&plan); err != nil {
			t.Fatal(err)
		}
		if math.Abs(plan.RAsym-tc.rAsym) > 0.005 || math.Round(plan.TimeMS) != tc.ms {
			t.Errorf("n = %d: %v in %v ms, want %v in %v", tc.n, plan.RAsym, plan.TimeMS, tc.rAsym, tc.ms)
		}
	}
}

func TestBadInputExitsTwoAndSaysWhy(t *testing.T) {
	garbage := strings.Repeat("\x00\xff garbage ", 1<<20)
	ring := filepath.Join(t.TempDir(), "ring.json")
	must(t, "topology", "ring", "--nodes", "4", "-o", ring)
	for _, tc := range []struct {
		name string
		args []string
		want string
	}{
		{"no nodes", []string{"topology", "ring", "--nodes", "0"}, "--nodes is 0; it must be from 2 to 131072"},
		{"one node", []string{"topology", "ring", "--nodes", "1"}, "it must be from 2"},
		{"negative", []string{"topology", "ring", "--nodes", "-3"}, "it must be from 2"},
		{"unknown family", []string{"topology", "wheel", "--nodes", "5"}, "known are ring, path"},
		{"hypercube of 6", []string{"topology", "hypercube", "--nodes", "6"}, "power of 2"},
		{"unknown rule", []string{"topology", "ring", "--nodes", "5", "--rule", "best"}, "metropolis"},
		{"unknown flag", []string{"topology", "ring", "--knots", "5"}, "see batopo topology --help"},
		{"misspelt flag", []string{"topology", "ring", "--node", "5"}, "did you mean --nodes? See batopo topology --help"},
		{"unknown short flag", []string{"plan", "-z"}, "see batopo plan --help"},
		{"no flag of the program", []string{"--nodes", "4"}, "see batopo --help"},
		{"letters for a number", []string{"plan", "--nodes", "x"},
			`--nodes is "x"; it must be a whole number; see batopo plan --help`},
		{"time without unit", []string{"plan", "--nodes", "4", "--time", "5"}, "such as 10s"},
		{"flag without value", []string{"plan", "--nodes"}, "see batopo plan --help"},
		{"unknown command", []string{"topologie"}, `unknown command "topologie"; did you mean topology? See batopo --help`},
		{"unknown command with flags", []string{"pln", "--nodes", "4"},
			`unknown command "pln"; did you mean plan? See batopo --help`},
		{"help of an unknown command", []string{"help", "pln"},
			`unknown command "pln"; did you mean plan? See batopo --help`},
		{"help of an unknown subcommand", []string{"help", "cluster", "draw"},
			`unknown command "draw"; see batopo cluster --help`},
		{"unknown shell", []string{"completion", "csh"}, `unknown command "csh"`},
		{"time 0", []string{"verify", ring, "--time", "0s"}, "--time is 0s; it must be a positive time"},
		{"negative time", []string{"plan", "--nodes", "4", "--time", "-1s"}, "--time is -1s"},
		{"no trials", []string{"simulate", ring, "--trials", "0"}, "--trials is 0; it must be from 1 to 1048576"},
		{"too many trials", []string{"simulate", ring, "--trials", "1000000000"},
			"--trials is 1000000000; it must be from 1 to 1048576"},
		{"too many rounds", []string{"simulate", ring, "--rounds", "1000000000"},
			"--rounds is 1000000000; it must be from 1 to"},
		{"NaN target", []string{"simulate", ring, "--target", "NaN"}, "--target is NaN; it must be a finite number"},
		{"infinite target", []string{"simulate", ring, "--target", "+Inf"}, "must be a finite number"},
		{"negative target", []string{"simulate", ring, "--target", "-1"}, "target is -1"},
		{"negative evaluations", []string{"plan", "--nodes", "4", "--evaluations", "-5"},
			"--evaluations is -5; it must be at least 1"},
		{"too many starts", []string{"optimize", "--nodes", "4", "--edges", "4", "--starts", "1000000000"},
			"--starts is 1000000000; it must be from 1 to"},
		{"too many nodes", []string{"topology", "hypercube", "--nodes", "1048576"}, "it must be from 2 to 131072"},
		{"no share", []string{"optimize", "--nodes", "4", "--edges", "4", "--method", "paper", "--share", "0"},
			"--share is 0; it must be positive; leave the flag out for its default"},
		{"negative share", []string{"optimize", "--nodes", "4", "--edges", "4", "--method", "paper", "--share", "-1"},
			"--share is -1; it must be positive\n"},
		{"no evaluations", []string{"plan", "--nodes", "4", "--evaluations", "0"},
			"--evaluations is 0; it must be at least 1; leave the flag out for its default"},
		{"no edges", []string{"optimize", "--nodes", "4", "--edges", "0"}, "--edges is 0; it must be from 1 to 1048576\n"},
		{"no steps", []string{"optimize", "--nodes", "4", "--edges", "4", "--method", "admm", "--steps", "0"},
			"--steps is 0; it must be from 1 to"},
		{"no changes", []string{"replan", ring, "--cluster", "c.yaml", "--changes", "0"},
			"--changes is 0; it must be positive; leave the flag out for its default"},
		{"too many nodes for gossip", []string{"schedule", "--nodes", "1025"}, `forms "whole" and "parts" take more`},
		{"NaN rho", []string{"optimize", "--nodes", "4", "--edges", "4", "--rho", "NaN"}, "--rho is NaN"},
		{"no plan", []string{"verify"},
			"an argument is missing; use it as batopo verify PLAN… [flags], see batopo verify --help"},
		{"two plans", []string{"export", "a.json", "b.json"},
			`"b.json" is one argument too many; use it as batopo export PLAN --format F`},
		{"no format", []string{"export", ring}, "Give --format F: npy"},
		{"missing file", []string{"verify", "nowhere.json"}, "nowhere.json: no such file"},
		{"unknown picture", []string{"topology", "ring", "--nodes", "4", "--plot", "x.bmp"}, "svg"},
		{"unknown YAML field", []string{"compare", write(t, "c.yaml", "format: batopo.cluster/v1\nnodes: 4\nspeed: 3\n")},
			"c.yaml:3:1: unknown field \"speed\""},
		{"negative bandwidth", []string{"compare",
			write(t, "c.yaml", "format: batopo.cluster/v1\nnodes: 4\nbandwidth: -3\n")}, "bandwidth: is -3"},
		{"NaN bandwidth", []string{"compare", write(t, "c.yaml", "format: batopo.cluster/v1\nnodes: 4\nbandwidth: .nan\n")},
			"bandwidth: is NaN"},
		{"disconnected", []string{"compare", write(t, "g.edges", "4\n0 1\n2 3\n")},
			"falls into 2 parts (nodes 0 and 2 never meet)"},
		{"edge out of range", []string{"compare", write(t, "g.edges", "4\n0 1\n1 4\n")}, "line 3"},
		{"duplicate edge", []string{"compare", write(t, "g.edges", "4\n0 1\n1 0\n")}, "line 3"},
		{"garbage plan", []string{"verify", write(t, "g.json", garbage)}, "g.json:1:2: byte 0xff is not UTF-8"},
		{"garbage cluster", []string{"compare", write(t, "g.yaml", garbage)}, "g.yaml"},
		{"garbage npy", []string{"compare", write(t, "g.npy", garbage)}, "g.npy"},
		{"garbage graph6", []string{"compare", write(t, "g.g6", garbage)}, "g.g6"},
		{"garbage GraphML", []string{"compare", write(t, "g.graphml", garbage)}, "g.graphml"},
		{"garbage edges", []string{"compare", write(t, "g.edges", garbage)}, "line 1"},
		{"unknown ending", []string{"compare", write(t, "g.xls", "1")}, "edge list"},
		{"two clusters", []string{"compare", "../../../examples/homogeneous-16.yaml", "../../../examples/node-level-16.yaml"},
			"two clusters"},
		{"nodes and a cluster", []string{"compare", "--nodes", "4", "../../../examples/homogeneous-16.yaml"},
			"both --nodes and"},
		{"sizes differ", []string{"compare", "--nodes", "5", ring}, "4 nodes, the cluster 5"},
		{"nothing to compare", []string{"compare"}, "compare what?"},
		{"short start", []string{"simulate", ring, "--start", write(t, "x.txt", "1 2 3")}, "3 values for 4 nodes"},
		{"a message in bytes", []string{"plan", "--nodes", "4", "--message", "350000000"},
			"--message is 350000000, which means MB and is 350 TB; write the unit, such as 350000000B"},
		{"an endless message", []string{"plan", "--nodes", "4", "--message", "inf"}, "--message is +Inf; it must be between"},
		{"seed 0", []string{"plan", "--nodes", "4", "--seed", "0"}, "--seed is 0; it must be at least 1; leave the flag out"},
		{"empty start", []string{"simulate", ring, "--start", write(t, "x.txt", " \n")}, "it holds no start values"},
		{"start is text", []string{"simulate", ring, "--start", write(t, "x.txt", "1 two 3")},
			`value 2 is "two"; it must be a number`},
		{"an objective that is none", []string{"optimize", "--nodes", "4", "--edges", "4", "--objective", "speed"}, `--objective is "speed"; it must be`},
		{"skew of a static graph", []string{"plan", "--nodes", "4", "--static", "--skew", "0.1"},
			"--skew is 0.1; it is about training, and which static graph is best does not depend on it"},
		{"another method's flag", []string{"optimize", "--nodes", "4", "--edges", "4", "--rho", "3"},
			"--rho is 3; only the methods admm and paper use it, with method auto it changes nothing"},
		{"no servers", []string{"import", "csv", "x.csv", "--servers", "0"}, "--servers is 0; it must be from 1"},
		{"matchings of nothing", []string{"topology", "matchings"}, "whose edges take turns? Give --of"},
		{"nodes without the flag", []string{"plan", "16"}, `"16" stands alone; for that number of equal machines write --nodes 16`},
		{"a folder", []string{"plan", "."}, ".: is a folder; name the cluster description in it"},
		{"nothing on stdin", []string{"import", "nvidia-smi", "-"}, "batopo: standard input: no row begins with GPU0"},
		{"an unknown format", []string{"import", "smi", "x.txt"}, "formats are nvidia-smi, nccl, "},
		{"rate of an unknown unit", []string{"plan", "--nodes", "4", "--bandwidth", "10Gb"},
			`batopo: --bandwidth: "10Gb" is not a number, such as 12.5,`},
		{"unit apart", []string{"plan", "--nodes", "4", "--message", "14", "GB"},
			`"GB" stands alone; a number and its unit are written together, such as 14GB`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, out, errs := run(t, tc.args...)
			if code != 2 || !strings.Contains(errs, tc.want) || out != "" {
				t.Errorf("exit %d, stdout %q, stderr\n%s\nwant exit 2, nothing on stdout, and %q", code, out, errs, tc.want)
			}
			if len(errs) > 2000 {
				t.Errorf("the message has %d bytes; nobody reads that", len(errs))
			}
		})
	}
}

func TestVerifyExitsOneOnAnEditedPlan(t *testing.T) {
	file := filepath.Join(t.TempDir(), "plan.json")
	must(t, "topology", "torus", "--nodes", "9", "-o", file)
	must(t, "verify", file)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	edited := write(t, "edited.json", strings.Replace(string(b), `"max_degree": 4`, `"max_degree": 3`, 1))
	code, out, errs := run(t, "verify", edited)
	if code != 1 || !strings.Contains(out, "FALSE") || !strings.Contains(errs, "max_degree: claimed 3, recomputed 4") {
		t.Errorf("exit %d\n%s\n%s", code, out, errs)
	}
}

// What a false promise about eigenvalues says is the promise first, then the eigenvalue; what was not recomputed shows
// no second number.
func TestVerifyShowsWhatWasRecomputed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "plan.json")
	must(t, "topology", "ring", "--nodes", "4", "--rule", "best-constant", "-o", file)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	edited := write(t, "edited.json", strings.Replace(string(b), `"min_eigenvalue": null`, `"min_eigenvalue": 0.25`, 1))
	if code, _, errs := run(t, "verify", edited); code != 1 ||
		!strings.Contains(errs, "min_eigenvalue: claimed 0.25, recomputed -0.33333") {
		t.Errorf("exit %d\n%s\nwant that 0.25 was claimed and -0.3333 recomputed", code, errs)
	}
	large := filepath.Join(t.TempDir(), "large.json")
	must(t, "topology", "random-regular", "--nodes", "2050", "-o", large)
	if out := must(t, "verify", large); regexp.MustCompile(`unproved +iterations +[0-9]+ +0 `).MatchString(out) {
		t.Errorf("rounds that were not recomputed are shown as recomputed 0:\n%s", out)
	}
}

func TestCompareListsEveryKindAndOwnFiles(t *testing.T) {
	own := write(t, "mine.edges", "16\n"+ringLines(16))
	var table struct {
		Rows []struct {
			Name, Kind, Note string
			TimeMS           *float64 `json:"time_ms"`
		}
	}
	if err := json.Unmarshal([]byte(must(t, "compare", "--nodes", "16", own, "--json")), &table); err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	times := map[string]float64{}
	for _, r := range table.Rows {
		kinds[r.Kind]++
		if r.TimeMS != nil {
			times[r.Name] = *r.TimeMS
		}
	}
	if kinds["static"] < 10 || kinds["schedule"] < 5 || kinds["allreduce"] < 4 {
		t.Errorf("rows by kind: %v", kinds)
	}
	if times["mine"] == 0 || times["mine"] != times["ring"] {
		t.Errorf("my ring takes %v ms, the known one %v", times["mine"], times["ring"])
	}
	if math.Abs(times["ring all-reduce"]-9.39375) > 1e-6 {
		t.Errorf("ring all-reduce takes %v ms, want 2·15/16·5.01", times["ring all-reduce"])
	}
}

func ringLines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintln(&b, i, (i+1)%n)
	}
	return b.String()
}

func TestSimulateMissesAnImpossibleTarget(t *testing.T) {
	file := filepath.Join(t.TempDir(), "plan.json")
	must(t, "topology", "ring", "--nodes", "32", "-o", file)
	code, _, errs := run(t, "simulate", file, "--rounds", "5", "--quiet")
	if code != 1 || !strings.Contains(errs, "not reached") {
		t.Errorf("exit %d, %q; want 1 and a word about the target", code, errs)
	}
}

// Weights whose sum at a node exceeds 1 leave it a negative share of its own: the error grows, as JSON too.
func TestSimulateSaysThatErrorsGrow(t *testing.T) {
	file := write(t, "w.edges", "3\n0 1 0.9\n1 2 0.9\n")
	code, out, errs := run(t, "simulate", file, "--json", "--quiet")
	var runs []struct{ Reached, Diverged bool }
	if err := json.Unmarshal([]byte(out), &runs); err != nil || code != 1 || !runs[0].Diverged || runs[0].Reached {
		t.Errorf("exit %d, %v, %+v", code, err, runs)
	}
	if !strings.Contains(errs, "consensus error grows") {
		t.Errorf("stderr is %q", errs)
	}
	if _, out, _ := run(t, "simulate", file, "--quiet"); !strings.Contains(out, "never reached: the error grows") {
		t.Errorf("printed is\n%s", out)
	}
	const grows = "never reaches the target: the error grows"
	if _, out, _ := run(t, "compare", file, "--quiet"); !strings.Contains(out, grows) {
		t.Errorf("compare printed\n%s", out)
	}
}

func TestPicturesAreWrittenWhole(t *testing.T) {
	dir := t.TempDir()
	must(t, "topology", "torus", "--nodes", "16", "--plot", filepath.Join(dir, "graph.svg"))
	must(t, "compare", "--nodes", "8", "--quiet", "--plot", filepath.Join(dir, "error.SVG"))
	for _, name := range []string{"graph.png", "graph.pdf", "graph"} {
		code, _, errs := run(t, "topology", "torus", "--nodes", "16", "--plot", filepath.Join(dir, name))
		if code == 0 || !strings.Contains(errs, "rsvg-convert") {
			t.Errorf("%s: exit %d, %q; want an error that tells how to convert", name, code, errs)
		}
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != 2 {
		t.Errorf("%d files in the folder, want the 2 pictures and no temporary ones: %v", len(files), files)
	}
}

// Two nodes have one edge, one neighbour each and one round to wait for.
func TestOneIsSingular(t *testing.T) {
	file := filepath.Join(t.TempDir(), "plan.json")
	out := must(t, "plan", "--nodes", "2", "--quiet") +
		must(t, "optimize", "--nodes", "2", "--edges", "1", "--quiet", "-o", file) +
		must(t, "optimize", "--nodes", "2", "--edges", "1", "--objective", "time", "--quiet") +
		must(t, "topology", "one-peer-exponential", "--nodes", "2") + must(t, "verify", file)
	for _, wrong := range regexp.MustCompile(`\b1 (\w+s|are)\b`).FindAllString(out, -1) {
		if !strings.HasSuffix(wrong, " ms") {
			t.Errorf("%q in\n%s", wrong, out)
		}
	}
}

// Every example of every help text must be a command that exists with flags that exist.
func TestHelpIsThereForEveryCommand(t *testing.T) {
	out := must(t, "--help")
	for _, command := range []string{"topology", "compare", "simulate", "verify", "completion"} {
		if !strings.Contains(out, command) {
			t.Errorf("batopo --help does not name %s", command)
		}
		if command != "completion" && !strings.Contains(must(t, command, "--help"), "Examples:") {
			t.Errorf("batopo %s --help has no examples", command)
		}
	}
	if !strings.Contains(must(t, "completion", "bash"), "batopo") {
		t.Error("no bash completion")
	}
	if help := must(t, "help", "cluster", "show"); help != must(t, "cluster", "show", "--help") {
		t.Errorf("batopo help cluster show prints\n%s", help)
	}
	if got, want := must(t, "--version"), must(t, "version"); got != want {
		t.Errorf("--version prints %q, version %q", got, want)
	}
}
