package server_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// Where no graph fits, neither known nor searched for, the page shows the schedule to run and asks about other loads;
// it has no views of alternatives that do not exist.
func TestPageWithoutAnyGraph(t *testing.T) {
	at, p := browsing(t, options(t))
	j, _ := finish(t, at, start(t, at, "plan", `{"purpose":"training",`+oneLine+`}`))
	p.show(at, j.ID)
	p.until(`document.querySelector('#sentence')?.innerText.includes('allowed pairs take turns')`)
	var views []string
	p.do(chromedp.Evaluate(`[...document.querySelectorAll('#answer-tabs button')].map((b) => b.innerText)`, &views))
	if want := "[Why Graph Alternatives What if Learning]"; fmt.Sprint(views) != want {
		t.Errorf("the views are %v, want %s", views, want)
	}
	for _, view := range []string{"graph", "choices", "learning", "whatif"} {
		p.click("#answer-tabs-" + view)
	}
	p.slide("Message", "0")
	p.click("#ask")
	p.until(`document.querySelector('#answer-panel .sentence') !== null`)
	p.accessible("whatif-without-a-graph")
	p.quiet()
}
