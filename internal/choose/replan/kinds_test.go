package replan_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/replan"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/verify"
)

// sites are four sites of two nodes; a site's uplink has a rate in GB/s.
func sites(t testing.TB, uplink ...float64) *cluster.Cluster {
	t.Helper()
	root := &cluster.Group{}
	for k, gbs := range uplink {
		root.Groups = append(root.Groups, cluster.Group{Name: string(rune('a' + k)), Nodes: 2,
			Link: &cluster.Link{GBs: 10}, Uplink: &cluster.Link{GBs: gbs}})
	}
	c, err := cluster.New(cluster.Spec{Format: cluster.FormatV2, Tree: root})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// running returns a plan of every kind, made for four equal sites.
func running(t testing.TB) map[string]*design.Plan {
	t.Helper()
	c := sites(t, 1, 1, 1, 1)
	groups := [][]int{{0, 1}, {2, 3}, {4, 5}, {6, 7}}
	ring := &design.Collective{Algorithm: design.RingForm, Order: []int{0, 2, 4, 6, 1, 3, 5, 7}}
	all := map[string]*design.Plan{}
	add := func(name string, p *design.Plan, err error) {
		if err != nil {
			t.Fatal(name, err)
		}
		p.Purpose = design.Training
		p.Seal()
		if p, err = p.On(t.Context(), c); err != nil {
			t.Fatal(name, err)
		}
		p.Purpose = design.Training
		all[name] = p
	}
	family, err := mixing.FindSchedule("one-peer-exponential")
	if err != nil {
		t.Fatal(err)
	}
	onePeer, err := family.Build(mixing.ScheduleParams{Nodes: 8})
	if err != nil {
		t.Fatal(err)
	}
	p, err := design.NewSchedulePlan(t.Context(), c, onePeer)
	add("schedule", p, err)
	p, err = design.NewCollectivePlan(c, ring)
	p.Every = 4
	add("parameters", p, err)
	p, err = design.NewCollectivePlan(c, ring)
	p.Average, p.Wire, p.BucketMB = design.Gradients, design.BF16, 5
	add("gradients", p, err)
	p, err = design.NewCollectivePlan(c, ring)
	p.Average, p.Library = design.Gradients, true
	add("backend", p, err)
	path := mixing.Static(pairsOf(t, 4, [][2]int{{0, 1}, {1, 2}, {2, 3}, {0, 3}}))
	p, err = design.NewTwoLevelPlan(t.Context(), c, groups, path)
	add("levels", p, err)
	p, err = design.NewTwoClockPlan(c, groups, &design.Collective{Algorithm: design.RingForm, Order: []int{0, 1, 2, 3}})
	p.Every = 8
	add("clocks", p, err)
	return all
}

func pairsOf(t testing.TB, n int, pairs [][2]int) *mixing.Matrix {
	t.Helper()
	var arcs []mixing.Arc
	for _, p := range pairs {
		arcs = append(arcs, mixing.Arc{From: p[0], To: p[1], Weight: 0.25}, mixing.Arc{From: p[1], To: p[0], Weight: 0.25})
	}
	w, err := mixing.FromArcs(n, arcs)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// Plans of every kind follow the network: the new one is of the same kind, is used in the same way, agrees in no more
// rounds, takes less time by the same clock, and verifies.
func TestPlansOfEveryKindFollowTheNetwork(t *testing.T) {
	slow := sites(t, 1, 0.2, 1, 1)
	for name, p := range running(t) {
		a := decide(t, p, slow, replan.Settings{Evaluations: 500, Changes: 0.5, Gain: 0.01})
		if a.New == nil {
			t.Errorf("%s: %s", name, a.Why)
			continue
		}
		if a.Keep || a.ScoreNew >= a.ScoreNow || a.IterationNew >= a.IterationNow {
			t.Errorf("%s: keep is %v; %v ms instead of %v (%s)", name, a.Keep, a.IterationNew, a.IterationNow, a.Why)
		}
		ms, err := a.New.IterationMS(slow)
		if err != nil || ms != a.IterationNew {
			t.Errorf("%s: the plan's clock says %v ms (%v), the answer %v", name, ms, err, a.IterationNew)
		}
		n := a.New
		if n.Kind != p.Kind || n.Every != p.Every || n.Average != p.Average || n.Wire != p.Wire || n.BucketMB != p.BucketMB ||
			n.Library || (n.Inside == nil) != (p.Inside == nil) || n.Purpose != p.Purpose {
			t.Errorf("%s: the new plan is another kind: %+v", name, n)
		}
		if n.Iterations > a.Now.Iterations && name != "levels" { // graphs are compared by how well they average
			t.Errorf("%s: it agrees in %d rounds, the running one in %d", name, n.Iterations, a.Now.Iterations)
		}
		report, err := verify.Check(t.Context(), n)
		if err == nil {
			err = report.Err()
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		again := decide(t, n, slow, replan.Settings{Evaluations: 500, Changes: 0.5, Gain: 0.01})
		if !again.Keep && name != "levels" { // a graph changes a little at a time
			t.Errorf("%s: changes again though nothing has changed: %s", name, again.Why)
		}
	}
}

// What is gained must be worth a change, whatever the kind.
func TestPlansOfEveryKindStay(t *testing.T) {
	slow := sites(t, 1, 0.2, 1, 1)
	for name, p := range running(t) {
		if a := decide(t, p, slow, replan.Settings{Evaluations: 500, Gain: 0.99}); !a.Keep {
			t.Errorf("%s: a gain of 99 %% is asked for: %s", name, a.Why)
		}
		dear := replan.Settings{Evaluations: 500, SwitchMS: 1000, HorizonMS: 1000}
		if a := decide(t, p, slow, dear); !a.Keep {
			t.Errorf("%s: a switch costs all the time ahead: %s", name, a.Why)
		}
	}
}

// A run cannot change plans with phases.
func TestWhatNoRunCanChangeIsRefused(t *testing.T) {
	c := sites(t, 1, 1, 1, 1)
	phases := running(t)["clocks"]
	phases.Phases = []design.TrainingPhase{{Steps: 100}, {Every: 8}}
	_, err := replan.Decide(t.Context(), phases, c, replan.Settings{})
	if !errors.Is(err, replan.ErrKind) || !strings.Contains(err.Error(), "has phases; an iteration of training takes") {
		t.Errorf("%v does not say that the plan has phases", err)
	}
}
