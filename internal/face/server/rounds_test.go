package server_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/batopo/batopo/design"
)

// Rounds have the numbers that they have in the plan's file, in pictures and in Python: from 0.
func TestPageCountsRoundsAsTheFileDoes(t *testing.T) {
	at, p := browsing(t, options(t))
	p.look(1200, "light")
	p.visit(at, 16)
	p.click("#source-tabs-example")
	p.until(`document.querySelector('.examples button') !== null`)
	p.do(chromedp.Evaluate(`[...document.querySelectorAll('.examples button')].find((b) =>
		b.innerText.endsWith('wan-general')).click()`, nil))
	p.until(`document.querySelector('#cluster-caption').innerText.startsWith('5 nodes')`)
	p.choose("#optimizer", "sgd")
	p.click("#run")
	p.text("#sentence")
	p.click(`.downloads a[download="plan.json"]`)
	plan, err := design.ReadPlan("plan.json", bytes.NewReader(p.downloaded("plan.json")))
	if err != nil || len(plan.Rounds) < 2 {
		t.Fatalf("a schedule is needed: %v, %d rounds", err, len(plan.Rounds))
	}
	p.click("#answer-tabs-graph")
	for _, k := range []int{0, len(plan.Rounds) - 1} {
		p.until(fmt.Sprintf(`document.querySelector('#answer-panel .drawing svg')?.textContent.includes('round %d')`, k))
	}
	p.quiet()
}
