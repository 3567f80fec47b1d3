package advise_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/batopo/batopo/advise"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/planner"
	"github.com/batopo/batopo/verify"
)

// oneAtATime is two racks whose nodes talk to one other at a time: no static graph is connected, schedules are.
func oneAtATime() cluster.Spec {
	return cluster.Spec{Format: cluster.FormatV2, Tree: &cluster.Group{Groups: []cluster.Group{{Name: "rack", Count: 2,
		Nodes: 4, Link: &cluster.Link{GBs: 12, MaxEdges: 1}, Uplink: &cluster.Link{GBs: 12}}}}}
}

func surveyed(t *testing.T, spec cluster.Spec) (*advise.Advice, error) {
	t.Helper()
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	problem, settings := design.Problem{Cluster: c, Purpose: design.Training}, planner.Settings{Seed: 1, Evaluations: 200}
	if _, err := planner.Plan(t.Context(), problem, settings); !errors.Is(err, planner.ErrInfeasible) {
		t.Fatalf("a static graph is planned: %v", err)
	}
	sweep, err := planner.Survey(t.Context(), problem, settings)
	if err != nil {
		t.Fatal(err)
	}
	if sweep.Best() != nil || !errors.Is(sweep.NoGraph, planner.ErrInfeasible) {
		t.Fatalf("surveyed the graph %v, without one because of %v", sweep.Best(), sweep.NoGraph)
	}
	return advise.From(t.Context(), c, sweep, advise.Setting{Seed: 1}, nil)
}

// Where no static graph fits, everything else is weighed, and what is weighed runs within the caps.
func TestWithoutAStaticGraphTheRestIsWeighed(t *testing.T) {
	a, err := surveyed(t, oneAtATime())
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[advise.Kind]int{}
	for _, c := range a.All {
		kinds[c.Kind]++
		if c.Plan == nil {
			continue
		}
		report, err := verify.Check(t.Context(), c.Plan)
		if err != nil || report.Err() != nil {
			t.Errorf("%s: %v, %v", c.Name, err, report.Err())
		}
	}
	if a.NoGraph == nil || a.BestStatic != nil || kinds[advise.DDP] != 1 || kinds[advise.Collective] == 0 ||
		kinds[advise.Scheduled] == 0 {
		t.Errorf("without a graph because of %v; weighed %v", a.NoGraph, kinds)
	}
}

// A line that carries one edge at a time joins four nodes: all that is known fails there, and the caps are the reason.
func TestWithoutAnythingToRunTheCapsAreTheReason(t *testing.T) {
	spec := cluster.Spec{Format: cluster.Format, Nodes: 4, Resources: []cluster.ResourceSpec{{Name: "hub", GBs: 1,
		MaxEdges: 1}}}
	for k := range 3 {
		spec.Routes = append(spec.Routes, cluster.RouteSpec{Pair: []int{k, k + 1}, Over: []string{"hub"}})
	}
	_, err := surveyed(t, spec)
	if !errors.Is(err, planner.ErrInfeasible) || !strings.Contains(err.Error(), "nothing else can be run") ||
		strings.Contains(err.Error(), "may still fit") {
		t.Errorf("error %v", err)
	}
}
