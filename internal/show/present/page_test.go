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
	advice, err := advise.From(t.Context(), c, sweep, advise.Setting{}.WithDefaults(), nil)
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

// Where the answer leaves out machines, the next step is to plan for the others, and nothing on all machines is called
// recommended. Where the user chose a row, neither is that.
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
	part := &advise.Subset{Part: subset.Part{Without: "node 3", Keep: []int{0, 1, 2}},
		Simple: advise.Simple{Text: "DistributedDataParallel", IterationMS: 15, Epochs: 1.3, PredictedMS: 20}}
	all, onAll := []advise.Candidate{ring, ddp}, []string{"best on all machines", "batopo.attach(optimizer"}
	for _, tc := range []struct {
		name        string
		advice      advise.Advice
		want, never []string
	}{
		{"all machines", advise.Advice{Recommended: ring}, []string{"The recommended plan: ", ">recommended<"},
			[]string{"--only-best", "best on all machines"}},
		{"fewer machines", advise.Advice{Recommended: ring, Subset: part},
			append(onAll, "<h1>What to run", "leave out node 3", "batopo plan CLUSTER.yaml --only-best", "plan.json and the code below are the",
				"The best on all machines: who", "tried changes the best on all"), []string{"recommended"}},
		{"a chosen row", advise.Advice{Recommended: ddp, Instead: &ring, Subset: part},
			[]string{"The plan that you chose: ", ">best on all machines<", ">chosen<", "Row 1 is best on all machines"},
			[]string{"recommended", "CLUSTER.yaml"}},
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
		before, after, _ := strings.Cut(page.String(), "--only-best -o DIR")
		if after != "" && strings.Contains(before, "batopo.attach") {
			t.Errorf("%s: the plan for all machines comes before the answer", tc.name)
		}
	}
}
