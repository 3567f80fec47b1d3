package server_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/batopo/batopo/internal/face/server"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is how long a test waits for one thing on the page; machines that test are slow.
const patience = 20 * time.Minute

// A tab is a page in a headless Chromium, with what its console complained about.
type tab struct {
	t          *testing.T
	ctx        context.Context
	downloads  string
	mutex      sync.Mutex
	complaints []string
}

// browsing starts a server and a browser, which ends before it. Only make deep drives browsers.
func browsing(t *testing.T, o server.Options) (at string, p *tab) {
	t.Helper()
	if testing.Short() {
		t.Skip("drives a browser; make deep does")
	}
	at = begin(t, o)
	return at, chromium(t)
}

// chromium starts the browser that scripts/test-tools.sh installs.
func chromium(t *testing.T) *tab {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatalf("%v; scripts/test-tools.sh installs it", err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.DisableGPU, chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.WSURLReadTimeout(patience), chromedp.WindowSize(1200, 900))
	allocated, end := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(end)
	ignore := func(string, ...any) {} // events that the library has no names for yet
	ctx, closed := chromedp.NewContext(allocated, chromedp.WithErrorf(ignore), chromedp.WithLogf(ignore))
	t.Cleanup(closed)
	p := &tab{t: t, ctx: ctx, downloads: t.TempDir()}
	chromedp.ListenTarget(ctx, p.hear)
	if err := chromedp.Run(ctx); err != nil { // the browser lives as long as the context of this call
		t.Fatal(err)
	}
	p.do(browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(p.downloads), log.Enable())
	return p
}

func (p *tab) hear(event any) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			p.complaints = append(p.complaints, fmt.Sprint("console: ", len(e.Args), " ", string(e.Args[0].Value)))
		}
	case *runtime.EventExceptionThrown:
		p.complaints = append(p.complaints, "exception: "+e.ExceptionDetails.Error())
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError {
			p.complaints = append(p.complaints, "log: "+e.Entry.Text+" "+e.Entry.URL)
		}
	}
}

// do runs actions, each of them within the patience.
func (p *tab) do(actions ...chromedp.Action) {
	p.t.Helper()
	for _, a := range actions {
		ctx, cancel := context.WithTimeout(p.ctx, patience)
		err := chromedp.Run(ctx, a)
		cancel()
		if err != nil {
			var body string
			_ = chromedp.Run(p.ctx, chromedp.Evaluate(`document.body.innerText`, &body))
			p.t.Fatalf("%v; the page shows\n%s\nconsole: %q", err, body, p.complaints)
		}
	}
}

func (p *tab) click(selector string) {
	p.t.Helper()
	p.do(chromedp.WaitVisible(selector, chromedp.ByQuery), chromedp.Click(selector, chromedp.ByQuery))
}

// set gives an input a value as a user does, so that the page hears of it.
func (p *tab) set(selector, value, event string) {
	p.t.Helper()
	p.do(chromedp.WaitVisible(selector, chromedp.ByQuery), chromedp.Evaluate(fmt.Sprintf(`{
		const input = document.querySelector(%q); input.value = %q;
		input.dispatchEvent(new Event(%q, {bubbles: true})); }`, selector, value, event), nil))
}

// visit opens an address and waits for the page that begins there, with that many machines.
func (p *tab) visit(address string, machines int) {
	p.t.Helper()
	p.do(chromedp.Navigate(address))
	p.machines(machines)
}

// machines waits until that many are drawn.
func (p *tab) machines(count int) {
	p.t.Helper()
	p.until(fmt.Sprintf(`document.querySelectorAll('.boxes span').length === %d`, count))
}

// build describes equal machines.
func (p *tab) build(count int) {
	p.t.Helper()
	p.set("#builder input", fmt.Sprint(count), "input")
	p.machines(count)
}

func (p *tab) choose(selector, value string) { p.set(selector, value, "change") }

func (p *tab) slide(label, value string) { p.set(`input[aria-label="`+label+`"]`, value, "input") }

// until waits for an expression to be true on the page.
func (p *tab) until(expression string) {
	p.t.Helper()
	p.do(chromedp.Poll(expression, nil, chromedp.WithPollingTimeout(patience),
		chromedp.WithPollingInterval(100*time.Millisecond)))
}

// awaited has an expression's promise kept before its value is taken.
func awaited(e *runtime.EvaluateParams) *runtime.EvaluateParams { return e.WithAwaitPromise(true) }

func (p *tab) text(selector string) string {
	p.t.Helper()
	var text string
	p.do(chromedp.WaitVisible(selector, chromedp.ByQuery), chromedp.Text(selector, &text, chromedp.ByQuery))
	return text
}

// look sets the size of the window and the colours that the user prefers.
func (p *tab) look(width int64, scheme string) {
	p.t.Helper()
	p.do(chromedp.EmulateViewport(width, 900), emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}))
}

// quiet complains about anything in the console.
func (p *tab) quiet() {
	p.t.Helper()
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, c := range p.complaints {
		p.t.Error(c)
	}
}

// accessible lets axe-core look for barriers on the page as it is: on a desktop in light, on a phone in dark colours.
func (p *tab) accessible(where string) {
	p.t.Helper()
	source, err := os.ReadFile("testdata/axe-4.10.3.min.js")
	if err != nil {
		p.t.Fatal(err)
	}
	for scheme, width := range map[string]int64{"light": 1200, "dark": 390} {
		p.look(width, scheme)
		var found []string
		p.do(chromedp.Evaluate(string(source), nil), chromedp.Evaluate(`axe.run().then((r) => r.violations
			.filter((v) => v.impact === 'serious' || v.impact === 'critical')
			.map((v) => v.id + ': ' + v.nodes.map((n) => n.target + ' ' + n.failureSummary).join('; ')))`, &found,
			awaited))
		for _, f := range found {
			p.t.Errorf("%s, %s, %d pixels wide: %s", where, scheme, width, f)
		}
		p.keep(fmt.Sprintf("%s-%s-%d.png", where, scheme, width))
		var wide bool
		p.do(chromedp.Evaluate(`document.documentElement.scrollWidth > innerWidth + 1`, &wide))
		if wide {
			p.t.Errorf("%s does not fit into %d pixels", where, width)
		}
		p.do(chromedp.Evaluate(`[...document.querySelectorAll('table.alternatives td')].some((cell) =>
			cell.checkVisibility() && cell.getBoundingClientRect().right > innerWidth)`, &wide))
		if wide {
			p.t.Errorf("%s: numbers of the table are outside of %d pixels", where, width)
		}
	}
	p.look(1200, "light")
}

// keep takes a picture of the page for people to look at, into the folder that BATOPO_SCREENSHOTS names.
func (p *tab) keep(name string) {
	folder := os.Getenv("BATOPO_SCREENSHOTS")
	if folder == "" {
		return
	}
	var picture []byte
	p.do(chromedp.FullScreenshot(&picture, 100))
	if err := os.WriteFile(filepath.Join(folder, name), picture, 0o644); err != nil {
		p.t.Error(err)
	}
}

// downloaded waits for a file that the page was asked to save.
func (p *tab) downloaded(name string) []byte {
	p.t.Helper()
	for began := time.Now(); time.Since(began) < patience; time.Sleep(100 * time.Millisecond) {
		b, err := os.ReadFile(filepath.Join(p.downloads, name))
		if err == nil && len(b) > 0 && strings.HasSuffix(string(b), "\n") {
			return b
		}
	}
	p.t.Fatalf("%s was not saved", name)
	return nil
}
