package server_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/examples"
	"github.com/batopo/batopo/internal/face/cli"
	"github.com/batopo/batopo/internal/face/server/jobs"
	"github.com/batopo/batopo/internal/face/server/work"
)

// asked is one question in the three ways to ask it. Every field of JSON is a flag of the command line.
type asked struct {
	kind    string
	options batopo.Options
}

// flags writes the options as the command line has them.
func (a asked) flags(t *testing.T) []string {
	t.Helper()
	out := []string{}
	for field, value := range a.fields(t) {
		flag := strings.ReplaceAll(strings.ReplaceAll(field, "max_edges", "edges"), "_", "-")
		if field == "trial" { // the command line reads a file
			file := filepath.Join(t.TempDir(), "trial.json")
			if err := os.WriteFile(file, value, 0o600); err != nil {
				t.Fatal(err)
			}
			value = []byte(file)
		}
		out = append(out, "--"+flag+"="+string(value))
	}
	return out
}

// fields are the options as JSON has them, without quotes.
func (a asked) fields(t *testing.T) map[string][]byte {
	t.Helper()
	b, err := json.Marshal(a.options)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for field, value := range decode[map[string]json.RawMessage](t, b) {
		out[field] = bytes.Trim(value, `"`)
	}
	return out
}

// byCommand asks the command line.
func (a asked) byCommand(t *testing.T, file string) *design.Plan {
	t.Helper()
	folder, name := t.TempDir(), "plan.json"
	target := folder
	if a.kind == "optimize" {
		target = filepath.Join(folder, name)
	}
	args := slices.Concat([]string{a.kind, file, "-o", target, "--quiet"}, a.flags(t))
	var out, errs bytes.Buffer
	env := cli.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "gonum" }}
	if code := cli.Run(t.Context(), env, args); code != 0 {
		t.Fatalf("%v: exit %d, %s", args, code, errs.String())
	}
	p, err := batopo.ReadPlan(filepath.Join(folder, name))
	if a.kind == "plan" && errors.Is(err, fs.ErrNotExist) {
		return nil // one machine alone
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// byServer asks over HTTP.
func (a asked) byServer(t *testing.T, at string, c *batopo.Cluster) *design.Plan {
	t.Helper()
	request, err := json.Marshal(struct {
		Cluster batopo.Spec `json:"cluster"`
		batopo.Options
	}{c.Spec(), a.options})
	if err != nil {
		t.Fatal(err)
	}
	j, _ := finish(t, at, start(t, at, a.kind, string(request)))
	if j.State != jobs.Done {
		t.Fatalf("the job is %+v", j)
	}
	status, source := call(t, "GET", at+"/api/jobs/"+j.ID+"/files/plan.json", "")
	if a.kind == "plan" && status == 404 {
		return nil // one machine alone
	}
	p, err := design.ReadPlan("plan.json", bytes.NewReader(source))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// byLibrary asks from Go.
func (a asked) byLibrary(t *testing.T, c *batopo.Cluster) *design.Plan {
	t.Helper()
	if a.kind == "optimize" {
		p, err := batopo.Optimize(t.Context(), c, a.options)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	answer, err := batopo.Advise(t.Context(), c, a.options)
	if err != nil {
		t.Fatal(err)
	}
	return answer.Plan
}

// The same question has the same answer from the command line, over HTTP and from Go: the same bytes, but for the facts
// of the run.
func TestOneQuestionHasOneAnswer(t *testing.T) {
	names, err := fs.Glob(examples.Files, "*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	at := begin(t, options(t))
	for _, name := range names {
		file := filepath.Join("../../..", "examples", name)
		c, err := batopo.ReadCluster(file)
		if err != nil {
			t.Fatal(err)
		}
		if testing.Short() && c.Nodes() > 8 {
			continue // the same at larger size
		}
		questions := []asked{
			{"optimize", batopo.Options{MaxEdges: c.Nodes() + 1, Evaluations: 100, Seed: 1<<64 - 1, Purpose: batopo.Training}},
		}
		if !testing.Short() || c.Nodes() <= 5 {
			questions = append(questions, asked{"plan", batopo.Options{Evaluations: 100}},
				asked{"plan", batopo.Options{Static: true, Evaluations: 100, MaxDegree: 4}})
		}
		for _, a := range questions {
			want := text(t, a.byCommand(t, file))
			if got := text(t, a.byServer(t, at, c)); got != want {
				t.Errorf("%s of %s %+v: over HTTP\n%s\nthe command line\n%s", a.kind, name, a.options, got, want)
			}
			if got := text(t, a.byLibrary(t, c)); got != want {
				t.Errorf("%s of %s %+v: from Go\n%s\nthe command line\n%s", a.kind, name, a.options, got, want)
			}
		}
	}
}

// Without any option as well: the defaults are the same everywhere.
func TestDefaultsAreTheSameEverywhere(t *testing.T) {
	file := filepath.Join("../../..", "examples", "wan-general.yaml")
	c, err := batopo.ReadCluster(file)
	if err != nil {
		t.Fatal(err)
	}
	a, at := asked{kind: "plan"}, begin(t, options(t))
	want := a.byCommand(t, file)
	if want.Purpose != batopo.Training {
		t.Errorf("the plan is for %s", want.Purpose)
	}
	for way, p := range map[string]*design.Plan{"HTTP": a.byServer(t, at, c), "Go": a.byLibrary(t, c)} {
		if text(t, p) != text(t, want) {
			t.Errorf("%s: plan %s, the command line %s", way, p.Hash, want.Hash)
		}
	}
}

// text is a plan without the facts of its run.
func text(t *testing.T, p *design.Plan) string {
	t.Helper()
	if p == nil {
		return ""
	}
	p.Run = design.Run{}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A plan is trained as it is: with its interval, order and overlap, over HTTP as by the command line.
func TestTrainingRunsThePlanAsItIs(t *testing.T) {
	c, err := batopo.Equal(6)
	if err != nil {
		t.Fatal(err)
	}
	p, err := batopo.Optimize(t.Context(), c, batopo.Options{MaxEdges: 7, Purpose: batopo.Training})
	if err != nil {
		t.Fatal(err)
	}
	p.Every, p.Order, p.Overlap = 4, design.CombineThenAdapt, true
	p.Hash = p.ComputeHash()
	source := text(t, p)
	file := filepath.Join(t.TempDir(), "mine.json")
	if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	env := cli.Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "gonum" }}
	args := []string{"train", "--nodes", "6", file, "--baselines", "ring", "--iterations", "10", "--json", "--quiet"}
	if code := cli.Run(t.Context(), env, args); code != 0 {
		t.Fatalf("exit %d, %s", code, errs.String())
	}
	at := begin(t, options(t))
	j, _ := finish(t, at, start(t, at, "train", `{"cluster":{"format":"batopo.cluster/v1","nodes":6,"bandwidth":9.76},
		"plans":[{"name":"mine","plan":`+source+`}],"baselines":["ring"],"iterations":10}`))
	got := result[work.TrainAnswer](t, at, j)
	lines := []any{got.Start}
	for _, test := range got.Tests {
		lines = append(lines, test)
	}
	for _, end := range got.Ends {
		lines = append(lines, end)
	}
	var over []string
	for _, line := range lines {
		b, err := json.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		over = append(over, string(b))
	}
	printed := strings.Split(strings.TrimSpace(out.String()), "\n")
	slices.Sort(over)
	slices.Sort(printed)
	if !slices.Equal(over, printed) {
		t.Errorf("over HTTP\n%s\nthe command line\n%s", strings.Join(over, "\n"), strings.Join(printed, "\n"))
	}
	if !strings.Contains(out.String(), `"every":4`) {
		t.Errorf("the interval of the plan is not kept: %s", out.String())
	}
}
