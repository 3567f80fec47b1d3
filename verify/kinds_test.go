package verify_test

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/collective"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/verify"
)

// servers are three servers of two nodes each, on which every message and every collective costs something.
func servers(t testing.TB) *cluster.Cluster {
	t.Helper()
	c, err := cluster.New(cluster.Spec{Servers: &cluster.Servers{
		Count: 3, GPUs: 2, Tree: cluster.TreeSpec{PIX: 20}, NIC: 5}, LatencyMS: 0.25,
		PerMessageMS: 0.125, PerCollectiveMS: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// otherKinds are small plans that are no gossip between nodes.
func otherKinds(t testing.TB) map[string]*design.Plan {
	t.Helper()
	c, groups := servers(t), [][]int{{0, 1}, {2, 3}, {4, 5}}
	ring := collective.Ring([]int{0, 1, 2})
	all := map[string]*design.Plan{}
	for name, how := range map[string]*design.Collective{
		"ring collective": {Algorithm: design.RingForm, Order: []int{0, 2, 4, 1, 3, 5}},
		"tree collective": {Algorithm: design.TreeForm, Parent: []int{-1, 0, 0, 2, 0, 4}, Chunks: 4},
		"halving":         design.StepsOf(collective.HalvingDoubling([]int{0, 1, 2, 3, 4, 5})),
		"shards":          design.StepsOf(collective.Shards([]float64{0.5, 0, 0.25, 0, 0.25, 0}).InChunks(3)),
		"levels":          design.StepsOf(collective.Levels(groups, collective.Around, ring).InChunks(2)),
	} {
		p, err := design.NewCollectivePlan(c, how)
		if err != nil {
			t.Fatal(name, err)
		}
		all[name] = p
	}
	schedule, err := mixing.FindSchedule("one-peer-exponential")
	if err != nil {
		t.Fatal(err)
	}
	turns, err := schedule.Build(mixing.ScheduleParams{Nodes: 3})
	if err != nil {
		t.Fatal(err)
	}
	arcs := []mixing.Arc{{From: 0, To: 1, Weight: 0.25}, {From: 1, To: 0, Weight: 0.25}, {From: 1, To: 2, Weight: 0.5},
		{From: 2, To: 1, Weight: 0.5}}
	path, err := mixing.FromArcs(3, arcs)
	if err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]*mixing.Schedule{"two levels": mixing.Static(path), "two levels in turns": turns} {
		p, err := design.NewTwoLevelPlan(context.Background(), c, groups, s)
		if err != nil {
			t.Fatal(name, err)
		}
		all[name] = p
	}
	return all
}

func TestOtherKindsOfPlansAreRechecked(t *testing.T) {
	for name, p := range otherKinds(t) {
		again, err := design.ReadPlan(name, bytes.NewReader(written(t, p)))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		report, err := verify.Check(context.Background(), again)
		if err != nil || report.Err() != nil {
			t.Errorf("%s: %v %v", name, err, report.Err())
		}
		for _, claim := range []string{"r_asym", "round_ms", "time_ms", "max_degree", "min_edge_gb_s"} {
			if !holdsIn(report, claim) {
				t.Errorf("%s: %s is not among what holds", name, claim)
			}
		}
	}
}

// Files that the Python package reads too, with the same hash.
func TestFilesOfOtherKindsAreRechecked(t *testing.T) {
	files, err := filepath.Glob("../design/testdata/v2-*.json")
	if err != nil || len(files) != 3 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		p, err := design.ReadPlanFile(name)
		if err != nil {
			t.Fatal(err)
		}
		report, err := verify.Check(t.Context(), p)
		if err != nil || report.Err() != nil {
			t.Errorf("%s: %v %v", name, err, report.Err())
		}
	}
}

func holdsIn(r verify.Report, claim string) bool {
	for _, f := range r {
		if f.Claim == claim && f.Status == verify.OK {
			return true
		}
	}
	return false
}

// Steps that do not average exactly are refused, whatever the plan says about their price.
func TestForgedStepsAreRefuted(t *testing.T) {
	for name, forge := range map[string]func(c *design.Collective){
		"a step is missing":      func(c *design.Collective) { c.Steps = c.Steps[1:] },
		"a transfer is missing":  func(c *design.Collective) { c.Steps[1] = c.Steps[1][1:] },
		"added twice":            func(c *design.Collective) { c.Steps[1] = append(c.Steps[1], c.Steps[1][0]) },
		"replaced and not added": func(c *design.Collective) { c.Steps[1][0].Add = false },
		"too short a part":       func(c *design.Collective) { c.Steps[2][0].End -= 1.0 / 64 },
		"other receiver":         func(c *design.Collective) { c.Steps[1][0].To = (c.Steps[1][0].To + 1) % 2 },
		"one step first":         func(c *design.Collective) { c.Steps[0], c.Steps[2] = c.Steps[2], c.Steps[0] },
	} {
		p := otherKinds(t)["halving"]
		forge(p.Collective)
		if err := p.Validate(); err != nil {
			continue // refused as a file
		}
		forged, err := design.NewCollectivePlan(servers(t), p.Collective)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		report, err := verify.Check(context.Background(), forged)
		if err != nil || report.Err() == nil || !strings.Contains(report.Err().Error(), "exact average") {
			t.Errorf("%s: error %v, findings %v; want a refusal of the exact average", name, err, report.Err())
		}
	}
}

// Rounds of parts of the message are not recomputed, and that is said; their hash is checked.
func TestPartsAreListedAsNotProved(t *testing.T) {
	p := familyPlan(t, "ring", 6)
	p.Rounds[0].Part = 0.25
	p.Hash = p.ComputeHash()
	if !listed(t, p, allClaims) {
		t.Error("the claims are not listed as not proved")
	}
	p.Every = 2
	report, err := verify.Check(context.Background(), p)
	if err != nil || report.Err() == nil {
		t.Errorf("every was changed, and the hash still passes (error %v)", err)
	}
}

// Rounds that average a part of the message average it with a W like any other: what such a plan claims is not
// rechecked, but that its weights are those of an average is.
func TestPartsAreAveragedByMixingMatrices(t *testing.T) {
	for name, spoil := range map[string]func(p *design.Plan){
		"a row that sums to more than 1": func(p *design.Plan) { p.Rounds[0].SelfWeights[2] += 0.5 },
		"an edge listed backwards": func(p *design.Plan) {
			e := &p.Rounds[0].Edges[0]
			e.I, e.J = e.J, e.I
		},
	} {
		p := familyPlan(t, "ring", 8)
		p.Rounds[0].Part = 0.5
		if s := statusOf(t, p, "doubly stochastic"); s != verify.OK {
			t.Errorf("the honest plan is %q", s)
		}
		spoil(p)
		if s := statusOf(t, p, "doubly stochastic"); s != verify.False {
			t.Errorf("%s: %q", name, s)
		}
	}
}
