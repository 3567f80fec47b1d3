package advise_test

import (
	"math"
	"slices"
	"testing"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/advise"
)

func fastAndSlow(slowGBs, slowMS float64) cluster.Spec {
	return cluster.Spec{Format: cluster.FormatV2, Tree: &cluster.Group{Groups: []cluster.Group{
		{Name: "fast", Nodes: 4, Link: &cluster.Link{GBs: 1.25}, ComputeMS: ptr(200.0)},
		{Name: "old", Nodes: 2, Link: &cluster.Link{GBs: slowGBs}, ComputeMS: &slowMS},
	}}, Model: &cluster.ModelSpec{MessageMB: ptr(250.0)}}
}

// Machines that make the whole slower are left out: the plan is that of the cluster without them, whose nodes keep
// their names, and its times are those of that cluster.
func TestPlansAreForTheMachinesThatStay(t *testing.T) {
	for _, tc := range []struct {
		name    string
		slowGBs float64
		where   string
		keep    []int
	}{
		{"slow links", 0.03125, "without old", []int{0, 1, 2, 3}},
		{"all alike", 1.25, "", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c, err := cluster.New(fastAndSlow(tc.slowGBs, 200))
			if err != nil {
				t.Fatal(err)
			}
			answer, err := batopo.Advise(t.Context(), c, batopo.Options{Optimizer: "adamw", Wire: "fp32"})
			if err != nil {
				t.Fatal(err)
			}
			r := answer.Advice.Recommended
			if (r.On != nil) != (tc.keep != nil) {
				t.Fatalf("the answer is %s on %+v", r.Name, r.On)
			}
			if r.On == nil {
				return
			}
			if r.On.Where() != tc.where || !slices.Equal(r.On.Keep, tc.keep) || r.On.Cluster.NodeName(3) != "3" {
				t.Errorf("%q: %v", r.On.Where(), r.On.Keep)
			}
			alone, err := advise.DDPIterationMS(t.Context(), r.On.Cluster, 1)
			if err != nil || !r.Whole || r.IterationMS > alone+r.On.Larger()*slowest(c) {
				t.Errorf("%v ms a step; planned by themselves they take %v (%v)", r.IterationMS, alone, err)
			}
			if p := answer.Plan; p.Nodes != 4 || len(p.Cluster.Names) != 4 || r.PredictedMS != r.IterationMS*r.Epochs {
				t.Errorf("a plan for %d nodes named %v; %v ms, %v of progress", p.Nodes, p.Cluster.Names, r.IterationMS,
					r.PredictedMS)
			}
			if _, err := batopo.Check(t.Context(), answer.Plan); err != nil {
				t.Error(err)
			}
		})
	}
}

// Machines are not left out where batches in proportion to speed do better, where nodes see different data, or where the
// user says how often nodes average; where training must not change, only by nodes that compute the whole batch.
func TestMachinesAreLeftOutOnlyWhereThatIsBest(t *testing.T) {
	for _, tc := range []struct {
		name            string
		spec            cluster.Spec
		options         batopo.Options
		leave, balanced bool
	}{
		{"slow links", fastAndSlow(0.03125, 200), batopo.Options{Optimizer: "adamw"}, true, false},
		{"slow links, exact", fastAndSlow(0.03125, 200), batopo.Options{Optimizer: "adamw", Exact: true}, true, false},
		{"slow links, skew", fastAndSlow(0.03125, 200), batopo.Options{Skew: 0.5, Evaluations: 50}, false, false},
		{"slow links, every 16 steps", fastAndSlow(0.03125, 200), batopo.Options{Optimizer: "adamw", Every: 16}, false, false},
		{"slow nodes", fastAndSlow(1.25, 400), batopo.Options{Optimizer: "adamw"}, false, true},
		{"slow nodes, balanced", fastAndSlow(1.25, 400), batopo.Options{Optimizer: "adamw", Balance: true}, false, false},
	} {
		c, err := cluster.New(tc.spec)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := batopo.Advise(t.Context(), c, tc.options)
		if err != nil {
			t.Fatal(err)
		}
		a := answer.Advice
		if r := a.Recommended; (r.On != nil) != tc.leave || (r.Shares != nil) != tc.balanced {
			t.Errorf("%s: %s on %+v", tc.name, r.Name, r.On)
		}
		fewer := slices.ContainsFunc(a.All, func(c advise.Candidate) bool { return c.On != nil })
		if may := tc.options.Skew == 0 && tc.options.Every == 0; fewer != may {
			t.Errorf("%s: rows with fewer machines: %v", tc.name, fewer)
		}
		for _, r := range a.All {
			if tc.options.Exact && (r.Epochs != 1 || r.On != nil && !r.Whole || r.Kind == advise.Collective) {
				t.Errorf("%s: %s changes training", tc.name, r.Name)
			}
		}
		if weights := answer.Plan.BatchWeights; (weights != nil) != (tc.balanced || tc.options.Balance) {
			t.Errorf("%s: batches %v", tc.name, weights)
		}
	}
}

func slowest(c *batopo.Cluster) (ms float64) {
	for i := range c.Nodes() {
		ms = max(ms, c.ComputeMS(i))
	}
	return ms
}

// Fewer machines that compute the whole batch take as long as its parts, one after the other: by hand, four of six nodes
// have one and a half batches of 100 ms, in two parts of 75, of which the last one's buckets travel meanwhile. One of
// three has three batches.
func TestFewerMachinesComputeTheWholeBatch(t *testing.T) {
	c, err := cluster.New(fastAndSlow(0.03125, 100))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := batopo.Advise(t.Context(), c, batopo.Options{Optimizer: "adamw", Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[int]bool{}
	for _, r := range answer.Advice.All {
		if !r.Whole {
			continue
		}
		kept := len(r.On.Keep)
		batches, own := 6/float64(kept), c.ComputeMS(r.On.Keep[0])
		if r.On.Cluster != nil {
			own = slowest(r.On.Cluster)
		}
		seen[kept] = true
		least, most := batches*own, batches*own+r.CommunicationMS
		if r.Accumulate != int(math.Ceil(batches)) || r.IterationMS < least*(1-1e-9) || r.IterationMS > most*(1+1e-9) {
			t.Errorf("%s: %v ms in %d parts; the batch takes %v ms, and the all-reduce ends by %v", r.Name, r.IterationMS,
				r.Accumulate, least, most)
		}
		if r.Kind == advise.Alone && math.Abs(r.IterationMS-least) > 1e-9*least {
			t.Errorf("%s: %v ms, by itself %v", r.Name, r.IterationMS, least)
		}
	}
	if !seen[1] || !seen[4] {
		t.Errorf("parts of %v nodes compute the whole batch", seen)
	}
}

// One machine by itself is a row wherever machines may be left out, and the answer where links are slow enough. Its time
// is what it computes, and it has no plan.
func TestOneMachineAlone(t *testing.T) {
	for gbs, alone := range map[float64]bool{0.001: true, 10: false} {
		c, err := cluster.New(cluster.Homogeneous(3, gbs))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := batopo.Advise(t.Context(), c, batopo.Options{Optimizer: "adamw"})
		if err != nil {
			t.Fatal(err)
		}
		k := slices.IndexFunc(answer.Advice.All, func(c advise.Candidate) bool { return c.Kind == advise.Alone })
		if k < 0 {
			t.Fatalf("%v GB/s: no machine alone is listed", gbs)
		}
		if one := answer.Advice.All[k]; one.IterationMS != c.ComputeMS(0) || len(one.On.Keep) != 1 || one.Epochs <= 2 {
			t.Errorf("%v GB/s: %+v", gbs, one)
		}
		if got := answer.Advice.Recommended.Kind == advise.Alone; got != alone || (answer.Plan == nil) != alone {
			t.Errorf("%v GB/s: %s, plan %v", gbs, answer.Advice.Recommended.Name, answer.Plan != nil)
		}
	}
}
