package server_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/face/server/jobs"
	"github.com/batopo/batopo/internal/face/server/work"
)

const eightGPUs = "../../../format/importer/testdata/01-8gpu-pix-node-sys-dual-socket.txt"

// A newcomer uploads what nvidia-smi printed, asks what to run, looks at the answer from all sides, takes the plan
// home, and comes back to it by reloading and by a link.
func TestPageFromAnUploadToAPlan(t *testing.T) {
	at, p := browsing(t, options(t))
	p.look(1200, "light")
	p.visit(at, 16)
	p.accessible("start")

	p.click("#source-tabs-upload")
	file, err := filepath.Abs(eightGPUs)
	if err != nil {
		t.Fatal(err)
	}
	p.do(chromedp.WaitReady("#file", chromedp.ByQuery), chromedp.SetUploadFiles("#file", []string{file}, chromedp.ByQuery))
	p.until(`document.querySelector('#cluster-caption').innerText.includes('read as nvidia-smi')`)
	if drawn := p.text("#cluster-drawing"); !strings.Contains(drawn, "socket") {
		t.Errorf("the drawing shows %q", drawn)
	}

	p.click("#run")
	if advice := p.text("#sentence"); !strings.HasPrefix(advice, "Run ") {
		t.Errorf("the advice is %q", advice)
	}
	for _, want := range []string{"Why: ", "For 48.9 MB, 15.2 ms of compute; assumed: ", "Where the numbers come from", "Steps were measured with AdamW"} {
		if says := p.text("#answer"); !strings.Contains(says, want) {
			t.Errorf("the page does not say %q beside its answer, only %q", want, says)
		}
	}
	p.looksAtAdvice()

	p.choose("#purpose", "consensus")
	p.click("#run")
	p.until(`document.querySelector('#sentence')?.innerText.startsWith('Recommended: ')`)
	sentence := p.text("#sentence")
	p.accessible("answer")
	p.looksAround()

	p.click(`.downloads a[download="plan.json"]`)
	plan, err := design.ReadPlan("plan.json", bytes.NewReader(p.downloaded("plan.json")))
	if err != nil || plan.Nodes != 8 {
		t.Errorf("the plan that was saved: %v", err)
	}

	p.click("#answer-tabs-graph")
	p.do(chromedp.Reload())
	if again := p.text("#sentence"); again != sentence {
		t.Errorf("after a reload the answer is %q", again)
	}
	var link string
	p.do(chromedp.Location(&link), chromedp.Navigate("about:blank"))
	p.do(chromedp.Navigate(link))
	if again := p.text("#sentence"); again != sentence {
		t.Errorf("the link leads to %q", again)
	}
	p.until(`document.querySelector('#answer-tabs-graph').ariaSelected === 'true'`)
	p.until(`document.querySelector('#cluster-caption').innerText.startsWith('8 nodes')`)
	p.quiet()
}

// looksAtAdvice opens what an advice has beside a plan: all that could be run, and what skew would change.
func (p *tab) looksAtAdvice() {
	p.t.Helper()
	p.click("#answer-tabs-choices")
	p.until(`document.querySelectorAll('.alternatives tbody tr').length > 4`)
	p.until(`document.querySelector('.alternatives .recommended') !== null`)
	p.until(fmt.Sprintf(`document.querySelector('.alternatives caption').innerText.includes('links %.0f %% slower')`,
		100*(advise.SlowerLinks-1)))
	p.until(`document.querySelectorAll('.bars meter').length > 4 && document.querySelector('.bars .recommended') !== null`)
	p.accessible("choices")
	p.click("#answer-tabs-whatif")
	p.slide("Non-IID data (skew)", "100")
	p.click("#ask")
	p.until(`document.querySelector('#answer-panel .sentence')?.innerText.startsWith('Run ')`)
}

// looksAround opens every view of an answer.
func (p *tab) looksAround() {
	p.t.Helper()
	p.click("#answer-tabs-graph")
	p.until(`document.querySelector('#answer-panel .drawing svg')?.textContent.includes('GPU0')`)
	p.accessible("graph")
	p.click("#answer-tabs-alternatives")
	p.until(`document.querySelectorAll('.alternatives tbody tr').length > 15`)
	p.until(`document.querySelector('.alternatives .recommended') !== null`)
	p.accessible("alternatives")
	p.click("#answer-tabs-error")
	p.until(`document.querySelector('#answer-panel .plot')?.dataset.curves >= 2`)
	p.click(".legend input:not(:checked)")
	p.until(`document.querySelector('#answer-panel .plot').dataset.curves >= 3`)
	p.accessible("error")
	p.click("#answer-tabs-whatif")
	p.slide("Message", "90")
	p.click("#ask")
	p.until(`document.querySelector('#answer-panel .sentence') !== null`)
	p.accessible("whatif")
	p.click("#answer-tabs-learning")
	p.do(chromedp.SetValue("#answer-panel input[type=number]", "20", chromedp.ByQuery))
	p.click("#train")
	p.until(`document.querySelectorAll('#answer-panel .legend li').length >= 3`)
	p.accessible("learning")
}

// A search that would take minutes is watched and stopped, and its best plan so far is kept; known topologies are
// compared; both are listed and can be removed.
func TestPageWatchesAndStops(t *testing.T) {
	at, p := browsing(t, options(t))
	p.look(1200, "light")
	p.visit(at, 16)
	p.build(64)
	p.choose("#effort", "long")
	p.click("#run")
	p.until(`document.querySelector('#live .plot canvas') !== null`)
	p.until(`document.querySelector('#live .plot canvas') !== null`)
	p.accessible("live")
	searches := 1
	for ; !p.cancelled(); searches++ { // on a machine that stalls the search may end before the click
		if searches == 10 {
			t.Fatal("ten searches ended before they were stopped")
		}
		p.click("#run")
	}

	p.click("#source-tabs-example")
	p.click(".examples button")
	p.click("#compare")
	p.until(`document.querySelector('#sentence')?.innerText.startsWith('Fastest of')`)
	p.until(`document.querySelectorAll('.alternatives tbody tr').length > 4`)

	p.click("#recent-open")
	listed := `document.querySelectorAll('.jobs li').length === %d`
	p.until(fmt.Sprintf(listed, searches+1))
	p.accessible("results")
	p.click(".jobs li:first-child button:last-child")
	p.until(fmt.Sprintf(listed, searches))
	p.quiet()
}

// cancelled stops the search once it has a plan to keep, and reports whether it was still running.
func (p *tab) cancelled() (stopped bool) {
	p.t.Helper()
	p.until(`document.querySelector('#live .cancel')?.checkVisibility() && document.querySelector('#live .plot canvas') !== null ||
		document.querySelector('#sentence') !== null`)
	p.do(chromedp.Evaluate(`document.querySelector('#live .cancel')?.click()`, nil))
	p.until(`document.querySelector('#sentence') !== null`)
	p.do(chromedp.Evaluate(`document.querySelector('#answer').innerText.includes('stopped early (cancelled)')`, &stopped))
	return stopped
}

// Where all machines have times of computation of their own, the field for one shows the longest and takes no other.
func TestPageShowsComputationOfMachines(t *testing.T) {
	at, p := browsing(t, options(t))
	p.visit(at, 16)
	p.click("#source-tabs-example")
	p.until(`document.querySelector('.examples button') !== null`)
	for _, tc := range []struct{ example, field string }{{"edge-8", "300 true"}, {"nvswitch-8", "120 false"}} {
		p.do(chromedp.Evaluate(`[...document.querySelectorAll('.examples button')].find((b) => b.innerText.endsWith('`+
			tc.example+`')).click()`, nil))
		p.until(`((f) => f.value + ' ' + f.disabled)(document.querySelector('#compute-ms')) === '` + tc.field + `'`)
	}
	p.quiet()
}

// A logarithmic axis of less than two decades has numbers all along, not only where its end is crowded.
func TestNumbersOnLogarithmicAxes(t *testing.T) {
	at, p := browsing(t, options(t))
	p.visit(at, 16)
	for from, want := range map[string]string{
		"2.2, 3.8":  "200,500,1000,2000,5000",
		"0, 2.9":    "1,10,100",
		"2.31, 2.6": "250,300,350",
	} {
		var got string
		p.do(chromedp.Evaluate(`import('./chart.js').then((m) => m.decades(`+from+`).join())`, &got, awaited))
		if got != want {
			t.Errorf("from 10^(%s): %s, want %s", from, got, want)
		}
	}
}

// Everything is reached with the keyboard alone: Tab to the main button, Enter, and arrows between views.
func TestPageByKeyboard(t *testing.T) {
	at, p := browsing(t, options(t))
	p.look(390, "dark")
	p.visit(at, 16)
	p.build(6)
	for pressed := 0; ; pressed++ {
		var here string
		p.do(chromedp.KeyEvent("\t"), chromedp.Evaluate(`document.activeElement.id`, &here))
		if here == "run" {
			break
		}
		if pressed > 40 {
			t.Fatal("the Tab key never reaches the main button")
		}
	}
	p.do(chromedp.KeyEvent("\r"))
	p.text("#sentence")
	p.do(chromedp.Focus("#answer-tabs-why", chromedp.ByQuery), chromedp.KeyEvent("\u0303")) // arrow right
	p.until(`document.activeElement === document.querySelectorAll('#answer-tabs button')[1]`)
	p.until(`document.querySelector('#answer-panel svg, #answer-panel meter') !== null`)
	p.quiet()
}

// With a token the page asks for it once, and the address forgets it.
func TestPageRemembersItsToken(t *testing.T) {
	o := options(t)
	o.Token = "0123456789abcdef"
	at := begin(t, o)
	p := chromium(t)
	p.visit(at+"/?token="+o.Token, 16)
	var link string
	p.do(chromedp.Location(&link))
	if strings.Contains(link, o.Token) {
		t.Errorf("the address is still %s", link)
	}
	p.do(chromedp.Reload())
	p.machines(16)
	p.quiet()
}

// The form asks for the optimizer and for batches by speed; the answer is for them, and a link has them in the form.
func TestPageAsksForOptimizerAndBatches(t *testing.T) {
	at, p := browsing(t, options(t))
	p.look(390, "light")
	p.edge(at)
	answers := map[string]string{}
	for optimizer, want := range map[string]string{"sgd": "The convergence model was fitted",
		"adamw": "Steps were measured with AdamW"} {
		p.choose("#optimizer", optimizer)
		p.choose("#batches", "speed")
		p.click("#run")
		p.until(fmt.Sprintf(`document.querySelector('#answer-panel')?.innerText.includes(%q)`, want))
		answers[optimizer] = p.text("#answer")
		if !strings.Contains(answers[optimizer], "Batches") {
			t.Errorf("%s: nothing is said about batches in %q", optimizer, answers[optimizer])
		}
		p.accessible("answer with " + optimizer)
		p.do(chromedp.Reload())
		p.until(fmt.Sprintf(`document.querySelector('#optimizer')?.value === %q`, optimizer))
		p.until(`document.querySelector('#batches').value === 'speed'`)
	}
	// What was changed after the answer stays changed, although the job that comes back was asked otherwise.
	p.choose("#batches", "equal")
	p.do(chromedp.Reload())
	p.text("#sentence")
	p.until(`document.querySelector('#batches').value === 'equal'`)
	p.choose("#purpose", "consensus")
	p.until(`document.querySelector('#optimizer').disabled && document.querySelector('#batches').disabled`)
	p.quiet()
}

// edge opens the page with the example of two fast machines and six slow ones.
func (p *tab) edge(at string) {
	p.t.Helper()
	p.visit(at, 16)
	p.click("#source-tabs-example")
	p.until(`document.querySelector('.examples button') !== null`)
	p.do(chromedp.Evaluate(
		`[...document.querySelectorAll('.examples button')].find((b) => b.innerText.endsWith('edge-8')).click()`, nil))
	p.until(`document.querySelector('#compute-ms').value === '300'`)
}

// The answer may be about some of the machines: the sentence, the table and what would be under another load say which.
func TestPageAnswersForTheBestMachines(t *testing.T) {
	at, p := browsing(t, options(t))
	p.look(390, "light")
	p.edge(at)
	p.click("#run")
	p.until(`document.querySelector('#sentence')?.innerText.endsWith(' on 2 of 8 nodes: only wired.')`)
	p.click("#answer-tabs-why")
	p.until(`document.querySelector('#answer-panel').innerText.includes('To run it')`)
	p.accessible("answer for some machines")
	p.click("#answer-tabs-choices")
	p.until(`document.querySelector('#answer-panel').innerText.includes('only wired recommended')`)
	p.click("#answer-tabs-whatif")
	p.click("#ask")
	p.until(`document.querySelector('#answer-panel .sentence')?.innerText.endsWith(' on 2 of 8 nodes: only wired.')`)
	p.quiet()
}

// What if asks the same question with other numbers: the library gives the same plan, the same bytes.
func TestPageAsksAgainAsTheLibraryDoes(t *testing.T) {
	at, p := browsing(t, options(t))
	j, _ := finish(t, at, start(t, at, "plan", `{"seed":7,"parameters":20e6,`+unequal+`}`))
	p.show(at, j.ID)
	p.click("#answer-tabs-whatif")
	p.slide("Message", "60")
	p.slide("Latency of every edge", "40")
	p.click("#ask")
	p.until(`document.querySelector('#answer-panel .sentence') !== null`)
	_, b := call(t, "GET", at+"/api/jobs", "")
	_, b = call(t, "GET", at+"/api/jobs/"+decode[[]jobs.Job](t, b)[0].ID, "")
	again := decode[jobs.Job](t, b)
	asked := decode[work.PlanRequest](t, again.Request)
	c, err := batopo.NewCluster(asked.Cluster)
	if err != nil {
		t.Fatal(err)
	}
	if m := c.Model(); m.MessageMB < 39 || m.MessageMB > 40 || c.LatencyMS() < 0.2 || c.LatencyMS() > 0.3 || asked.Seed != 7 {
		t.Errorf("%v MB and %v ms are asked, seed %d", m.MessageMB, c.LatencyMS(), asked.Seed)
	}
	want, err := batopo.Advise(t.Context(), c, asked.Options)
	if err != nil {
		t.Fatal(err)
	}
	_, source := call(t, "GET", at+"/api/jobs/"+again.ID+"/files/plan.json", "")
	got, err := design.ReadPlan("plan.json", bytes.NewReader(source))
	if err != nil {
		t.Fatal(err)
	}
	if text(t, got) != text(t, want.Plan) {
		t.Errorf("the page has plan %s, the library %s", got.Hash, want.Plan.Hash)
	}
	p.quiet()
}

const unequal = `"cluster":{"format":"batopo.cluster/v2","tree":{"groups":[
	{"name":"old","count":2,"nodes":2,"link":{"gb_s":9},"uplink":{"gb_s":1}}]},"model":{"compute_ms":40}}`

// show opens the page with the answer of a job.
func (p *tab) show(at, job string) {
	p.t.Helper()
	p.look(1200, "light")
	p.do(chromedp.Navigate(at + "/#" + base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, `{"job":%q}`, job))))
	p.text("#sentence")
}
