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

func TestPricesFollowTheLoad(t *testing.T) {
	at := begin(t, options(t))
	j, _ := finish(t, at, start(t, at, "optimize", strings.Replace(small, `{`, `{"max_edges":9,`, 1)))
	before := result[work.PlanAnswer](t, at, j)
	if !strings.HasPrefix(before.Sentence, "Found: ") {
		t.Errorf("sentence %q", before.Sentence)
	}
	price := func(body string) map[string]work.Alternative {
		status, b := call(t, "POST", at+"/api/jobs/"+j.ID+"/prices", body)
		if status != 200 {
			t.Fatalf("status %d: %s", status, b)
		}
		all := map[string]work.Alternative{}
		for _, a := range decode[work.PriceAnswer](t, b).Alternatives {
			all[a.Name] = a
		}
		return all
	}
	same, twice := price(`{}`), price(`{"message_mb": 97.7952}`)
	for _, a := range before.Alternatives {
		if got := same[a.Name]; got.CommunicationMS != a.CommunicationMS || got.Recommended != a.Recommended {
			t.Errorf("%s: %v ms under the same load, was %v", a.Name, got.CommunicationMS, a.CommunicationMS)
		}
		if got := twice[a.Name].CommunicationMS / a.CommunicationMS; got < 1.9999 || got > 2.0001 {
			t.Errorf("%s: twice the message takes %v times as long", a.Name, got)
		}
	}
	const more = 100 - 15.21
	later := price(`{"compute_ms": 100}`)["ring"]
	if off := later.IterationMS - same["ring"].IterationMS - more; off > 1e-9 || off < -1e-9 { // rounding of a sum
		t.Errorf("an iteration takes %v ms, was %v", later.IterationMS, same["ring"].IterationMS)
	}
}

// Where machines differ in what they compute, a price without compute_ms leaves them so, and one with it makes them
// alike.
func TestPricesOfUnequalMachines(t *testing.T) {
	at := begin(t, options(t))
	const unequal = `{"format":"batopo.cluster/v2","tree":{"groups":[
		{"name":"old","nodes":3,"link":{"gb_s":9},"compute_ms":40},
		{"name":"new","nodes":3,"link":{"gb_s":9},"compute_ms":10}]}}`
	j, _ := finish(t, at, start(t, at, "optimize", `{"cluster":`+unequal+`,"max_edges":9,"evaluations":200}`))
	iteration := func(body string) (work.Load, float64) {
		status, b := call(t, "POST", at+"/api/jobs/"+j.ID+"/prices", body)
		if status != 200 {
			t.Fatalf("status %d: %s", status, b)
		}
		answer := decode[work.PriceAnswer](t, b)
		return answer.Load, answer.Alternatives[0].IterationMS - answer.Alternatives[0].CommunicationMS
	}
	if load, ms := iteration(`{}`); load.ComputeMS != nil || ms != 40 {
		t.Errorf("as it is: %+v, %v ms of computation", load, ms)
	}
	if load, ms := iteration(`{"compute_ms":5}`); load.ComputeMS == nil || *load.ComputeMS != 5 || ms != 5 {
		t.Errorf("all alike: %+v, %v ms of computation", load, ms)
	}
}

// For training the answer is what to run, and it follows load and skew.
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
	status, b := call(t, "POST", at+"/api/jobs/"+j.ID+"/prices", `{"skew":0.1}`)
	same := decode[work.PriceAnswer](t, b)
	if status != 200 || same.Sentence != answer.Sentence {
		t.Errorf("under the same load: status %d, %q, was %q", status, same.Sentence, answer.Sentence)
	}
	status, b = call(t, "POST", at+"/api/jobs/"+j.ID+"/prices", `{"skew":0,"message_mb":5000}`)
	if other := decode[work.PriceAnswer](t, b); status != 200 || other.Sentence == answer.Sentence {
		t.Errorf("under another load: status %d, %q", status, other.Sentence)
	}
	if status, b := call(t, "POST", at+"/api/plan", strings.Replace(small, `{`, `{"skew":-1,`, 1)); status != 400 {
		t.Errorf("skew -1: status %d, %s", status, b)
	}
}

// Where no static graph fits, the answer for training says so, under another load too; agreement has no answer.
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
	status, b := call(t, "POST", at+"/api/jobs/"+j.ID+"/prices", `{"skew":0}`)
	if same := decode[work.PriceAnswer](t, b); status != 200 || same.Sentence != answer.Sentence {
		t.Errorf("under the same load: status %d, %q, was %q", status, same.Sentence, answer.Sentence)
	}
	if j, _ = finish(t, at, start(t, at, "plan", `{"static":true,`+racks+`}`)); !strings.Contains(j.Error, "max_edges is 1") {
		t.Errorf("a static graph: %+v", j)
	}
}

// A line that carries one edge at a time has no graph at all, known or searched for: the job keeps no plan, and its
// alternatives can still be priced under another load.
func TestPricesOfAJobWithoutPlans(t *testing.T) {
	at := begin(t, options(t))
	j, _ := finish(t, at, start(t, at, "plan", `{"purpose":"training",`+oneLine+`}`))
	answer := result[work.PlanAnswer](t, at, j)
	if len(answer.Alternatives) != 0 || answer.Plan == nil {
		t.Fatalf("the job %+v has %d alternatives", j, len(answer.Alternatives))
	}
	prices := func(body string) work.PriceAnswer {
		status, b := call(t, "POST", at+"/api/jobs/"+j.ID+"/prices", body)
		if status != 200 {
			t.Errorf("%s: status %d, %s", body, status, b)
		}
		return decode[work.PriceAnswer](t, b)
	}
	if same := prices(`{"skew":0}`); same.Sentence != answer.Sentence {
		t.Errorf("under the same load: %q, was %q", same.Sentence, answer.Sentence)
	}
	if other := prices(`{"skew":0,"message_mb":1}`); other.Sentence == answer.Sentence || other.Load.MessageMB != 1 {
		t.Errorf("under another load: %+v, %q", other.Load, other.Sentence)
	}
	if plain := prices(`{}`); plain.Alternatives == nil || len(plain.Alternatives) != 0 {
		t.Errorf("without an advice: %+v", plain)
	}
}

// slowOne is the cluster of a request: four nodes, of whom the last has links too slow to help the others.
const slowOne = `"cluster":{"format":"batopo.cluster/v1","nodes":4,"bandwidth":[10,10,10,0.001]}`

// An answer may be about some of the machines, for programs too. Under another load it is about those that are best then.
func TestAnswerForTheBestMachines(t *testing.T) {
	at := begin(t, options(t))
	j, _ := finish(t, at, start(t, at, "plan", `{"purpose":"training",`+slowOne+`}`))
	best := result[work.PlanAnswer](t, at, j)
	if !strings.HasSuffix(best.Sentence, " on 3 of 4 nodes: leave out node 3.") || best.Plan.Cluster.Nodes != 3 {
		t.Errorf("%q for %d nodes", best.Sentence, best.Plan.Cluster.Nodes)
	}
	status, b := call(t, "POST", at+"/api/jobs/"+j.ID+"/prices", `{"skew":0}`)
	if same := decode[work.PriceAnswer](t, b); status != 200 || same.Sentence != best.Sentence {
		t.Errorf("under the same load: status %d, %q, was %q", status, same.Sentence, best.Sentence)
	}
	status, b = call(t, "POST", at+"/api/jobs/"+j.ID+"/prices", `{"skew":0,"message_mb":0.001}`)
	if other := decode[work.PriceAnswer](t, b); status != 200 || other.Load.MessageMB != 0.001 ||
		!strings.HasSuffix(other.Sentence, " on all 4 nodes.") {
		t.Errorf("under another load: status %d, %q", status, other.Sentence)
	}
}

// oneLine is the cluster of a request: four nodes in a row, of whom two can talk at a time.
const oneLine = `"cluster":{"format":"batopo.cluster/v1","nodes":4,"resources":[{"name":"hub","gb_s":1,"max_edges":1}],
	"routes":[{"pair":[0,1],"over":["hub"]},{"pair":[1,2],"over":["hub"]},{"pair":[2,3],"over":["hub"]}]}`

// Another load is answered from as much as the first: schedules are searched for it too.
func TestAdviceUnderAnotherLoadSearchesSchedules(t *testing.T) {
	at := begin(t, options(t))
	j, _ := finish(t, at, start(t, at, "plan", `{"cluster":{"format":"batopo.cluster/v1","bcube":{"ports":2,"layers":2,
		"bandwidth":[4.88,9.76]},"model":{"compute_ms":3}},"purpose":"training","evaluations":200}`))
	searched := func(a *work.Advice) (names []string) {
		for _, c := range a.Choices {
			if strings.Contains(c.Name, "searched") {
				names = append(names, c.Name)
			}
		}
		return names
	}
	answer := result[work.PlanAnswer](t, at, j)
	status, b := call(t, "POST", at+"/api/jobs/"+j.ID+"/prices", `{"skew":0}`)
	again := decode[work.PriceAnswer](t, b)
	if status != 200 || again.Sentence != answer.Sentence {
		t.Errorf("under the same load: status %d, %q, was %q", status, again.Sentence, answer.Sentence)
	}
	if got, want := searched(again.Advice), searched(answer.Advice); len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("compared %v; was %v", got, want)
	}
}

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
