package present_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/internal/show/present"
)

// What the description leaves open is listed as assumed, a time that ended is not called a thorough look, the
// bottleneck belongs to the longest round, and a gain that only the convergence model predicts is called that.
func TestNotesBesideTheAnswer(t *testing.T) {
	message := 10.0
	open, given := cluster.Homogeneous(4, 1), cluster.Homogeneous(4, 1)
	given.Model = &cluster.ModelSpec{MessageMB: &message, ComputeMS: &message}
	slow, fast, link := 300.0, 150.0, &cluster.Link{GBs: 1} // said in groups, beside the model
	grouped := cluster.Spec{Format: cluster.FormatV2, Model: &cluster.ModelSpec{MessageMB: &message},
		Tree: &cluster.Group{Groups: []cluster.Group{{Nodes: 2, Link: link, ComputeMS: &slow},
			{Nodes: 2, Link: link, ComputeMS: &fast}}}}
	ring := advise.Candidate{Name: "ring", Kind: advise.Static, Every: 1, Order: design.AdaptThenCombine, IterationMS: 100,
		CommunicationMS: 50, LongestMS: 70, Bottleneck: "port of node 2", Epochs: 0.8, PredictedMS: 80, PessimisticMS: 85}
	ddp := advise.Candidate{Name: "DistributedDataParallel", Kind: advise.DDP, Every: 1, IterationMS: 105,
		CommunicationMS: 60, Epochs: 1, PredictedMS: 105, PessimisticMS: 105}
	for _, tc := range []struct {
		spec      cluster.Spec
		hurried   bool
		ddpMS     float64
		want, not string
	}{
		{open, false, 105, "Assumed: 48.9 MB, 15.2 ms of compute, SGD, NCCL: --message,", "The time was over"},
		{given, false, 105, "For 10 MB, 10 ms of compute; assumed: ", "--message"},
		{grouped, false, 105, "For 10 MB, 150 ms to 300 ms of compute; assumed: ", "--message"},
		{given, false, 105, "it makes the longest round take 70 ms", "--message"},
		{given, false, 105, "the gain comes from the convergence model", "The time was over"},
		{given, false, 200, "1.31 times as fast as plain DDP", "the gain comes from the convergence model"},
		{given, true, 105, "The time was over before", "--message"},
		{given, true, 105, "all forms of its all-reduce were priced; missing: two-level.", "--message"},
		{given, false, 105, "For", "may be faster than said"},
	} {
		c, err := cluster.New(tc.spec)
		if err != nil {
			t.Fatal(err)
		}
		ddp.IterationMS = tc.ddpMS
		a := &advise.Advice{Convergence: advise.MeasuredConvergence(), Recommended: ring,
			All: []advise.Candidate{ring, ddp}, DDP: &ddp, Setting: advise.Setting{Optimizer: advise.SGD},
			Hurried: tc.hurried}
		if tc.hurried {
			a.Skipped = []sweep.Skipped{{Name: "parameter averaging, two-level", Err: grace.ErrGivenUp}}
		}
		var out strings.Builder
		if err := present.WriteAdvice(&out, c, a, present.Screen{Explain: true, Width: 1000}); err != nil {
			t.Fatal(err)
		}
		if s := out.String(); !strings.Contains(s, tc.want) || strings.Contains(s, tc.not) {
			t.Errorf("want %q and not %q in\n%s", tc.want, tc.not, s)
		}
	}
}

// Rounds as long as an all-reduce are no reason by their length, but by when they run.
func TestTheReasonIsOne(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(4, 1))
	if err != nil {
		t.Fatal(err)
	}
	ring := advise.Candidate{Name: "ring", Text: "parameter averaging by all-reduce (ring)", Kind: advise.Collective, Every: 1,
		Overlap: true, IterationMS: 20, CommunicationMS: 20, Epochs: 1, PredictedMS: 20, PessimisticMS: 20}
	ddp := advise.Candidate{Name: "DistributedDataParallel", Kind: advise.DDP, Every: 1, IterationMS: 30, Epochs: 1,
		PredictedMS: 30, PessimisticMS: 30}
	for allReduce, want := range map[float64]string{
		2: "Why: its rounds of 20 ms overlap with 15.21 ms of compute.",
		20: "Why: its rounds of 20 ms overlap with 15.21 ms of compute, and an all-reduce of 20 ms begins only in the " +
			"backward pass.",
		25: "and an all-reduce takes 25 ms.",
	} {
		ddp.CommunicationMS, ddp.IterationMS = allReduce, 30
		if allReduce < 20 {
			ddp.IterationMS = 20.01
		}
		a := &advise.Advice{Convergence: advise.MeasuredConvergence(), Recommended: ring,
			All: []advise.Candidate{ring, ddp}, DDP: &ddp,
			ComputeMS: c.Model().ComputeMS}
		if got := "Why: " + present.NewAnswer(c, a, "").Why + "."; !strings.HasSuffix(got, want) {
			t.Errorf("an all-reduce of %v ms: %q does not end in %q", allReduce, got, want)
		}
	}
}

// Whatever a schedule is called, the sentence calls it one once.
func TestASearchedScheduleIsCalledOneOnce(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(4, 1))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"the schedule base": "Run the schedule base on",
		"the searched schedule": "Run the searched schedule on"} {
		run := advise.Candidate{Name: "base", Text: text, Kind: advise.Scheduled, Every: 1, IterationMS: 10, Epochs: 1, PredictedMS: 10,
			PessimisticMS: 10}
		a := &advise.Advice{Convergence: advise.MeasuredConvergence(), Recommended: run, All: []advise.Candidate{run},
			Skipped: []sweep.Skipped{{Name: "two-level", Err: errors.New("sweep: the cluster has no groups")}}}
		var out strings.Builder
		if err := present.WriteAdvice(&out, c, a, present.Screen{Explain: true, Width: 1000}); err != nil {
			t.Fatal(err)
		}
		if s := out.String(); !strings.HasPrefix(s, want) || !strings.Contains(s, "two-level (the cluster has no groups)") {
			t.Errorf("want %q, and no name of a package, in\n%s", want, s)
		}
	}
}

// ring is four equal nodes, and the advice to average over a ring.
func ring(t *testing.T) (*cluster.Cluster, *advise.Advice) {
	t.Helper()
	c, err := cluster.New(cluster.Homogeneous(4, 1))
	if err != nil {
		t.Fatal(err)
	}
	run := advise.Candidate{Name: "ring", Kind: advise.Static, Every: 1, IterationMS: 10, Epochs: 1, PredictedMS: 10,
		PessimisticMS: 10}
	return c, &advise.Advice{Convergence: advise.MeasuredConvergence(), Recommended: run, All: []advise.Candidate{run}}
}

// Where the time ran out early, a screen is not filled with what was not reached.
func TestManyThatTheTimeDidNotReachAreCounted(t *testing.T) {
	c, a := ring(t)
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		a.Skipped = append(a.Skipped, sweep.Skipped{Name: "schedule " + name, Err: grace.ErrGivenUp})
	}
	a.Skipped = append(a.Skipped, sweep.Skipped{Name: "two-level", Err: errors.New("sweep: the cluster has no groups")})
	var out strings.Builder
	if err := present.WriteAdvice(&out, c, a, present.Screen{Explain: true, Width: 1000}); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{"schedule c (not priced: the time ran out)": true, "schedule d": false,
		"2 more (the time ran out)": true, "two-level (the cluster has no groups)": true} {
		if strings.Contains(out.String(), text) != want {
			t.Errorf("%q: want %v in\n%s", text, want, out.String())
		}
	}
}

// A change is named with its end where that is soon, the nearest first, and with what is not sure about it.
func TestChangesNameTheNearest(t *testing.T) {
	c, a := ring(t)
	other, third := a.Recommended, a.Recommended
	other.Name, third.Name = "other", "third"
	axis := func(of advise.Quantity, to float64, confirmed bool) advise.Axis {
		return advise.Axis{Of: of, Now: 1, Intervals: []advise.Interval{{From: 0.1, To: 0.5, Winner: third, Confirmed: true},
			{From: 0.5, To: 1.25, Winner: a.Recommended, Confirmed: true},
			{From: 1.25, To: to, Winner: other, Confirmed: confirmed}, {From: to, To: 10, Winner: third, Confirmed: true}}}
	}
	a.Changes = []advise.Axis{axis(advise.MessageSize, 5, true), axis(advise.ComputeTime, 2, true),
		axis(advise.Latency, 5, false)}
	a.Changes[2].Now, a.Changes[2].Intervals[1].From = 1.2, 0.6
	var out strings.Builder
	if err := present.WriteAdvice(&out, c, a, present.Screen{Explain: true, Width: 1000}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Would change: latency above 1.25 ms: other (not confirmed); message above 1.25 MB, compute 1.25 ms to 2 ms: other.",
		"\n  message: below 0.5 MB: third; 0.5 MB to 1.25 MB: this answer; 1.25 MB to 5 MB: other; above 5 MB: third\n",
		"\nNot confirmed: searching again with these numbers would take too long here",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("want %q in\n%s", want, out.String())
		}
	}
	a.Changes = []advise.Axis{{Of: advise.MessageSize, Now: 1, Intervals: []advise.Interval{{From: 0.1, To: 10}}}}
	if out.Reset(); present.WriteAdvice(&out, c, a, present.Screen{}) != nil || strings.Contains(out.String(), "Would change") {
		t.Errorf("nothing changes the answer, and\n%s", out.String())
	}
}
