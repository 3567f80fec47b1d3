package present_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"github.com/batopo/batopo/cost"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/collective"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/planner"
	"github.com/batopo/batopo/present"
	"github.com/batopo/batopo/topology"
)

func TestEveryOutcomeHasItsSentence(t *testing.T) {
	plan := &design.Plan{Rounds: []design.Round{{Edges: make([]design.PlanEdge, 12)}}}
	solved := planner.Outcome{Status: planner.Solved, Scored: planner.Scored{Plan: plan}}
	forbidden := errors.New("node 3 has no route")
	for _, tc := range []struct {
		by   planner.Criterion
		o    planner.Outcome
		want string
	}{
		{planner.ByTime, solved, ""},
		{planner.ByTime, planner.Outcome{Status: planner.Outpaced, CollectiveMS: 9.39375},
			"exact, but ring all-reduce averages exactly in 9.394 ms"},
		{planner.ByTime, planner.Outcome{Status: planner.SamePlan, SameAs: 0}, "the plan of 12 edges again"},
		{planner.ByTime, planner.Outcome{Status: planner.Hopeless,
			Proof: &planner.Proof{Rounds: 7, RoundMS: 40.08, Best: 250.5}},
			"at least 7 rounds of 40.08 ms, which cannot beat 250.5 ms"},
		{planner.PerNeighbor, planner.Outcome{Status: planner.Hopeless,
			Proof: &planner.Proof{IterationMS: 50.28, Neighbors: 14.46, Best: 3.328}},
			"at least 50.28 ms per iteration over at most 14.46 neighbours, which cannot beat 3.328 ms per neighbour"},
		{planner.ByTime, planner.Outcome{Status: planner.Infeasible, Err: forbidden}, "node 3 has no route"},
		{planner.ByTime, planner.Outcome{Status: planner.Undecided, Err: forbidden}, "node 3 has no route"},
		{planner.ByTime, planner.Outcome{Status: planner.ShareSpent}, "no plan was met in its share of the search"},
		{planner.ByTime, planner.Outcome{Status: planner.NotAttempted}, "not solved: the search was stopped"},
	} {
		s := &planner.Sweep{Criterion: tc.by, Outcomes: []planner.Outcome{solved, tc.o}}
		if got := present.OutcomeText(s, tc.o); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.o.Status, got, tc.want)
		}
	}
}

func TestWhatIsKnownOfLargerBudgets(t *testing.T) {
	for _, tc := range []struct {
		by   planner.Criterion
		b    planner.Beyond
		want string
	}{
		{planner.ByTime, planner.Beyond{}, ""},
		{planner.ByRate, planner.Beyond{Edges: 204, Status: planner.NotAttempted},
			"Budgets of more than 204 edges were not " +
				"looked at: more edges never make the rate worse, so ask for the number that you can afford."},
		{planner.ByTime, planner.Beyond{Edges: 204, Status: planner.NotAttempted},
			"Budgets of more than 204 edges were not looked at: the search was stopped."},
		{planner.ByTime, planner.Beyond{Edges: 204, Status: planner.Hopeless, Best: 325.65},
			"No budget of more than 204 edges can beat 325.6 ms."},
		{planner.PerNeighbor, planner.Beyond{Edges: 204, Growth: 10, Status: planner.Hopeless, Best: 3.5},
			"Budgets of more " +
				"than 204 edges are tried in steps of 10 %; the steps not listed cannot beat 3.5 ms per neighbour."},
		{planner.ByTime, planner.Beyond{Edges: 204, Growth: 10},
			"Budgets of more than 204 edges are tried in steps of 10 %."},
		{planner.ByTime, planner.Beyond{Edges: 204, Growth: 1, GaveUp: true},
			"Budgets of more than 204 edges are tried in steps of 100 % until two in a row are worse than the best."},
	} {
		if got := present.BeyondText(&planner.Sweep{Criterion: tc.by, Beyond: tc.b}); got != tc.want {
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
	sweep, err := planner.NewSweep(t.Context(), p, planner.Settings{Seed: 1})
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
		sweep.Recommended = planner.Scored{Plan: tc.plan}
		var text, page bytes.Buffer
		if err := present.WriteSweep(&text, p, sweep); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text.String(), tc.want) || strings.Contains(text.String(), "\n*") {
			t.Errorf("want %q and no budget marked in:\n%s", tc.want, &text)
		}
		if err := present.PlanPage(p, sweep, nil, nil, nil).WriteHTML(&page); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(page.String(), tc.want) {
			t.Errorf("the page lacks %q", tc.want)
		}
		if _, err := json.Marshal(present.NewSweepJSON(sweep)); err != nil {
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
