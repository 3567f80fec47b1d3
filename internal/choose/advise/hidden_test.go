package advise_test

import (
	"math"
	"slices"
	"testing"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/advise"
)

// Where the all-reduce hides behind computation the answer comes without a search. It equals the answer of the full
// search, and so does where it is the answer.
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
	for k, axis := range quick.Advice.Changes {
		here := axis.Intervals[axis.Here()]
		if i := full.Advice.Changes[k].Intervals[axis.Here()]; !near(i.From, here.From) || !near(i.To, here.To) {
			t.Errorf("%s: the answer from %v to %v at once, from %v to %v by a search", axis.Of, here.From, here.To, i.From,
				i.To)
		}
	}
}

func near(x, y float64) bool { return math.Abs(x-y) <= 0.01*math.Abs(y) }

// A torus on which DDP just hides: that little more message ends it, and a better all-reduce than the library's, are
// said although nothing was searched for the answer.
func TestAChangeThatIsNearIsSaid(t *testing.T) {
	c, err := cluster.ReadFile("../cases/testdata/torus-4x4.yaml")
	if err != nil {
		t.Fatal(err)
	}
	a, err := batopo.Advise(t.Context(), c, batopo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if first := advise.NearestFirst(a.Advice.Changes); !a.Advice.Unsearched || len(first) != 4 {
		t.Fatalf("searched for %d changes", len(first))
	}
	better := func(i advise.Interval) bool { return i.Winner.Kind == advise.Hook || i.Winner.Kind == advise.HalfHook }
	for _, axis := range a.Advice.Changes {
		if axis.Of == advise.MessageSize && !slices.ContainsFunc(axis.Intervals, better) {
			t.Errorf("no message makes an all-reduce for these links the answer: %+v", axis)
		}
	}
}

func ptr[T any](v T) *T { return &v }
