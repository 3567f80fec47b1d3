package server_test

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/face/server/jobs"
	"github.com/batopo/batopo/internal/face/server/work"
)

// A page whose streams are refused says so and still comes to the answer. What it then asks is about the machines of
// that answer, also when the form describes others by now.
func TestPageKeepsToItsAnswer(t *testing.T) {
	o := options(t)
	o.Streams = 0
	at, p := browsing(t, o)
	p.look(1200, "light")
	p.visit(at, 16)
	p.build(6)
	p.choose("#purpose", "consensus")
	p.click("#run")
	p.text("#sentence")

	p.build(9)
	p.set("#message-mb", "1000", "change")
	p.click("#answer-tabs-whatif")
	p.until(`document.querySelector('.slider output')?.innerText === '48.9 MB'`)
	p.slide("Latency of every edge", "50")
	p.click("#ask")
	p.until(`document.querySelector('#answer-panel .sentence') !== null`)
	_, b := call(t, "GET", at+"/api/jobs", "")
	_, b = call(t, "GET", at+"/api/jobs/"+decode[[]jobs.Job](t, b)[0].ID, "")
	var asked work.Question
	if err := json.Unmarshal(decode[jobs.Job](t, b).Request, &asked); err != nil {
		t.Fatal(err)
	}
	c, err := cluster.New(asked.Cluster)
	if err != nil {
		t.Fatal(err)
	}
	if c.Nodes() != 6 || c.LatencyMS() == 0 || c.Model().MessageMB != 48.8976 {
		t.Errorf("it asks about %d machines, %v ms, %v MB; want what was moved alone", c.Nodes(), c.LatencyMS(),
			c.Model().MessageMB)
	}

	p.click("#answer-tabs-learning")
	p.do(chromedp.SetValue("#answer-panel input[type=number]", "10", chromedp.ByQuery))
	p.click("#train")
	p.until(`document.querySelectorAll('#answer-panel .legend li').length >= 3`)
	_, b = call(t, "GET", at+"/api/jobs", "")
	_, b = call(t, "GET", at+"/api/jobs/"+decode[[]jobs.Job](t, b)[0].ID, "")
	var trained work.TrainRequest
	if err := json.Unmarshal(decode[jobs.Job](t, b).Request, &trained); err != nil || trained.Cluster.Size() != 6 {
		t.Errorf("it trains on %d machines, %v", trained.Cluster.Size(), err)
	}
}

// What was typed about the load stays when machines are built again, and machines that make a long link are taken too.
func TestPageTakesWhatIsTyped(t *testing.T) {
	at, p := browsing(t, options(t))
	p.visit(at, 16)
	p.set("#message-mb", "1000", "change")
	p.click("#builder .controls button") // others that differ
	p.machines(32)
	var message string
	p.do(chromedp.Value("#message-mb", &message, chromedp.ByQuery))
	if message != "1000" {
		t.Errorf("the message is %s MB again", message)
	}
	p.do(chromedp.Evaluate(`import('./cluster.js').then((m) => m.describe({format: 'batopo.cluster/v2',
		matrix: {gb_s: Array.from({length: 200}, (_, i) => Array.from({length: 200}, (_, j) => i === j ? 0 : 1.25))}}))`, nil))
	p.until(`document.querySelector('#cluster-caption').innerText.startsWith('200 nodes')`)
	p.quiet()
}

// A page that turns to another job leaves the stream of the one before; it may be the last that the server has.
func TestPageLeavesItsStream(t *testing.T) {
	o := options(t)
	o.Streams = 1
	at, p := browsing(t, o)
	finish(t, at, start(t, at, "compare", `{"cluster":`+spec+`}`))
	endless := start(t, at, "optimize", strings.Replace(long, `{`, `{"max_edges":100,`, 1))
	p.look(390, "dark")
	p.visit(at+"/#"+base64.RawURLEncoding.EncodeToString([]byte(`{"job":"`+endless.ID+`"}`)), 40)
	p.until(`document.querySelector('#live .plot canvas') !== null`)
	p.accessible("optimise")
	p.click("#recent-open")
	p.click(".jobs li:last-child button.link")
	p.until(`document.querySelector('#sentence')?.innerText.startsWith('Fastest of')`)
	for began := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		a, err := http.Get(at + "/api/jobs/" + endless.ID + "/events")
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
		if a.StatusCode == http.StatusOK {
			break
		}
		if time.Since(began) > patience {
			t.Fatalf("the stream is still taken: status %d", a.StatusCode)
		}
	}
	_, b := call(t, "POST", at+"/api/jobs/"+endless.ID+"/cancel", "")
	if state := decode[jobs.Job](t, b).State; state != jobs.Running {
		t.Errorf("the job is %s; the page may not have left it by itself", state)
	}
	p.quiet()
}
