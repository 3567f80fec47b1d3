package present_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/show/present"
)

// Rounds hide behind the gradient only where the longest of them does; a mean below it is not enough.
func TestOnlyShortRoundsHide(t *testing.T) {
	computing := 150.0
	spec := cluster.Homogeneous(4, 1)
	spec.Model = &cluster.ModelSpec{ComputeMS: &computing}
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		longest float64
		want    string
	}{
		{80, "its rounds of 80 ms hide behind 150 ms of compute"},
		{150, "its rounds of 80 ms hide behind 150 ms of compute"},
		{280, "its rounds of 80 ms on average and 280 ms at most overlap with 150 ms of compute"},
	} {
		a := &advise.Advice{ComputeMS: 150, Recommended: advise.Candidate{Name: "turns", Kind: advise.Scheduled, Every: 1, Overlap: true,
			Order: design.CombineThenAdapt, CommunicationMS: 80, LongestMS: tc.longest, IterationMS: 182, Epochs: 1}}
		if got := present.NewAnswer(c, a, "").Why; !strings.Contains(got, tc.want) {
			t.Errorf("longest round %g ms: %q, want %q", tc.longest, got, tc.want)
		}
	}
}

// Nothing is said of what there was no time for.
func TestNothingElseMeansWhatWasWeighed(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(4, 1))
	if err != nil {
		t.Fatal(err)
	}
	ddp := advise.Candidate{Name: "DistributedDataParallel", Kind: advise.DDP, CommunicationMS: 5, IterationMS: 16, Epochs: 1}
	for _, tc := range []struct {
		skipped []sweep.Skipped
		want    string
	}{
		{nil, "and nothing else is faster"},
		{[]sweep.Skipped{sweep.Skip("two-level", errors.New("no groups"))}, "and nothing else is faster"},
		{[]sweep.Skipped{sweep.Skip("ring", context.DeadlineExceeded)}, "of all that there was time to compare nothing is"},
	} {
		a := &advise.Advice{Recommended: ddp, All: []advise.Candidate{ddp}, Skipped: tc.skipped}
		if got := present.NewAnswer(c, a, "").Why; !strings.Contains(got, tc.want) {
			t.Errorf("skipped %v: %q, want %q", tc.skipped, got, tc.want)
		}
	}
}

// What the user chose is not explained by what is recommended: nothing is said of what would be faster.
func TestNoReasonAgainstOthersForWhatTheUserChose(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(4, 1))
	if err != nil {
		t.Fatal(err)
	}
	row := func(name string, ms float64) advise.Candidate {
		return advise.Candidate{Name: name, Text: name, Kind: advise.DDP, BucketMB: 25, CommunicationMS: 5, IterationMS: ms,
			Epochs: 1, PredictedMS: ms, PessimisticMS: ms}
	}
	hook, ddp, rounded := row("hook", 10), row("DistributedDataParallel", 300), row("rounded", 10)
	rounded.Numerics = "gradients are rounded"
	for _, best := range []advise.Candidate{hook, rounded, row("DistributedDataParallel in buckets", 400)} {
		a := &advise.Advice{Recommended: ddp, DDP: &ddp, All: []advise.Candidate{best, ddp}, Instead: &best}
		got := present.NewAnswer(c, a, "").Why
		if want := "an all-reduce of 5 ms takes part of the step"; got != want {
			t.Errorf("%s is recommended: %q, want %q", best.Name, got, want)
		}
	}
}
