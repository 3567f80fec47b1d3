package present_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/internal/show/present"
)

// Reasons name no package of the program, however they were wrapped.
func TestReasonsNameNoPackage(t *testing.T) {
	for _, tc := range []struct {
		err  error
		want string
	}{
		{errors.New("sweep: the cluster has no groups"), "the cluster has no groups"},
		{fmt.Errorf("sweep: no collective fits: ring: %w", errors.New("cluster: nodes a and b have no route")),
			"no collective fits: ring: nodes a and b have no route"},
		{errors.New("sweep: collective: 3 nodes"), "3 nodes"},
		{errors.New("the cluster: too large"), "the cluster: too large"},
		{errors.Join(errors.New("weights: one"), errors.New("importer: two")), "one\ntwo"},
		{grace.ErrGivenUp, "not priced: the time ran out"},
	} {
		if got := present.SkippedText(sweep.Skipped{Name: "x", Err: tc.err}); got != tc.want {
			t.Errorf("%v: %q, want %q", tc.err, got, tc.want)
		}
	}
}

// The answer is a sentence, one reason for leaving something out stands on its line, and the same with another H is
// called that.
func TestTheAnswerIsASentence(t *testing.T) {
	unequal := cluster.Homogeneous(4, 1)
	unequal.Format, unequal.Model = cluster.FormatV2, &cluster.ModelSpec{NodeComputeMS: cluster.Numbers{10, 10, 10, 20}}
	c, err := cluster.New(unequal)
	if err != nil {
		t.Fatal(err)
	}
	turns := advise.Candidate{Name: "edges in turn", Text: "a schedule that uses the 4 edges of a static graph in turn",
		Kind: advise.Scheduled, Every: 16, Order: design.AdaptThenCombine, IterationMS: 100, CommunicationMS: 50,
		Epochs: 1.5, PredictedMS: 150, PessimisticMS: 170}
	often := turns
	often.Every, often.Overlap = 1, true
	a := &advise.Advice{Convergence: advise.MeasuredConvergence(), Recommended: turns, All: []advise.Candidate{turns},
		Changes: []advise.Axis{{Of: advise.ComputeTime, Now: 20, Intervals: []advise.Interval{
			{From: 1, To: 131, Winner: turns, Confirmed: true}, {From: 131, To: 400, Winner: often, Confirmed: true}}}},
		Skipped: []sweep.Skipped{{Name: "shards", Err: errors.New("cluster: no route; list one")},
			{Name: "two-level", Err: errors.New("sweep: no groups")}}}
	var out strings.Builder
	if err := present.WriteAdvice(&out, c, a, present.Screen{Explain: true}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Run a schedule that uses the 4 edges in turn, every 16 steps, on all 4 nodes.\n  100 ms a step",
		"Not considered:\n  shards (no route; list one)\n  two-level (no groups)\n",
		"  compute on the slowest node: below 131 ms: this answer; above 131 ms: edges in\n  turn\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("want %q in\n%s", want, out.String())
		}
	}
}
