package server_test

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/internal/face/server/jobs"
	"github.com/batopo/batopo/internal/face/server/work"

	"github.com/chromedp/chromedp"
)

const trials = "../../../format/trial/testdata/"

func tried(t *testing.T) (*batopo.Cluster, *batopo.Trial) {
	t.Helper()
	c, err := batopo.ReadCluster(trials + "nodes-3to1.yaml")
	if err != nil {
		t.Fatal(err)
	}
	measured, err := batopo.ReadTrial(trials + "nodes-3to1.json")
	if err != nil {
		t.Fatal(err)
	}
	return c, measured
}

// A trial changes the answer in the same way wherever it is given, and the answer says so.
func TestATrialHasOneAnswer(t *testing.T) {
	c, measured := tried(t)
	at := begin(t, options(t))
	a := asked{"plan", batopo.Options{Trial: measured, Evaluations: 100}}
	byLibrary := a.byLibrary(t, c)
	want := text(t, byLibrary)
	if got := text(t, a.byCommand(t, trials+"nodes-3to1.yaml")); got != want {
		t.Errorf("the command line\n%s\nfrom Go\n%s", got, want)
	}
	if got := text(t, a.byServer(t, at, c)); got != want {
		t.Errorf("over HTTP\n%s\nfrom Go\n%s", got, want)
	}
	if compute := *byLibrary.Cluster.Model.ComputeMS; compute < 55 || compute > 56 {
		t.Errorf("the plan is for %v ms of computing; 55.5 were measured", compute)
	}
}

func TestTheServerSaysWhatWasMeasured(t *testing.T) {
	c, measured := tried(t)
	at := begin(t, options(t))
	question := work.Question{Cluster: c.Spec(), Options: batopo.Options{Trial: measured, Evaluations: 100}}
	request, err := json.Marshal(question)
	if err != nil {
		t.Fatal(err)
	}
	j, _ := finish(t, at, start(t, at, "plan", string(request)))
	if j.State != jobs.Done {
		t.Fatalf("the job is %+v", j)
	}
	_, source := call(t, "GET", at+"/api/jobs/"+j.ID+"/files/result.json", "")
	answer := decode[work.PlanAnswer](t, source)
	const say = "Measured on your machines"
	if !strings.HasPrefix(answer.Advice.Notes[0], say) || !strings.HasPrefix(answer.Sweep.Measured.Text, say) ||
		len(answer.Sweep.Measured.Ways) != 6 {
		t.Errorf("notes are %q, measured %+v", answer.Advice.Notes, answer.Sweep.Measured)
	}
	measured.Ranks = 7
	question.Trial = measured
	if request, err = json.Marshal(question); err != nil {
		t.Fatal(err)
	}
	status, said := call(t, "POST", at+"/api/plan", string(request))
	if status != http.StatusBadRequest || !strings.Contains(string(said), "compute_ms has 8 entries for 7 ranks") {
		t.Errorf("a forged trial: %d %s", status, said)
	}
}

// Who uploads a trial beside the machines reads what was measured.
func TestPageTakesATrial(t *testing.T) {
	at, p := browsing(t, options(t))
	p.visit(at, 16)
	p.click("#source-tabs-upload")
	for input, name := range map[string]string{"#file": "nodes-3to1.yaml", "#trial": "nodes-3to1.json"} {
		file, err := filepath.Abs(trials + name)
		if err != nil {
			t.Fatal(err)
		}
		p.do(chromedp.WaitReady(input, chromedp.ByQuery), chromedp.SetUploadFiles(input, []string{file}, chromedp.ByQuery))
	}
	p.machines(8)
	p.choose("#effort", "quick")
	p.click("#run")
	p.until(`document.querySelector('#answer-panel')?.innerText.includes('Measured on your machines, 8 ranks over gloo')`)
	p.quiet()
}
