package server_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/face/server/jobs"
	"github.com/batopo/batopo/internal/face/server/work"
	"github.com/batopo/batopo/internal/show/present"
	"github.com/batopo/batopo/verify"
)

// From a cluster to a plan, a comparison of it, its simulation and its training, over HTTP alone.
func TestTheWholeWay(t *testing.T) {
	at := begin(t, options(t))
	j, stream := finish(t, at, start(t, at, "plan", small))
	if j.State != jobs.Done || !strings.Contains(stream, "event: found\n") || !strings.Contains(stream, "event: step\n") {
		t.Fatalf("the job is %+v, its events %.300s", j, stream)
	}
	answer := result[work.PlanAnswer](t, at, j)
	if !strings.HasPrefix(answer.Sentence, "Run ") || len(answer.Alternatives) < 10 || len(answer.Curves) < 10 {
		t.Errorf("answer %q, %d alternatives, %d curves", answer.Sentence, len(answer.Alternatives), len(answer.Curves))
	}
	for _, name := range j.Files {
		if status, b := call(t, "GET", at+"/api/jobs/"+j.ID+"/files/"+name, ""); status != 200 || len(b) < 40 {
			t.Errorf("%s: status %d, %d bytes", name, status, len(b))
		}
	}
	_, source := call(t, "GET", at+"/api/jobs/"+j.ID+"/files/plan.json", "")
	p, err := design.ReadPlan("plan.json", strings.NewReader(string(source)))
	if err != nil {
		t.Fatal(err)
	}
	if report, err := verify.Check(t.Context(), p); err != nil || report.Err() != nil {
		t.Errorf("the plan is not what it claims: %v, %v", err, report.Err())
	}
	named := `[{"name":"mine","plan":` + string(source) + `}]`
	hardware := `{"format":"batopo.cluster/v1","nodes":6,"bandwidth":9.76}`
	j, _ = finish(t, at, start(t, at, "compare", `{"cluster":`+hardware+`,"plans":`+named+`}`))
	if c := result[work.CompareAnswer](t, at, j); len(c.Rows) < 10 || c.Alternatives[0].TimeMS == nil {
		t.Errorf("a comparison of %d rows", len(c.Rows))
	}
	j, _ = finish(t, at, start(t, at, "simulate", `{"plans":`+named+`}`))
	if s := result[work.SimulateAnswer](t, at, j); len(s.Simulations) != 1 || !s.Simulations[0].Reached {
		t.Errorf("simulations: %+v", s)
	}
	j, stream = finish(t, at, start(t, at, "train",
		`{"cluster":`+hardware+`,"plans":`+named+`,"baselines":["ring","all-reduce"],"iterations":10}`))
	if got := result[work.TrainAnswer](t, at, j); len(got.Ends) != 3 || len(got.Tests) != 9 ||
		strings.Count(stream, "event: test\n") != 9 {
		t.Errorf("training: %+v", got)
	}
}

// For training the answer is what to run.
func TestAdviceForTraining(t *testing.T) {
	at := begin(t, options(t))
	j, _ := finish(t, at, start(t, at, "plan", strings.Replace(small, `{`, `{"purpose":"training","skew":0.1,`, 1)))
	answer := result[work.PlanAnswer](t, at, j)
	if !strings.HasPrefix(answer.Sentence, "Run ") || answer.Advice == nil || len(answer.Advice.Choices) < 10 {
		t.Fatalf("the answer is %q, the job %+v", answer.Sentence, j)
	}
	if answer.Advice.SlowerLinks != advise.SlowerLinks {
		t.Errorf("pessimistic times are for links %v times as slow, want %v",
			answer.Advice.SlowerLinks, advise.SlowerLinks)
	}
	_, script := call(t, "GET", at+"/api/jobs/"+j.ID+"/files/train.py", "")
	for _, line := range answer.Advice.Python {
		if !strings.Contains(string(script), line+"\n") {
			t.Errorf("train.py has no line %q, which is advised", line)
		}
	}
	_, drawn := call(t, "GET", at+"/api/jobs/"+j.ID+"/files/graph.svg", "")
	var want bytes.Buffer
	if figure, err := present.DrawGraph(answer.Plan); err != nil || figure.Write(&want) != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(drawn, want.Bytes()) {
		t.Errorf("graph.svg is not a drawing of the plan, %s", answer.Plan.Method)
	}
	if answer.Plan.Hash == answer.Sweep.Recommended.Hash || strings.HasPrefix(answer.Reasons[0], "Recommended") {
		t.Errorf("%s is recommended, and of the graph of the search is said %q", answer.Plan.Method, answer.Reasons[0])
	}
	if status, b := call(t, "POST", at+"/api/plan", strings.Replace(small, `{`, `{"skew":-1,`, 1)); status != 400 {
		t.Errorf("skew -1: status %d, %s", status, b)
	}
}

// Where no static graph fits, the answer for training says so; agreement has no answer.
func TestAdviceWithoutAStaticGraph(t *testing.T) {
	const racks = `"cluster":{"format":"batopo.cluster/v2","tree":{"groups":[{"name":"rack","count":2,"nodes":4,
		"link":{"gb_s":12,"max_edges":1},"uplink":{"gb_s":12}}]}}`
	at := begin(t, options(t))
	j, _ := finish(t, at, start(t, at, "plan", `{"purpose":"training","evaluations":100,`+racks+`}`))
	answer := result[work.PlanAnswer](t, at, j)
	if !strings.HasPrefix(answer.Sentence, "Run ") || !slices.Contains(answer.Advice.Notes, answer.Sweep.NoGraph) ||
		!strings.Contains(answer.Sweep.NoGraph, "max_edges is 1") || answer.Sweep.Recommended != nil || answer.Plan == nil {
		t.Errorf("the answer is %q, the job %+v", answer.Sentence, j)
	}
	if j, _ = finish(t, at, start(t, at, "plan", `{"static":true,`+racks+`}`)); !strings.Contains(j.Error, "max_edges is 1") {
		t.Errorf("a static graph: %+v", j)
	}
}

// A line that carries one edge at a time has no graph at all, known or searched for: there are no alternatives.
func TestAnswerWithoutAnyGraph(t *testing.T) {
	at := begin(t, options(t))
	j, _ := finish(t, at, start(t, at, "plan", `{"purpose":"training",`+oneLine+`}`))
	answer := result[work.PlanAnswer](t, at, j)
	if answer.Alternatives == nil || len(answer.Alternatives) != 0 || answer.Plan == nil {
		t.Errorf("the job %+v has alternatives %v", j, answer.Alternatives)
	}
}

// slowOne is the cluster of a request: four nodes, of whom the last has links too slow to help the others.
const slowOne = `"cluster":{"format":"batopo.cluster/v1","nodes":4,"bandwidth":[10,10,10,0.001]}`

// An answer may be about some of the machines, for programs too.
func TestAnswerForTheBestMachines(t *testing.T) {
	at := begin(t, options(t))
	j, _ := finish(t, at, start(t, at, "plan", `{"purpose":"training",`+slowOne+`}`))
	best := result[work.PlanAnswer](t, at, j)
	if !strings.HasSuffix(best.Sentence, " on 3 of 4 nodes: leave out node 3.") || best.Plan.Cluster.Nodes != 3 {
		t.Errorf("%q for %d nodes", best.Sentence, best.Plan.Cluster.Nodes)
	}
}

// oneLine is the cluster of a request: four nodes in a row, of whom two can talk at a time.
const oneLine = `"cluster":{"format":"batopo.cluster/v1","nodes":4,"resources":[{"name":"hub","gb_s":1,"max_edges":1}],
	"routes":[{"pair":[0,1],"over":["hub"]},{"pair":[1,2],"over":["hub"]},{"pair":[2,3],"over":["hub"]}]}`

func TestUploadIsImported(t *testing.T) {
	at := begin(t, options(t))
	source, err := os.ReadFile("../../../format/importer/testdata/01-8gpu-pix-node-sys-dual-socket.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"auto", "nvidia-smi"} {
		status, b := call(t, "POST", at+"/api/clusters/import?servers=2&format="+format, string(source))
		if status != 200 {
			t.Fatalf("status %d: %s", status, b)
		}
		c := decode[work.ClusterAnswer](t, b)
		if c.Nodes != 16 || c.Format != "nvidia-smi" || len(c.Assumed) == 0 || !strings.HasPrefix(c.Drawing, "<svg") {
			t.Errorf("%s: %d nodes, format %s, assumed %q", format, c.Nodes, c.Format, c.Assumed)
		}
		again, err := json.Marshal(work.ClusterRequest{Cluster: c.Cluster})
		if err != nil {
			t.Fatal(err)
		}
		if status, b := call(t, "POST", at+"/api/clusters/describe", string(again)); status != 200 {
			t.Errorf("what was imported is refused: %s", b)
		}
	}
}

func TestEveryExampleIsACluster(t *testing.T) {
	at := begin(t, options(t))
	_, b := call(t, "GET", at+"/api/examples", "")
	all := decode[[]work.Example](t, b)
	if len(all) < 10 {
		t.Errorf("%d examples", len(all))
	}
	for _, e := range all {
		status, b := call(t, "POST", at+"/api/clusters/import?format=batopo", e.YAML)
		if status != 200 || e.About == "" {
			t.Errorf("%s (%s): %s", e.Name, e.About, b)
		}
		if own := decode[work.ClusterAnswer](t, b).Own; own != (e.Name == "edge-8") {
			t.Errorf("%s: times of computation of its own: %v", e.Name, own)
		}
	}
}

// The description lists every route, and every reference in it leads somewhere.
func TestDescriptionOfTheAPI(t *testing.T) {
	at := begin(t, options(t))
	_, b := call(t, "GET", at+"/api/openapi.json", "")
	d := decode[struct {
		OpenAPI    string
		Paths      map[string]map[string]any
		Components struct{ Schemas map[string]any }
	}](t, b)
	if d.OpenAPI != "3.1.0" || d.Paths["/api/plan"]["post"] == nil || d.Paths["/api/jobs/{id}"]["delete"] == nil {
		t.Errorf("the description has paths %v", d.Paths)
	}
	for _, part := range strings.Split(string(b), `"$ref":"#/components/schemas/`)[1:] {
		name, _, _ := strings.Cut(part, `"`)
		if d.Components.Schemas[name] == nil {
			t.Errorf("no schema %s", name)
		}
	}
	for path, methods := range d.Paths {
		for method := range methods {
			path := strings.NewReplacer("{id}", "x", "{name}", "y").Replace(path)
			if status, b := call(t, strings.ToUpper(method), at+path, ""); status == http.StatusMethodNotAllowed {
				t.Errorf("%s %s: %s", method, path, b)
			}
		}
	}
}
