package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/format/exporter"
	"github.com/batopo/batopo/internal/face/cli"
)

// The 8-node, 13-edge instance of Xiao and Boyd 2004 as published with the CVX examples:
// FDLA 0.6433, FMMC 0.6810.
const smallInstance = "8\n0 1\n1 2\n2 3\n0 4\n1 7\n1 3\n4 5\n4 6\n2 6\n3 7\n5 6\n6 7\n1 6\n"

func TestWeightsOfAPublishedInstance(t *testing.T) {
	graph := write(t, "small.edges", smallInstance)
	for _, tc := range []struct {
		flag []string
		want float64
	}{{nil, 0.6810}, {[]string{"--negative-weights"}, 0.6433}} {
		file := filepath.Join(t.TempDir(), "plan.json")
		var plan design.Plan
		out := must(t, append([]string{"weights", graph, "--json", "--quiet", "-o", file}, tc.flag...)...)
		if err := json.Unmarshal([]byte(out), &plan); err != nil {
			t.Fatal(err)
		}
		if math.Abs(plan.RAsym-tc.want) > 5e-5 {
			t.Errorf("%v: r_asym %v, published %v", tc.flag, plan.RAsym, tc.want)
		}
		must(t, "verify", file)
	}
}

// 0.471405 is the global optimum for 7 nodes and 9 edges, by enumeration.
func TestOptimizeSmallCaseIsExact(t *testing.T) {
	file := filepath.Join(t.TempDir(), "plan.json")
	out := must(t, "optimize", "--nodes", "7", "--edges", "9", "-o", file, "--quiet")
	if !strings.Contains(out, "0.471405") || !strings.Contains(out, "optimal: every connected graph") {
		t.Errorf("optimize prints\n%s", out)
	}
	must(t, "verify", file)
}

func TestPlanWritesAFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	out := must(t, "plan", "--nodes", "6", "-o", dir, "--quiet")
	for _, want := range []string{"* ", "DistributedDataParallel", "Why: ", "run.sh train.py"} {
		if !strings.Contains(out, want) {
			t.Errorf("plan lacks %q:\n%s", want, out)
		}
	}
	for _, name := range []string{"plan.json", "report.html", "run.sh", "job.sbatch", "hostfile", "graph.svg", "cluster.svg"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(t, "verify", filepath.Join(dir, "plan.json"))
	html, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, outside := range []string{"src=\"http", "href=\"http", "<script", "@import"} {
		if bytes.Contains(html, []byte(outside)) {
			t.Errorf("report.html is not self-contained: it has %q", outside)
		}
	}
}

// A ranking by a rule of thumb shows what it ranked by, and that it is one.
func TestStaticPlanForTrainingShowsItsRuleOfThumb(t *testing.T) {
	out := must(t, "plan", "--nodes", "6", "--static", "--purpose", "training", "--quiet")
	for _, want := range []string{"n_W(0.9)", "ms/iteration", "a rule of thumb, not a prediction of training time"} {
		if !strings.Contains(out, want) {
			t.Errorf("plan for training lacks %q:\n%s", want, out)
		}
	}
}

func TestEveryExportOfAPlan(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ring.json")
	must(t, "topology", "ring", "--nodes", "6", "-o", file)
	for _, f := range exporter.Formats {
		if must(t, "export", file, "--format", f.Name) == "" {
			t.Errorf("format %s: nothing written", f.Name)
		}
	}
}

func TestUnanswerableQuestions(t *testing.T) {
	narrow := write(t, "narrow.yaml", `format: batopo.cluster/v1
nodes: 4
resources: [{name: hub, gb_s: 1, max_edges: 3}, {name: side, gb_s: 1}]
routes:
  - {pair: [0, 1], over: [hub]}
  - {pair: [1, 2], over: [hub]}
  - {pair: [2, 3], over: [hub]}
  - {pair: [0, 3], over: [hub]}
`)
	for _, tc := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"no edges", []string{"optimize", "--nodes", "8"}, 2, "--edges R"},
		{"too few", []string{"optimize", "--nodes", "8", "--edges", "6"}, 2, "give at least 7"},
		{"too many", []string{"optimize", "--nodes", "8", "--edges", "99"}, 2, "28"},
		{"negative rho", []string{"optimize", "--nodes", "8", "--edges", "12", "--method", "admm", "--rho", "-1"}, 2,
			"--rho is -1"},
		{"unknown method", []string{"optimize", "--nodes", "8", "--edges", "12", "--method", "magic"}, 2,
			"auto, lift, swap, admm, paper"},
		{"unknown purpose", []string{"optimize", "--nodes", "8", "--edges", "12", "--purpose", "fun"}, 2, `purpose is "fun"`},
		{"degree 1", []string{"optimize", "--nodes", "8", "--edges", "12", "--max-degree", "1"}, 2, "at least 2"},
		{"no machines", []string{"plan"}, 2, "--nodes N"},
		{"not a cluster", []string{"plan", "plan.json"}, 2, "ends in .yaml"},
		{"more than the hub carries", []string{"optimize", narrow, "--edges", "4"}, 1, "at most 3"},
		{"another cluster", []string{"weights", write(t, "small.edges", smallInstance), "--cluster", narrow}, 2,
			"has 8 nodes, the cluster 4"},
		{"directed graph", []string{"weights", directed(t)}, 2, "undirected"},
		{"no such folder", []string{"optimize", "--nodes", "64", "--edges", "192", "-o", "nowhere/plan.json"}, 2,
			"cannot write nowhere/plan.json"},
		{"a folder for a file", []string{"optimize", "--nodes", "64", "--edges", "192", "-o", t.TempDir()}, 2,
			"it is a folder"},
		{"a file for a folder", []string{"plan", "--nodes", "64", "-o", narrow}, 2, "it is a file; plan -o needs a folder"},
		{"unknown picture", []string{"optimize", "--nodes", "64", "--edges", "192", "--plot", "x.bmp"}, 2,
			"batopo draws SVG"},
		{"too few to sweep", []string{"plan", "--nodes", "8", "--edges", "-1"}, 2, "--edges is -1; it must be from 1"},
		{"too few to connect", []string{"plan", "--nodes", "8", "--edges", "3"}, 2, "give at least 7"},
		{"unknown format", []string{"export", directed(t), "--format", "xls"}, 2, "npy"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			code, out, errs := run(t, tc.args...)
			if code != tc.code || !strings.Contains(errs, tc.want) || out != "" {
				t.Errorf("exit %d, stdout %q, stderr\n%s\nwant exit %d and %q", code, out, errs, tc.code, tc.want)
			}
		})
	}
}

// Every node of two racks talks to one other at a time. The advice does without a static graph and says why; asking for
// one is an error that says that there is none.
func TestPlanWithoutAStaticGraph(t *testing.T) {
	racks := write(t, "racks.yaml", `format: batopo.cluster/v2
tree: {groups: [{name: rack, count: 2, nodes: 4, link: {gb_s: 12, max_edges: 1}, uplink: 12}]}
`)
	const why = "since max_edges is 1 for link of node 0, link of node 1, link of node 2 and 5 more"
	dir := filepath.Join(t.TempDir(), "out")
	few := []string{"plan", racks, "--quiet", "--evaluations", "100"}
	out := must(t, append(few, "--explain", "-o", dir)...)
	if !strings.HasPrefix(out, "Run DDP") || !strings.Contains(strings.ReplaceAll(out, "\n", " "), why) ||
		!strings.Contains(out, "\nNo connected static graph fits: 8 nodes need 7 edges") ||
		!strings.Contains(must(t, append(few, "--all")...), "searched schedule") {
		t.Errorf("plan prints\n%s", out)
	}
	must(t, "verify", filepath.Join(dir, "plan.json"))
	page, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if err != nil || !strings.Contains(string(page), why) {
		t.Errorf("the report does not say why: %v", err)
	}
	var j struct {
		Notes      []string        `json:"notes"`
		NoGraph    string          `json:"no_static_graph"`
		BestStatic json.RawMessage `json:"best_static"`
		Budgets    json.RawMessage `json:"budgets"`
	}
	if err := json.Unmarshal([]byte(must(t, append(few, "--json")...)), &j); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(j.Notes, j.NoGraph) || !strings.Contains(j.NoGraph, why) || string(j.BestStatic) != "null" ||
		string(j.Budgets) != "[]" {
		t.Errorf("--json says %+v", j)
	}
	for _, flag := range []string{"--static", "--purpose=consensus"} {
		if code, out, errs := run(t, "plan", racks, flag); code != 1 || out != "" || !strings.Contains(errs, why) {
			t.Errorf("%s: exit %d, %q, %q", flag, code, out, errs)
		}
	}
}

func directed(t testing.TB) string {
	file := filepath.Join(t.TempDir(), "exponential.json")
	must(t, "topology", "exponential", "--nodes", "6", "-o", file)
	return file
}

func TestInterruptedBeforeAnyPlan(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var out, errs bytes.Buffer
	env := cli.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }}
	code := cli.Run(ctx, env, []string{"optimize", "--nodes", "32", "--edges", "80", "--method", "admm"})
	if code != 1 || !strings.Contains(errs.String(), "interrupted before there was an answer") {
		t.Errorf("exit %d: %s", code, errs.String())
	}
}

func TestDrawKnowsEveryPicture(t *testing.T) {
	dir := t.TempDir()
	plan := filepath.Join(dir, "plan.json")
	must(t, "topology", "torus", "--nodes", "9", "-o", plan)
	must(t, "draw", plan, "-o", filepath.Join(dir, "graph.svg"))
	for _, c := range []string{"intra-server-8", "bcube-16-1to2", "leaf-spine-32"} {
		must(t, "draw", "../../../examples/"+c+".yaml", "-o", filepath.Join(dir, c+".svg"))
	}
}
