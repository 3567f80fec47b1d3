package present_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/show/present"
)

// A page has the answer, how to run it, the cluster drawn and its bottleneck by name; an advice adds what else could
// be run.
func TestPageTellsWhatToDoNext(t *testing.T) {
	spec := cluster.Homogeneous(4, 10)
	spec.Bandwidth = cluster.Numbers{10, 10, 10, 2}
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	p := design.Problem{Cluster: c, MaxEdges: 4, Objective: design.Time}.WithDefaults()
	sweep, err := sweep.New(t.Context(), p, sweep.Settings{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	advice, err := advise.From(t.Context(), c, sweep, advise.Setting{}.WithDefaults(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		advice *advise.Advice
		want   []string
		never  []string
	}{
		{nil, []string{"Recommendation", "Next step", "batopo.attach(optimizer", "The cluster", "2 GB/s",
			"Bottleneck: node 3", "Recommended: ", ">this plan<"}, []string{"static graph of the search"}},
		{advice, []string{"What to run", "Alternatives", ">kind<", "Next step", "<pre>", "The cluster", "2 GB/s",
			"Bottleneck: node 3", "Evaluate "},
			[]string{"Recommended: ", "this plan", "The plan against", "static graph of the search"}},
	} {
		pictures, leftOut := present.PlanPictures(t.Context(), sweep, tc.advice)
		if len(leftOut) > 0 {
			t.Errorf("left out: %v", leftOut)
		}
		var page bytes.Buffer
		if err := present.PlanPage(p, sweep, tc.advice, pictures, leftOut).WriteHTML(&page); err != nil {
			t.Fatal(err)
		}
		for _, want := range tc.want {
			if !strings.Contains(page.String(), want) {
				t.Errorf("advice %v: the page lacks %q", tc.advice != nil, want)
			}
		}
		for _, never := range tc.never {
			if strings.Contains(page.String(), never) {
				t.Errorf("advice %v: the page has %q", tc.advice != nil, never)
			}
		}
		if n := strings.Count(page.String(), "Bottleneck:"); n != 1 {
			t.Errorf("advice %v: the bottleneck is named %d times", tc.advice != nil, n)
		}
	}
}
