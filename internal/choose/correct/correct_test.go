package correct

import (
	"math"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/format/trial"
)

const testdata = "../../../format/trial/testdata/"

func real(t *testing.T) (*cluster.Cluster, *trial.Trial) { return realOn(t, "nodes-3to1") }

func realOn(t *testing.T, name string) (*cluster.Cluster, *trial.Trial) {
	t.Helper()
	c, err := cluster.ReadFile(testdata + name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	got, err := trial.ReadFile(testdata + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return c, got
}

// measuredOn makes the trial one of machines that are other than described.
func measuredOn(t *testing.T, c *cluster.Cluster, m *trial.Trial) {
	t.Helper()
	for k := range m.Ways {
		w := &m.Ways[k]
		plan, _ := m.PlanOf(*w)
		ms, err := priceOf(c, w.Kind, plan)
		if err != nil {
			t.Fatal(err)
		}
		w.MeasuredMS, w.BlocksMS = ms, []float64{ms, ms}
	}
	for i := range m.ComputeMS {
		m.ComputeMS[i] = c.ComputeMS(i)
	}
}

func near(got, want, within float64) bool { return math.Abs(got/want-1) <= within }

// Machines with other links, messages and compute times than described are found from what ways of training take.
func TestFindsTheTrueNumbers(t *testing.T) {
	for _, truth := range []struct{ rate, perMessageMS, computeMS float64 }{
		{0.7, 1.1, 80}, {1.3, 0.05, 20}, {0.4, 0.3, 50}, {1, 2, 50}, {3, 0.3, 300}, {1.1, 0, 50},
	} {
		c, m := real(t)
		spec := c.Spec().WithRates(truth.rate).WithTraining(nil, &truth.computeMS)
		spec.PerMessageMS, spec.Backend = truth.perMessageMS, cluster.Backend(m.Backend)
		machines, err := cluster.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		measuredOn(t, machines, m)
		got, err := New(c, m)
		if err != nil {
			t.Fatal(err)
		}
		if !near(got.Is.Rate, truth.rate, 0.01) || math.Abs(got.Is.PerMessageMS-truth.perMessageMS) > 0.03 ||
			!near(got.Is.ComputeMS, truth.computeMS, 1e-6) {
			t.Errorf("machines are %+v, found %+v", truth, got.Is)
		}
		if got.Is.PerMessageMS > 0 && got.Is.PerMessageMS < finestMS {
			t.Errorf("a message costs %v ms, which no clock sees", got.Is.PerMessageMS)
		}
		if _, after := got.Errors(); after[1] > 0.01 {
			t.Errorf("%+v: predictions still differ by %v", truth, after[1])
		}
	}
}

// On a real network predictions agree better with the trial afterwards, and the parts add up.
func TestARealTrialIsExplained(t *testing.T) {
	c, m := real(t)
	got, err := New(c, m)
	if err != nil {
		t.Fatal(err)
	}
	before, after := got.Errors()
	if after[0] > before[0] || after[1] > before[1] || after[1] > 0.03 || len(got.Ways) != 6 || len(got.Skipped) != 0 {
		t.Errorf("%d ways, errors %v before and %v after", len(got.Ways), before, after)
	}
	for _, w := range got.Ways {
		if sum := w.BeforeMS + w.ComputeMS + w.LinksMS + w.MessagesMS; !near(sum, w.AfterMS, 1e-9) {
			t.Errorf("%s: parts give %v, corrected is %v", w.Name, sum, w.AfterMS)
		}
	}
	again, err := New(c, m)
	if err != nil || again.Is != got.Is {
		t.Errorf("the same trial gives %+v and %+v: %v", got.Is, again.Is, err)
	}
}

// Over a delay of 50 ms most predictions come nearer. The worst is gloo's ring, which is priced as if all ranks waited
// for each other in every step.
func TestATrialOverADelayIsExplained(t *testing.T) {
	c, m := realOn(t, "two-sites")
	got, err := New(c, m)
	if err != nil {
		t.Fatal(err)
	}
	before, after := got.Errors()
	if after[0] > before[0]/2 || max(before[1], after[1]) > 0.2 || len(got.Ways) != 7 || len(got.Skipped) != 0 {
		t.Errorf("%d ways, errors %v before and %v after", len(got.Ways), before, after)
	}
}

func TestNodesThatComputeUnequallyFastStayUnequal(t *testing.T) {
	c, m := real(t)
	m.ComputeMS[7] = 90
	got, err := New(c, m)
	if err != nil {
		t.Fatal(err)
	}
	if got.Cluster.ComputeMS(7) != 90 || got.Cluster.ComputeMS(0) != m.ComputeMS[0] || got.Is.ComputeMS != 90 {
		t.Errorf("node 7 computes %v ms, node 0 %v", got.Cluster.ComputeMS(7), got.Cluster.ComputeMS(0))
	}
}

func TestOneExchangeTellsNothingOfMessages(t *testing.T) {
	c, m := real(t)
	for k := 2; k < len(m.Ways); k++ {
		m.Ways[k].Error = "left out"
	}
	got, err := New(c, m)
	if err != nil {
		t.Fatal(err)
	}
	if got.FitMessage || got.Is.PerMessageMS != c.PerMessageMS() || got.Is.Rate == 1 {
		t.Errorf("fitted: %v, %+v", got.FitMessage, got.Is)
	}
}

// The message has the size of the model that was trained, even where the description says another.
func TestMessagesAreThoseOfTheTrial(t *testing.T) {
	c, m := real(t)
	described, err := c.WithMessage(100)
	if err != nil {
		t.Fatal(err)
	}
	got, err := New(described, m)
	if err != nil {
		t.Fatal(err)
	}
	if got.Cluster.Model().MessageMB != m.GradientMB || !near(got.Is.Rate, 1, 0.1) || got.Was.MessageMB != 100 {
		t.Errorf("messages of %v MB, links %v times as described", got.Cluster.Model().MessageMB, got.Is.Rate)
	}
}

func TestTrialsOfOthersAreRefused(t *testing.T) {
	c, m := real(t)
	four, err := cluster.New(cluster.Homogeneous(4, 1))
	if err != nil {
		t.Fatal(err)
	}
	forged := strings.Replace(string(m.Plans[0]), `"every": 16`, `"every": 8`, 1)
	for want, change := range map[string]func() (*cluster.Cluster, *trial.Trial){
		"8 ranks, the cluster 4 nodes": func() (*cluster.Cluster, *trial.Trial) { return four, m },
		"measured no exchange": func() (*cluster.Cluster, *trial.Trial) {
			none := *m
			none.Ways = m.Ways[:1]
			return c, &none
		},
		"plans[0] of the trial": func() (*cluster.Cluster, *trial.Trial) {
			other := *m
			other.Plans = append(other.Plans[:0:0], other.Plans...)
			other.Plans[0] = []byte(forged)
			return c, &other
		},
	} {
		if _, err := New(change()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want %s", err, want)
		}
	}
}

// Where blocks differ so much that they say nothing, links stay about as described.
func TestNoiseDoesNotMoveLinks(t *testing.T) {
	c, m := real(t)
	for k, times := range []float64{1, 0.5, 2.5, 0.8, 1.5, 0.6} {
		w := &m.Ways[k]
		w.MeasuredMS *= times
		w.BlocksMS = []float64{0.1 * w.MeasuredMS, w.MeasuredMS, 1.9 * w.MeasuredMS}
	}
	got, err := New(c, m)
	if err != nil {
		t.Fatal(err)
	}
	if got.Is.Rate < 0.6 || got.Is.Rate > 1.5 {
		t.Errorf("links are %v times as fast by noise", got.Is.Rate)
	}
}

// A trial wraps the model with the buckets of the plan.
func TestAPlanIsPricedInItsOwnBuckets(t *testing.T) {
	c, m := real(t)
	for _, w := range m.Ways {
		plan, ok := m.PlanOf(w)
		if !ok || !plan.Synchronous() {
			continue
		}
		usual, err := priceOf(c, w.Kind, plan)
		if err != nil {
			t.Fatal(err)
		}
		small := *plan
		small.BucketMB = 0.25
		ms, err := priceOf(c, w.Kind, &small)
		if own, planned := small.IterationMS(c); err != nil || planned != nil || ms != own || ms == usual {
			t.Errorf("%s in buckets of 0.25 MB: %v ms (%v), the plan says %v, in the usual ones %v", w.Name, ms, err, own, usual)
		}
		return
	}
	t.Fatal("no way of the trial averages gradients with a plan")
}
