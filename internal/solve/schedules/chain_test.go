package schedules

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/verify"
)

// No exact schedule is known for nodes in a chain, and none arrives in a few periods where one link is slow; one that
// arrives is found all the same, however few are looked at.
func TestNodesInAChainFindASchedule(t *testing.T) {
	for _, rates := range [][]float64{{1, 1, 0.01}, {1, 1, 0.01, 1, 1}} {
		c := chain(t, rates)
		for _, evaluations := range []int{300, 5000} {
			for _, positive := range []bool{false, true} {
				s := Settings{Seed: 1, Evaluations: evaluations}
				found, err := Search(t.Context(), Problem{Cluster: c, Positive: positive}, s)
				if err != nil {
					t.Errorf("%v, %d evaluations, positive %v: %v", rates, evaluations, positive, err)
					continue
				}
				plan, err := found.Plan(t.Context(), c, s)
				if err != nil || plan.Iterations == 0 {
					t.Errorf("%v, %d evaluations, positive %v: %v; it never arrives", rates, evaluations, positive, err)
				}
			}
		}
	}
}

// Along a long chain nothing is known and nothing that is drawn arrives; its even and odd links in turn do. A line of
// one edge at a time lets pairs take turns one by one.
func TestPairsTakeTurnsWhereNothingElseRuns(t *testing.T) {
	narrow := cluster.Spec{Format: cluster.Format, Nodes: 4,
		Resources: []cluster.ResourceSpec{{Name: "line", GBs: 1, MaxEdges: 1}}}
	for k := range 3 {
		narrow.Routes = append(narrow.Routes, cluster.RouteSpec{Pair: []int{k, k + 1}, Over: []string{"line"}})
	}
	hub, err := cluster.New(narrow)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*cluster.Cluster{chain(t, slices.Repeat([]float64{1}, 63)), hub} {
		s := Settings{Seed: 1, Evaluations: 1}
		found, err := Search(t.Context(), Problem{Cluster: c, Positive: true}, s)
		if err != nil {
			t.Errorf("%d nodes: %v", c.Nodes(), err)
			continue
		}
		plan, err := found.Plan(t.Context(), c, s)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(plan.TimeMS-found.MS) > 1e-9*found.MS {
			t.Errorf("%d nodes: %v ms found, %v ms planned", c.Nodes(), found.MS, plan.TimeMS)
		}
		if report, err := verify.Check(t.Context(), plan); err != nil || report.Err() != nil {
			t.Errorf("%d nodes: %v, %v", c.Nodes(), err, report.Err())
		}
	}
}

// A longer search does all that a shorter one does, and then goes on: it never ends with a worse schedule.
func TestMoreEvaluationsNeverEndWorse(t *testing.T) {
	for _, rates := range [][]float64{{1, 1, 0.01}, {1, 1, 0.01, 1, 1}, {1, 1, 1, 0.05, 1, 1, 1}} {
		c := chain(t, rates)
		for _, positive := range []bool{false, true} {
			least, shorter := math.Inf(1), 0
			for evaluations := 100; evaluations <= 20_000; evaluations += evaluations/2 + 7 {
				s := Settings{Seed: 1, Evaluations: evaluations}
				found, err := Search(t.Context(), Problem{Cluster: c, Positive: positive}, s)
				if err != nil {
					t.Fatal(err)
				}
				if found.MS > least {
					t.Errorf("%v, positive %v: %d evaluations found %g ms, %d found %g", rates, positive, evaluations,
						found.MS, shorter, least)
				}
				least, shorter = found.MS, evaluations
			}
		}
	}
}

// chain is a cluster whose nodes have a link to the one before and to the one after them.
func chain(t *testing.T, rates []float64) *cluster.Cluster {
	t.Helper()
	spec := cluster.Spec{Format: cluster.Format, Nodes: len(rates) + 1}
	for k, gbs := range rates {
		name := fmt.Sprintf("link %d", k)
		spec.Resources = append(spec.Resources, cluster.ResourceSpec{Name: name, GBs: gbs})
		spec.Routes = append(spec.Routes, cluster.RouteSpec{Pair: []int{k, k + 1}, Over: []string{name}})
	}
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
