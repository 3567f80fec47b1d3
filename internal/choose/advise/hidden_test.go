package advise_test

import (
	"testing"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/advise"
)

// Where the all-reduce hides behind computation the answer comes without a search. It equals the answer of the full
// search, and what it says about when hiding ends is where planning begins to search.
func TestHiddenAllReduceIsAnsweredAtOnce(t *testing.T) {
	plan := func(computeMS float64, o batopo.Options) *batopo.Answer {
		t.Helper()
		spec := cluster.Homogeneous(4, 10)
		spec.Model = &cluster.ModelSpec{MessageMB: ptr(50.0), ComputeMS: &computeMS}
		c, err := cluster.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		a, err := batopo.Advise(t.Context(), c, o)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	const computeMS = 200
	quick := plan(computeMS, batopo.Options{})
	if !quick.Advice.Unsearched || quick.Sweep.Best() != nil || quick.Advice.Recommended.Kind != advise.DDP {
		t.Fatalf("searched for %v although %s hides", quick.Sweep.Best(), quick.Advice.Recommended.Name)
	}
	full := plan(computeMS, batopo.Options{Search: true})
	if full.Advice.Unsearched || full.Sweep.Best() == nil {
		t.Error("a search was asked for, and there was none")
	}
	if full.Plan.Hash != quick.Plan.Hash || full.Advice.Recommended.Name != quick.Advice.Recommended.Name {
		t.Errorf("at once: %s; by a search: %s", quick.Advice.Recommended.Name, full.Advice.Recommended.Name)
	}
	for _, f := range quick.Advice.Flips {
		if f.Of != advise.ComputeTime {
			continue
		}
		if f.Above || plan(f.Value*1.01, batopo.Options{}).Advice.Unsearched != true ||
			plan(f.Value*0.99, batopo.Options{Skew: 0}).Advice.Unsearched {
			t.Errorf("the all-reduce is said to hide until compute is %v ms, which planning contradicts", f.Value)
		}
		return
	}
	t.Error("nothing is said about shorter compute times")
}

func ptr[T any](v T) *T { return &v }
