package advise_test

import (
	"testing"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/advise"
)

func fastAndSlow(slowGBs, slowMS float64) cluster.Spec {
	return cluster.Spec{Format: cluster.FormatV2, Tree: &cluster.Group{Groups: []cluster.Group{
		{Name: "fast", Nodes: 4, Link: &cluster.Link{GBs: 1.25}, ComputeMS: ptr(200.0)},
		{Name: "old", Nodes: 2, Link: &cluster.Link{GBs: slowGBs}, ComputeMS: &slowMS},
	}}, Model: &cluster.ModelSpec{MessageMB: ptr(1000.0)}}
}

// Machines that make the whole slower are named, with what the rest gains by itself: DistributedDataParallel on the
// cluster that is planned without them. Removing one of two slow nodes gains nothing, removing both does.
func TestSlowMachinesAreNamed(t *testing.T) {
	for _, tc := range []struct {
		name    string
		slowGBs float64
		slowMS  float64
		without string
	}{
		{"slow links", 0.3125, 200, "old"},
		{"slow to compute", 1.25, 4000, "old"},
		{"all alike", 1.25, 200, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c, err := cluster.New(fastAndSlow(tc.slowGBs, tc.slowMS))
			if err != nil {
				t.Fatal(err)
			}
			s := advise.BestSubset(t.Context(), c, advise.Setting{Seed: 1, Wish: advise.Wish{Exact: true}})
			if s == nil {
				if tc.without != "" {
					t.Fatal("no machine is left out")
				}
				return
			}
			if s.Without != tc.without || len(s.Keep) != 4 || s.Cluster.NodeName(3) != "3" {
				t.Fatalf("without %q: %v", s.Without, s.Keep)
			}
			whole, err := advise.DDPIterationMS(t.Context(), c, 0)
			if err != nil {
				t.Fatal(err)
			}
			part, err := advise.DDPIterationMS(t.Context(), s.Cluster, 0)
			if err != nil {
				t.Fatal(err)
			}
			const rounding = 1e-9
			if want := (4 / part) / (6 / whole); part != s.IterationMS || s.Gain < want*(1-rounding) || s.Gain > want*(1+rounding) {
				t.Errorf("gains %v with iterations of %v ms; planning for it says %v and %v", s.Gain, s.IterationMS, want, part)
			}
		})
	}
}

// With OnlyBest the plan is for the machines that stay, which keep their names.
func TestOnlyBestPlansForTheSubset(t *testing.T) {
	c, err := cluster.New(fastAndSlow(0.3125, 200))
	if err != nil {
		t.Fatal(err)
	}
	a, err := batopo.Advise(t.Context(), c, batopo.Options{OnlyBest: true})
	if err != nil {
		t.Fatal(err)
	}
	if a.Plan.Nodes != 4 || a.Advice.Kept == nil || a.Advice.Kept.Without != "old" || len(a.Plan.Cluster.Names) != 4 {
		t.Errorf("planned for %d nodes named %v, without %+v", a.Plan.Nodes, a.Plan.Cluster.Names, a.Advice.Kept)
	}
	if _, err := batopo.Check(t.Context(), a.Plan); err != nil {
		t.Error(err)
	}
}

// Machines are not left out where batches in proportion to speed do better, where training must not change, or where
// the user says how often nodes average. What leaving them out gains does not depend on the answer it is compared with.
func TestMachinesAreLeftOutOnlyWhereThatIsBest(t *testing.T) {
	predicted := 0.0
	for _, tc := range []struct {
		name     string
		spec     cluster.Spec
		options  batopo.Options
		leave    bool
		balanced bool
	}{
		{"slow links", fastAndSlow(0.03125, 200), batopo.Options{}, true, false},
		{"slow links, exact", fastAndSlow(0.03125, 200), batopo.Options{Exact: true}, false, false},
		{"slow links, the first row", fastAndSlow(0.03125, 200), batopo.Options{Choose: 1}, false, false},
		{"slow links, every 16 steps", fastAndSlow(0.03125, 200), batopo.Options{Every: 16}, false, false},
		{"slow nodes", fastAndSlow(1.25, 4000), batopo.Options{}, false, true},
		{"slow nodes, balanced", fastAndSlow(1.25, 4000), batopo.Options{Balance: true}, false, false},
	} {
		c, err := cluster.New(tc.spec)
		if err != nil {
			t.Fatal(err)
		}
		tc.options.Optimizer = "adamw"
		answer, err := batopo.Advise(t.Context(), c, tc.options)
		if err != nil {
			t.Fatal(err)
		}
		a := answer.Advice
		if balanced := a.Subset != nil && a.Subset.Balanced != nil; (a.Leave() != nil) != tc.leave || balanced != tc.balanced {
			t.Errorf("%s: left out %+v of %+v", tc.name, a.Leave(), a.Subset)
		}
		if a.Subset == nil || tc.balanced || tc.options.Exact {
			continue
		}
		if predicted != 0 && a.Subset.PredictedMS != predicted {
			t.Errorf("%s: %v ms, and %v beside another answer", tc.name, a.Subset.PredictedMS, predicted)
		}
		predicted = a.Subset.PredictedMS
	}
}
