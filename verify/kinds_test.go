package verify_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/collective"
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
	for name, s := range map[string]*mixing.Schedule{"hierarchical": mixing.Static(path), "hierarchical in turns": turns} {
		p, err := design.NewTwoLevelPlan(context.Background(), c, groups, s)
		if err != nil {
			t.Fatal(name, err)
		}
		all[name] = p
	}
	for name, p := range clockPlans(t, c, groups) {
		all[name] = p
	}
	return all
}

// clockPlans use what version 3 adds: all of it, on rings, trees, steps and gossip among groups, and gradients.
func clockPlans(t testing.TB, c *cluster.Cluster, groups [][]int) map[string]*design.Plan {
	t.Helper()
	all := map[string]*design.Plan{}
	full := design.Clocks{Average: design.Changes, Wire: design.INT8, DelaySteps: 8,
		BatchWeights: []float64{0.25, 0.25, 0.125, 0.125, 0.125, 0.125},
		Outer:        &design.Outer{LearningRate: 0.7, Momentum: 0.9},
		Phases:       []design.TrainingPhase{{Steps: 500}, {Steps: 64, Every: 4, Delay: 2}, {Every: 16, Delay: 8}}}
	for _, v := range []struct {
		name   string
		how    *design.Collective
		every  int
		clocks design.Clocks
	}{
		{"local SGD, ring", &design.Collective{Algorithm: design.RingForm, Order: []int{0, 2, 1}}, 16, full},
		{"local SGD, tree", &design.Collective{Algorithm: design.TreeForm, Parent: []int{-1, 0, 0}, Chunks: 4}, 64,
			design.Clocks{Wire: design.BF16, DelaySteps: 1}},
		{"local SGD, shards", design.StepsOf(collective.Shards([]float64{0.5, 0.25, 0.25}).InChunks(3)), 8,
			design.Clocks{Average: design.Changes}},
		{"local SGD, few bits", design.StepsOf(collective.Shards([]float64{0.5, 0.25, 0.25})), 8,
			design.Clocks{Average: design.Changes, Wire: design.INT2, Pieces: 4, DelaySteps: 1}},
	} {
		p, err := design.NewTwoClockPlan(c, groups, v.how)
		if err != nil {
			t.Fatal(v.name, err)
		}
		all[v.name] = used(t, c, p, v.every, v.clocks)
	}
	p, err := design.NewCollectivePlan(c, &design.Collective{Algorithm: design.RingForm, Order: []int{0, 2, 4, 1, 3, 5}})
	if err != nil {
		t.Fatal(err)
	}
	all["gradients"] = used(t, c, p, 1, design.Clocks{Average: design.Gradients, Wire: design.FP16})
	arcs := []mixing.Arc{{From: 0, To: 1, Weight: 0.25}, {From: 1, To: 0, Weight: 0.25}, {From: 1, To: 2, Weight: 0.5},
		{From: 2, To: 1, Weight: 0.5}}
	path, err := mixing.FromArcs(3, arcs)
	if err != nil {
		t.Fatal(err)
	}
	if p, err = design.NewTwoLevelPlan(t.Context(), c, groups, mixing.Static(path)); err != nil {
		t.Fatal(err)
	}
	p.Inside.Gradients = true
	all["local SGD, gossip"] = used(t, c, p, 32, design.Clocks{DelaySteps: 32})
	return all
}

// used is a plan with other clocks, priced again.
func used(t testing.TB, c *cluster.Cluster, p *design.Plan, every int, clocks design.Clocks) *design.Plan {
	t.Helper()
	p.Every, p.Clocks = every, clocks
	out, err := p.On(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return out
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

// What training does with an average is named as not proved, with what the reader warns about.
func TestUsageIsNamed(t *testing.T) {
	const claim = "average, batch_weights, delay, outer, phases, bucket_mb, library"
	p := otherKinds(t)["local SGD, ring"]
	if !listed(t, p, claim) {
		t.Error("the clocks are not listed as not proved")
	}
	p.Phases = nil
	p.Seal()
	report, err := verify.Check(t.Context(), p)
	if err != nil || report.Err() != nil {
		t.Fatal(err, report.Err())
	}
	if !slices.ContainsFunc(report, func(f verify.Finding) bool {
		return f.Claim == claim && strings.Contains(f.Detail, "no synchronous first phase")
	}) {
		t.Error("nothing is said about an outer optimizer without a synchronous start")
	}
}

// A bound on the time of averages in 32 bits says nothing about half as many.
func TestABoundDoesNotSpeakOfOtherWires(t *testing.T) {
	p := otherKinds(t)["gradients"]
	p.TimeBound = &design.TimeBound{Kind: design.SpreadBound, Whole: true}
	report, err := verify.Check(t.Context(), p)
	if err != nil || report.Err() == nil || !strings.Contains(report.Err().Error(), "in 32 bits") {
		t.Errorf("the bound is accepted: %v %v", err, report.Err())
	}
}

// Files that the Python package reads too, with the same hash.
func TestFilesOfOtherKindsAreRechecked(t *testing.T) {
	files, err := filepath.Glob("../design/testdata/[c-t]*.json")
	if err != nil || len(files) != 11 {
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

// What averages exactly, by counting, does so here, and nothing else does: the file holds random collectives, legal and
// not, and the other readers go through it too. What would follow from the average is not called true without it.
func TestWhatAveragesIsTheSameEverywhere(t *testing.T) {
	file, err := os.ReadFile("../internal/collective/testdata/meaning.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(file), []byte("\n"))
	for k, line := range lines {
		var v struct {
			Nodes int
			Exact bool
			Steps [][]design.Transfer
		}
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		c, err := cluster.New(cluster.Homogeneous(v.Nodes, 10))
		if err != nil {
			t.Fatal(err)
		}
		p, err := design.NewCollectivePlan(c, &design.Collective{Algorithm: design.StepsForm, Steps: v.Steps})
		if err != nil {
			t.Fatalf("collective %d: %v", k, err)
		}
		if err := p.CheckExact(); (err == nil) != v.Exact {
			t.Errorf("collective %d may be used: %v; that it averages is %t", k, err, v.Exact)
		}
		report, err := verify.Check(t.Context(), p)
		if err != nil || (report.Err() == nil) != v.Exact || holdsIn(report, "r_asym") != v.Exact {
			t.Errorf("collective %d: %v %v; that it averages is %t", k, err, report.Err(), v.Exact)
		}
	}
	if len(lines) < 100 {
		t.Errorf("only %d collectives were read", len(lines))
	}
}

// Of steps that are too many to follow nothing is called true that needs the average.
func TestWhatNeedsAnUnprovedAverageIsNotProved(t *testing.T) {
	const pieces = 16500
	c, err := cluster.New(cluster.Homogeneous(2, 10))
	if err != nil {
		t.Fatal(err)
	}
	how := &design.Collective{Algorithm: design.StepsForm, Steps: make([][]design.Transfer, 2)}
	for k := range pieces {
		begin, end := float64(k)/pieces, float64(k+1)/pieces
		how.Steps[0] = append(how.Steps[0], design.Transfer{From: 1, Begin: begin, End: end, Add: true})
		how.Steps[1] = append(how.Steps[1], design.Transfer{To: 1, Begin: begin, End: end})
	}
	p, err := design.NewCollectivePlan(c, how)
	if err != nil {
		t.Fatal(err)
	}
	report, err := verify.Check(t.Context(), p)
	if err != nil || report.Err() != nil {
		t.Fatal(err, report.Err())
	}
	for _, claim := range []string{"exact average", "r_asym", "iterations", "time_ms"} {
		if holdsIn(report, claim) {
			t.Errorf("%s is called true, though %d transfers are not followed", claim, 2*pieces)
		}
	}
	if statusOf(t, p, "r_asym, min_eigenvalue, iterations, time_ms") != verify.Unproved {
		t.Errorf("what is not proved is not listed: %v", report)
	}
}
