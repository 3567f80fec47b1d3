package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/examples"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/face/cli"
	"github.com/batopo/batopo/internal/face/server/work"
	"github.com/batopo/batopo/internal/show/present"
	"github.com/batopo/batopo/mixing"
)

// timed is a plan with the time of an iteration that everybody should report.
type timed struct {
	name, file string
	plan       *design.Plan
	ms         float64
}

// reported is how a command or an answer states it.
type reported struct {
	IterationMS float64 `json:"iteration_ms"`
}

// A choice is a row of the table that plan shows.
type choice struct {
	Kind        string `json:"kind"`
	Recommended bool   `json:"recommended"`
	reported
}

// command runs a command line and returns its exit code and what it printed.
func command(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	env := cli.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "gonum" }}
	code = cli.Run(t.Context(), env, args)
	return code, out.String(), errs.String()
}

func succeeds(t *testing.T, args ...string) []byte {
	t.Helper()
	code, out, errs := command(t, args...)
	if code != 0 {
		t.Fatalf("batopo %s: exit %d, %s", strings.Join(args, " "), code, errs)
	}
	return []byte(out)
}

// timedPlans are the plan that is recommended, with the time that plan states, and others of every kind that the
// cluster can run, with rounds in every step and in some, after the gradient and beside it.
func timedPlans(t *testing.T, c *batopo.Cluster, file string) []timed {
	t.Helper()
	answer := decode[struct {
		Recommended *design.Plan `json:"recommended"`
		Static      *design.Plan `json:"best_static"`
		Choices     []choice     `json:"candidates"`
	}](t, succeeds(t, "plan", file, "--evaluations", "20", "--json", "--quiet"))
	var out []timed
	add := func(name string, p design.Plan, every int, overlap bool) {
		p.Every, p.Overlap, p.Order = every, overlap, design.AdaptThenCombine
		if overlap {
			p.Order = design.CombineThenAdapt
		}
		p.Hash = p.ComputeHash()
		ms, err := p.IterationMS(c)
		if err != nil {
			t.Fatal(name, err)
		}
		out = append(out, timed{fmt.Sprintf("%s every %d, overlap %v", name, every, overlap), "", &p, ms})
	}
	chosen := answer.Choices[slices.IndexFunc(answer.Choices, func(c choice) bool { return c.Recommended })]
	if p := answer.Recommended; p != nil && p.Nodes == c.Nodes() && p.Trainable() == nil { // train runs no other clocks
		out = append(out, timed{"recommended", "", answer.Recommended, chosen.IterationMS})
	}
	if answer.Static != nil {
		add("static", *answer.Static, 1, false)
		add("static", *answer.Static, 4, true)
	}
	if exact, err := sweep.CollectivePlan(t.Context(), c, "", 1); err == nil {
		add("collective", *exact, 2, true)
	}
	if levels, err := cost.Divisions(c); err == nil {
		groups := levels[0]
		w, err := mixing.FindFamily("complete")
		if err != nil {
			t.Fatal(err)
		}
		between, err := w.Build(mixing.Params{Nodes: len(groups)})
		if err != nil {
			t.Fatal(err)
		}
		if p, err := design.NewTwoLevelPlan(t.Context(), c, groups, mixing.Static(between)); err == nil {
			add("hierarchical", *p, 1, true)
		}
	}
	dir := t.TempDir()
	for k := range out {
		out[k].file = filepath.Join(dir, fmt.Sprintf("%d.json", k))
		if err := os.WriteFile(out[k].file, []byte(text(t, out[k].plan)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// For every example plan, train, replan, simulate and the server say the same milliseconds per iteration of the same
// plan: static, scheduled, collective and hierarchical, overlapped, with rounds in some steps only, and with late
// nodes.
func TestThereIsOneClock(t *testing.T) {
	names, err := fs.Glob(examples.Files, "*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	quick := []string{"edge-8.yaml", "wan-general.yaml"} // of unequal nodes, and without a tree
	var files []string
	for _, name := range names {
		if !testing.Short() || slices.Contains(quick, name) {
			files = append(files, filepath.Join("../../..", "examples", name))
		}
	}
	servers := filepath.Join(t.TempDir(), "servers-2x2.yaml") // hierarchical; make deep asks about more nodes
	if err := os.WriteFile(servers, []byte(twoServers), 0o644); err != nil {
		t.Fatal(err)
	}
	at := begin(t, options(t))
	for _, file := range append(files, servers) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			c, err := batopo.ReadCluster(file)
			if err != nil {
				t.Fatal(err)
			}
			plans := timedPlans(t, c, file)
			if file == servers && !strings.HasPrefix(plans[len(plans)-1].name, "hierarchical") {
				t.Error("no hierarchical plan was timed")
			}
			commandsAgree(t, file, plans)
			serverAgrees(t, at, c, plans)
		})
	}
}

const twoServers = `format: batopo.cluster/v2
tree:
  groups:
    - {name: server, count: 2, nodes: 2, nvswitch: 300 GB/s, nics: {count: 1, gb_s: 25Gb/s, latency_ms: 20us}}
model: {message_mb: 350 MB, compute_ms: 120}
`

func agrees(t *testing.T, who string, p timed, got float64) {
	t.Helper()
	if got != p.ms {
		t.Errorf("%s: %s says %v ms an iteration, want %v", p.name, who, got, p.ms)
	}
}

func commandsAgree(t *testing.T, file string, plans []timed) {
	t.Helper()
	files := make([]string, len(plans))
	for k, p := range plans {
		files[k] = p.file
	}
	first, _, _ := bytes.Cut(succeeds(t, slices.Concat([]string{"train", "--json", "--quiet", "--baselines", "none",
		"--iterations", "1", "--hidden", "1"}, files)...), []byte("\n"))
	for k, run := range decode[present.TrainingStart](t, first).Runs {
		agrees(t, "train", plans[k], run.IterationMS)
	}
	for k, run := range decode[[]reported](t, succeeds(t, slices.Concat([]string{"simulate", "--json", "--quiet",
		"--rounds", "1", "--trials", "1", "--target", "0"}, files)...)) {
		agrees(t, "simulate", plans[k], run.IterationMS)
	}
	for _, p := range plans {
		out := succeeds(t, "replan", p.file, "--cluster", file, "--json", "--changes", "0.01", "--evaluations", "100")
		agrees(t, "replan", p, decode[struct{ Now reported }](t, out).Now.IterationMS)
	}
}

func serverAgrees(t *testing.T, at string, c *batopo.Cluster, plans []timed) {
	t.Helper()
	type request struct {
		Cluster    *batopo.Spec     `json:"cluster,omitempty"`
		Plans      []work.NamedPlan `json:"plans"`
		MaxRounds  int              `json:"max_rounds,omitempty"`
		Iterations int              `json:"iterations,omitempty"`
	}
	ask := func(kind string, r request) (answer struct {
		Alternatives []struct {
			Name string `json:"name"`
			reported
		} `json:"alternatives"`
		Simulations []reported            `json:"simulations"`
		Start       present.TrainingStart `json:"start"`
	}) {
		for _, p := range plans {
			r.Plans = append(r.Plans, work.NamedPlan{Name: p.name, Plan: json.RawMessage(text(t, p.plan))})
		}
		body, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		j, _ := finish(t, at, start(t, at, kind, string(body)))
		status, b := call(t, "GET", at+"/api/jobs/"+j.ID+"/files/result.json", "")
		if status != 200 {
			t.Fatalf("%s: status %d: %s; the job is %+v", kind, status, b, j)
		}
		if err := json.Unmarshal(b, &answer); err != nil {
			t.Fatal(err)
		}
		return answer
	}
	spec := c.Spec()
	for k, run := range ask("simulate", request{MaxRounds: 1}).Simulations {
		agrees(t, "the server's simulation", plans[k], run.IterationMS)
	}
	for k, run := range ask("train", request{Cluster: &spec, Iterations: 1}).Start.Runs {
		agrees(t, "the server's training", plans[k], run.IterationMS)
	}
	seen := 0
	for _, a := range ask("compare", request{Cluster: &spec}).Alternatives {
		if k := slices.IndexFunc(plans, func(p timed) bool { return p.name == a.Name }); k >= 0 {
			agrees(t, "the server's comparison", plans[k], a.IterationMS)
			seen++
		}
	}
	if seen != len(plans) {
		t.Errorf("the server compares %d of %d plans", seen, len(plans))
	}
}

// Sixteen equal nodes of the paper with four messages a round: 15.21 ms of computing, 20.04 of a round.
func TestTheClockOnThePapersNodes(t *testing.T) {
	c, err := batopo.Equal(16)
	if err != nil {
		t.Fatal(err)
	}
	w, err := mixing.FindFamily("torus")
	if err != nil {
		t.Fatal(err)
	}
	torus, err := w.Build(mixing.Params{Nodes: 16})
	if err != nil {
		t.Fatal(err)
	}
	p, err := sweep.Describe(t.Context(), c, torus)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		every   int
		overlap bool
		want    float64
	}{
		{1, false, 15.21 + 20.04}, {4, false, 15.21 + 20.04/4}, {1, true, 20.04}, {4, true, 15.21 + (20.04-15.21)/4},
	} {
		p.Every, p.Overlap = tc.every, tc.overlap
		if got, err := p.IterationMS(c); err != nil || math.Abs(got-tc.want) > 1e-9 {
			t.Errorf("every %d, overlap %v: %v ms, %v; want %v", tc.every, tc.overlap, got, err, tc.want)
		}
	}
}
