package present_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/subset"
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
	advice, err := advise.From(t.Context(), c, sweep, advise.Setting{Optimizer: advise.AdamW}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		advice *advise.Advice
		want   []string
		never  []string
	}{
		{nil, []string{"Recommendation", "Run it", "batopo.attach(optimizer", "The cluster", "2 GB/s",
			"Bottleneck: node 3", "Recommended: ", ">this plan<"}, []string{"static graph of the search"}},
		{advice, []string{"What to run", "Candidates", "Run it", "<pre>", "The cluster", "2 GB/s",
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

// The page is about the machines of the answer. Where the user chose a row, that is marked, and what is recommended too.
func TestPageIsAboutItsHeadline(t *testing.T) {
	spec := cluster.Homogeneous(4, 10)
	spec.Bandwidth = cluster.Numbers{10, 10, 10, 0.01}
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	p := design.Problem{Cluster: c, Objective: design.Time}.WithDefaults()
	none := sweep.Unsearched(c, 1, "not asked for")
	plan, err := sweep.CollectivePlan(t.Context(), c, "", 1)
	if err != nil {
		t.Fatal(err)
	}
	ddp := advise.Candidate{Name: "DistributedDataParallel", Kind: advise.DDP, IterationMS: 900, Epochs: 1, PredictedMS: 900,
		PessimisticMS: 900, Plan: plan}
	ring := advise.Candidate{Name: "ring", Kind: advise.Collective, Every: 4, IterationMS: 500, Epochs: 1, PredictedMS: 500,
		PessimisticMS: 500, Plan: plan}
	part := &subset.Part{Only: "nodes 0, 1 and 2", Without: "node 3", Keep: []int{0, 1, 2}, Of: 4}
	fewer := advise.Candidate{Name: "DDP, without node 3", Text: "DistributedDataParallel", Kind: advise.DDP,
		Machines: advise.Machines{On: part}, IterationMS: 15, Epochs: 1.3, PredictedMS: 20, PessimisticMS: 20, Plan: plan}
	all := []advise.Candidate{fewer, ring, ddp}
	for _, tc := range []struct {
		name        string
		advice      advise.Advice
		want, never []string
	}{
		{"all machines", advise.Advice{Recommended: ring}, []string{"The recommended plan: ", ">recommended<"},
			[]string{"leave out"}},
		{"fewer machines", advise.Advice{Recommended: fewer}, []string{"<h1>What to run", "leave out node 3",
			"The batch is that of 3 of 4 nodes; out: node 3."}, []string{"batopo.attach(optimizer"}},
		{"a chosen row", advise.Advice{Recommended: ddp, Instead: &ring},
			[]string{"The plan that you chose: ", ">recommended<", ">chosen<", "Row 2 is recommended"}, nil},
	} {
		a := tc.advice
		a.Convergence, a.DDP, a.All = advise.MeasuredConvergence(), &ddp, all
		pictures, leftOut := present.PlanPictures(t.Context(), none, &a)
		var page bytes.Buffer
		if err := present.PlanPage(p, none, &a, pictures, leftOut).WriteHTML(&page); err != nil {
			t.Fatal(err)
		}
		for _, want := range tc.want {
			if !strings.Contains(page.String(), want) {
				t.Errorf("%s: the page lacks %q", tc.name, want)
			}
		}
		for _, never := range tc.never {
			if strings.Contains(page.String(), never) {
				t.Errorf("%s: the page has %q", tc.name, never)
			}
		}
	}
}
