package advise_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/advise"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/verify"
)

// oneAtATime is two racks whose nodes talk to one other at a time: no static graph is connected, schedules are.
func oneAtATime() cluster.Spec {
	return cluster.Spec{Format: cluster.FormatV2, Tree: &cluster.Group{Groups: []cluster.Group{{Name: "rack", Count: 2,
		Nodes: 4, Link: &cluster.Link{GBs: 12, MaxEdges: 1}, Uplink: &cluster.Link{GBs: 12}}}}}
}

func surveyed(t *testing.T, spec cluster.Spec, s advise.Setting) (*advise.Advice, error) {
	t.Helper()
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	problem, settings := design.Problem{Cluster: c, Purpose: design.Training}, sweep.Settings{Seed: 1, Evaluations: 200}
	if _, err := sweep.New(t.Context(), problem, settings); !errors.Is(err, feasible.ErrInfeasible) {
		t.Fatalf("a static graph is planned: %v", err)
	}
	sweep, err := sweep.Unsearched(problem.Cluster, settings.Seed, "").Survey(t.Context(), problem, settings)
	if err != nil {
		t.Fatal(err)
	}
	if sweep.Best() != nil || !errors.Is(sweep.NoGraph, feasible.ErrInfeasible) {
		t.Fatalf("surveyed the graph %v, without one because of %v", sweep.Best(), sweep.NoGraph)
	}
	return advise.From(t.Context(), c, sweep, s, nil)
}

// Where no static graph fits, everything else is compared, and what is compared runs within the caps.
func TestWithoutAStaticGraphTheRestIsWeighed(t *testing.T) {
	a, err := surveyed(t, oneAtATime(), advise.Setting{Seed: 1})
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
	if a.NoGraph == nil || a.Of(advise.Static) != nil || kinds[advise.DDP] != 1 || kinds[advise.Collective] == 0 ||
		kinds[advise.Scheduled] == 0 {
		t.Errorf("without a graph because of %v; compared %v", a.NoGraph, kinds)
	}
}

// line is a line that carries one edge at a time and joins neighbours, or every pair.
func line(nodes int, every bool) cluster.Spec {
	spec := cluster.Spec{Format: cluster.Format, Nodes: nodes, Resources: []cluster.ResourceSpec{{Name: "hub", GBs: 1,
		MaxEdges: 1}}}
	for i := range nodes {
		for j := i + 1; j < nodes && (every || j == i+1); j++ {
			spec.Routes = append(spec.Routes, cluster.RouteSpec{Pair: []int{i, j}, Over: []string{"hub"}})
		}
	}
	return spec
}

// Where pairs have to run one by one, they take turns: known rounds, divided, or whatever pairs there are. That nodes
// rest is said, and H is as large as differences between nodes were down to 1/e in the slowest training run.
func TestPairsInTurnAreWeighedWhereNothingElseFits(t *testing.T) {
	for _, c := range []struct {
		spec        cluster.Spec
		name        string
		rounds, per int
	}{
		{line(4, false), "pairs in turn", 3, 9}, // three periods
		{line(8, false), "pairs in turn", 7, 56},
		{line(8, true), "searched schedule", 12, 12},
	} {
		a, err := surveyed(t, c.spec, advise.Setting{Seed: 1, Wish: advise.Wish{Wire: "fp32"}})
		if err != nil {
			t.Errorf("%d nodes: %v", c.spec.Nodes, err)
			continue
		}
		r := a.Recommended
		if r.Name != c.name || len(r.Plan.Rounds) != c.rounds {
			t.Errorf("%d nodes: %s of %d rounds, want %s of %d", c.spec.Nodes, r.Name, len(r.Plan.Rounds), c.name, c.rounds)
		}
		if !slices.ContainsFunc(r.Outside, func(s string) bool { return strings.Contains(s, "idle in some rounds") }) {
			t.Errorf("%d nodes: outside of the convergence model in %q", c.spec.Nodes, r.Outside)
		}
		if r.Every*c.per > 78 || 2*r.Every*c.per <= 78 {
			t.Errorf("%d nodes: a round after every %d steps, nodes agree in %d rounds", c.spec.Nodes, r.Every, c.per)
		}
		if report, err := verify.Check(t.Context(), r.Plan); err != nil || report.Err() != nil {
			t.Errorf("%d nodes: %v, %v", c.spec.Nodes, err, report.Err())
		}
	}
}

// branched is a line whose second node has one more neighbour: sums cannot be handed along it one by one, since two
// nodes are equally far from any end.
func branched(nodes int) cluster.Spec {
	spec := line(nodes-1, false)
	spec.Nodes = nodes
	spec.Routes = append(spec.Routes, cluster.RouteSpec{Pair: []int{1, nodes - 1}, Over: []string{"hub"}})
	return spec
}

// Along a line that carries one edge at a time sums are handed on from node to node.
func TestSumsAreHandedAlongALine(t *testing.T) {
	if testing.Short() {
		t.Skip("searches for long; make deep does")
	}
	a, err := surveyed(t, line(16, false), advise.Setting{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if p := a.Recommended.Plan; p.Collective == nil || len(p.Collective.Steps) != 29 {
		t.Errorf("%s; want whole messages in 29 steps", a.Recommended.Name)
	}
}

// Pairs in turn on 17 nodes agree more slowly than anything that was trained: the answer is no, and who wants them
// nevertheless learns which command writes them.
func TestSchedulesThatAgreeTooSlowlyAreNotWeighed(t *testing.T) {
	if testing.Short() {
		t.Skip("searches for long; make deep does")
	}
	_, err := surveyed(t, branched(17), advise.Setting{Seed: 1, Skew: 0.5})
	if !errors.Is(err, feasible.ErrInfeasible) || !strings.Contains(err.Error(), "max_edges is 1") ||
		!strings.Contains(err.Error(), "after 496 steps") || !strings.Contains(err.Error(), "batopo schedule") {
		t.Errorf("error %v", err)
	}
}

// A line that carries one edge at a time joins four nodes, and two pairs are all that may talk: everything fails there,
// but one node by itself, which is no answer where nodes see different data. The caps are the reason.
func TestWithoutAnythingToRunTheCapsAreTheReason(t *testing.T) {
	_, err := surveyed(t, branched(4), advise.Setting{Seed: 1, Skew: 0.5, MaxEdges: 2})
	if !errors.Is(err, feasible.ErrInfeasible) || !strings.Contains(err.Error(), "max_edges is 1") ||
		!strings.Contains(err.Error(), "nothing else can be run") || strings.Contains(err.Error(), "may still fit") {
		t.Errorf("error %v", err)
	}
}
