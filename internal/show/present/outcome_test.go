package present_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"github.com/batopo/batopo/internal/cost"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/show/present"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

func TestEveryOutcomeHasItsSentence(t *testing.T) {
	plan := &design.Plan{Rounds: []design.Round{{Edges: make([]design.PlanEdge, 12)}}}
	solved := sweep.Outcome{Status: sweep.Solved, Scored: sweep.Scored{Plan: plan}}
	forbidden := errors.New("node 3 has no route")
	for _, tc := range []struct {
		by   sweep.Criterion
		o    sweep.Outcome
		want string
	}{
		{sweep.ByTime, solved, ""},
		{sweep.ByTime, sweep.Outcome{Status: sweep.Outpaced, CollectiveMS: 9.39375},
			"exact, but ring all-reduce averages exactly in 9.394 ms"},
		{sweep.ByTime, sweep.Outcome{Status: sweep.SamePlan, SameAs: 0}, "the plan of 12 edges again"},
		{sweep.ByTime, sweep.Outcome{Status: sweep.Hopeless,
			Proof: &sweep.Proof{Rounds: 7, RoundMS: 40.08, Best: 250.5}},
			"at least 7 rounds of 40.08 ms, which cannot beat 250.5 ms"},
		{sweep.PerNeighbor, sweep.Outcome{Status: sweep.Hopeless,
			Proof: &sweep.Proof{IterationMS: 50.28, Neighbors: 14.46, Best: 3.328}},
			"at least 50.28 ms per iteration over at most 14.46 neighbours, which cannot beat 3.328 ms per neighbour"},
		{sweep.ByTime, sweep.Outcome{Status: sweep.Infeasible, Err: forbidden}, "node 3 has no route"},
		{sweep.ByTime, sweep.Outcome{Status: sweep.Undecided, Err: forbidden}, "node 3 has no route"},
		{sweep.ByTime, sweep.Outcome{Status: sweep.ShareSpent}, "no plan was met in its share of the search"},
		{sweep.ByTime, sweep.Outcome{Status: sweep.NotAttempted}, "not solved: the search was stopped"},
	} {
		s := &sweep.Sweep{Criterion: tc.by, Outcomes: []sweep.Outcome{solved, tc.o}}
		if got := present.OutcomeText(s, tc.o); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.o.Status, got, tc.want)
		}
	}
}

func TestWhatIsKnownOfLargerBudgets(t *testing.T) {
	for _, tc := range []struct {
		by   sweep.Criterion
		b    sweep.Beyond
		want string
	}{
		{sweep.ByTime, sweep.Beyond{}, ""},
		{sweep.ByRate, sweep.Beyond{Edges: 204, Status: sweep.NotAttempted},
			"Budgets of more than 204 edges were not " +
				"looked at: more edges never make the rate worse, so ask for the number that you can afford."},
		{sweep.ByTime, sweep.Beyond{Edges: 204, Status: sweep.NotAttempted},
			"Budgets of more than 204 edges were not looked at: the search was stopped."},
		{sweep.ByTime, sweep.Beyond{Edges: 204, Status: sweep.Hopeless, Best: 325.65},
			"No budget of more than 204 edges can beat 325.6 ms."},
		{sweep.PerNeighbor, sweep.Beyond{Edges: 204, Growth: 10, Status: sweep.Hopeless, Best: 3.5},
			"Budgets of more " +
				"than 204 edges are tried in steps of 10 %; the steps not listed cannot beat 3.5 ms per neighbour."},
		{sweep.ByTime, sweep.Beyond{Edges: 204, Growth: 10},
			"Budgets of more than 204 edges are tried in steps of 10 %."},
		{sweep.ByTime, sweep.Beyond{Edges: 204, Growth: 1, GaveUp: true},
			"Budgets of more than 204 edges are tried in steps of 100 % until two in a row are worse than the best."},
	} {
		if got := present.BeyondText(&sweep.Sweep{Criterion: tc.by, Beyond: tc.b}); got != tc.want {
			t.Errorf("%v: %q, want %q", tc.b, got, tc.want)
		}
	}
}

// A sweep may recommend a schedule or a collective: the words, the JSON and the page say what it is.
func TestTheRecommendedPlanMayBeOfAnyKind(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(8, cluster.PaperBandwidthGBs))
	if err != nil {
		t.Fatal(err)
	}
	p := design.Problem{Cluster: c, MaxEdges: 8, Objective: design.Time}.WithDefaults()
	swept, err := sweep.New(t.Context(), p, sweep.Settings{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		plan *design.Plan
		want string
	}{
		{onePeer(t, c), "Recommended: one-peer-exponential, 3 rounds per period, at most 1 peer in each, 3 rounds of"},
		{ringAllReduce(t, c), "Recommended: all-reduce along a ring, 1 round of 8.768 ms: 8.768 ms to"},
	} {
		swept.Recommended = sweep.Scored{Plan: tc.plan}
		var text, page bytes.Buffer
		if err := present.WriteSweep(&text, p, swept); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), tc.want) || strings.Contains(text.String(), "\n*") {
			t.Errorf("want %q and no budget marked in:\n%s", tc.want, &text)
		}
		if err := present.PlanPage(p, swept, nil, nil, nil).WriteHTML(&page); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(page.String(), tc.want) {
			t.Errorf("the page lacks %q", tc.want)
		}
		if _, err := json.Marshal(present.NewSweepJSON(swept)); err != nil {
			t.Error(err)
		}
	}
}

func onePeer(t *testing.T, c *cluster.Cluster) *design.Plan {
	t.Helper()
	family, err := mixing.FindSchedule("one-peer-exponential")
	if err != nil {
		t.Fatal(err)
	}
	s, err := family.Build(mixing.ScheduleParams{Nodes: c.Nodes()})
	if err != nil {
		t.Fatal(err)
	}
	plan, err := design.NewSchedulePlan(context.Background(), c, s)
	if err != nil {
		t.Fatal(err)
	}
	plan.Method = family.Name
	return plan
}

func ringAllReduce(t *testing.T, c *cluster.Cluster) *design.Plan {
	t.Helper()
	order := topology.InOrder(c.Nodes())
	ring, err := cost.Of(collective.Ring(order), c)
	if err != nil {
		t.Fatal(err)
	}
	return &design.Plan{
		Nodes: c.Nodes(), Kind: design.CollectiveKind, Hash: strings.Repeat("0", 64),
		Collective: &design.Collective{Algorithm: "ring", Order: order},
		Question:   design.Question{Cluster: c.Spec(), TargetError: c.Model().TargetError},
		Claims:     design.Claims{CommunicationMS: ring.MS, Iterations: 1, TimeMS: ring.MS},
	}
}
