package verify_test

import (
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
	"github.com/batopo/batopo/verify"
)

// crossing is a schedule on two pairs of nodes: 0–1 and 2–3 beside each other, then 0–2 and 1–3 over a link.
func crossing(t *testing.T) *design.Plan {
	t.Helper()
	spec := cluster.Spec{Nodes: 4, Resources: []cluster.ResourceSpec{{Name: "left", GBs: 4}, {Name: "right", GBs: 4},
		{Name: "link", GBs: 1}},
		Routes: []cluster.RouteSpec{{Pair: []int{0, 1}, Over: []string{"left"}}, {Pair: []int{2, 3}, Over: []string{"right"}},
			{Pair: []int{0, 2}, Over: []string{"link"}}, {Pair: []int{1, 3}, Over: []string{"link"}}}}
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	s := &mixing.Schedule{Name: "crossing"}
	for _, pairs := range [][]topology.Edge{{{I: 0, J: 1}, {I: 2, J: 3}}, {{I: 0, J: 2}, {I: 1, J: 3}}} {
		g, err := topology.New(4, pairs)
		if err != nil {
			t.Fatal(err)
		}
		w, err := mixing.FromEdges(g, constant(2, 0.5))
		if err != nil {
			t.Fatal(err)
		}
		s.Rounds = append(s.Rounds, w)
	}
	p, err := design.NewSchedulePlan(t.Context(), c, s)
	if err != nil {
		t.Fatal(err)
	}
	p.MaxEdges, p.DegreeLimit = 2, 1
	return p
}

// A schedule is held to what was asked of every round, which need not be connected by itself.
func TestEveryRoundKeepsTheLimits(t *testing.T) {
	for _, c := range []struct {
		name  string
		edit  func(p *design.Plan)
		claim string
		want  verify.Status
	}{
		{"two edges a round", func(*design.Plan) {}, "edge budget", verify.OK},
		{"one edge a round", func(p *design.Plan) { p.MaxEdges = 1 }, "edge budget", verify.False},
		{"one peer", func(*design.Plan) {}, "degree limit", verify.OK},
		{"pairs with a route", func(*design.Plan) {}, "candidate edges", verify.OK},
		{"two edges fit", func(*design.Plan) {}, "resource limits", verify.OK},
		{"one edge fits", func(p *design.Plan) { p.Cluster.Resources[2].MaxEdges = 1 }, "resource limits", verify.False},
	} {
		p := crossing(t)
		c.edit(p)
		if got := statusOf(t, p, c.claim); got != c.want {
			t.Errorf("%s: %s is %q, want %q", c.name, c.claim, got, c.want)
		}
	}
}

// A bound on a schedule is refused with the reason.
func TestSchedulesHaveNoBound(t *testing.T) {
	p := schedulePlan(t, "base", 5)
	p.MaxEdges = 4
	p.SetBound(&design.Bound{Kind: design.CompleteBound})
	report, err := verify.Check(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if err := report.Err(); err == nil || !strings.Contains(err.Error(), "a schedule may average exactly") {
		t.Errorf("got %v, want the reason why there is no bound", err)
	}
}

// A round in which nobody talks has no slowest edge; the plan states the slowest of the other rounds.
func TestSlowestEdgeBesideAnEmptyRound(t *testing.T) {
	empty, err := mixing.FromArcs(2, nil)
	if err != nil {
		t.Fatal(err)
	}
	pair, err := mixing.FromArcs(2, []mixing.Arc{{From: 0, To: 1, Weight: 0.5}, {From: 1, To: 0, Weight: 0.5}})
	if err != nil {
		t.Fatal(err)
	}
	for _, rounds := range [][]*mixing.Matrix{{empty, pair}, {pair, empty}} {
		p, err := design.NewSchedulePlan(t.Context(), hardware(t, 2), &mixing.Schedule{Rounds: rounds})
		if err != nil {
			t.Fatal(err)
		}
		if s := statusOf(t, p, "min_edge_gb_s"); s != verify.OK || p.MinEdgeGBs == 0 {
			t.Errorf("the slowest edge has %v GB/s: %q", p.MinEdgeGBs, s)
		}
		p.MinEdgeGBs = 0
		if s := statusOf(t, p, "min_edge_gb_s"); s != verify.False {
			t.Errorf("a slowest edge of 0 GB/s is %q", s)
		}
	}
}

// Rounds whose time holds are one finding, however many there are; one whose time is false is named.
func TestTimesOfRoundsAreOneFinding(t *testing.T) {
	p, err := design.NewSchedulePlan(t.Context(), hardware(t, 4), nearlyExact(t, 0x1p-20, 298))
	if err != nil {
		t.Fatal(err)
	}
	times := func() (found []verify.Finding) {
		report, err := verify.Check(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range report {
			if strings.HasPrefix(f.Claim, "round_ms") {
				found = append(found, f)
			}
		}
		return found
	}
	if got := times(); len(got) != 1 || got[0].Status != verify.OK {
		t.Errorf("300 true times: %+v", got)
	}
	p.RoundMS[7] *= 2
	if got := times(); len(got) != 2 || got[0].Claim != "round_ms[7]" || got[0].Status != verify.False {
		t.Errorf("the time of one round is false: %+v", got)
	}
}
