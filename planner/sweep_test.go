package planner_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"batopo/planner"
)

// On two and three nodes every plan is exact, so ring all-reduce is as good; there is still a plan to recommend.
func TestPlanOfTheSmallestClusters(t *testing.T) {
	for _, n := range []int{2, 3} {
		p := question(homogeneous(t, n), 0)
		p.Objective = "time"
		sweep, err := planner.Plan(context.Background(), p, planner.Settings{Seed: 1})
		if err != nil {
			t.Fatalf("%d nodes: %v", n, err)
		}
		if best := sweep.Best(); best.Iterations != 1 || len(best.Edges) != n*(n-1)/2 {
			t.Errorf("%d nodes: %d edges, %d iterations; want the complete graph and 1", n, len(best.Edges), best.Iterations)
		}
	}
}

func TestPlanLooksNoFurtherThanTheDegreesAllow(t *testing.T) {
	p := question(homogeneous(t, 7), 0)
	p.MaxDegree, p.Objective = 3, "time"
	sweep, err := planner.Plan(context.Background(), p, planner.Settings{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	last := sweep.Budgets[len(sweep.Budgets)-1].Allocation
	if len(sweep.Budgets) != 2 || last.MaxEdges != 10 {
		t.Errorf("%d budgets, the last of %d edges; want 7 and 10 edges only", len(sweep.Budgets), last.MaxEdges)
	}
}

// Asked for the soonest plan of at most 15 edges, the answer is the complete graph: one round, however long.
func TestObjectiveTimeTakesAnExactPlan(t *testing.T) {
	p := question(homogeneous(t, 6), 15)
	p.Objective = "time"
	plan, err := planner.Optimize(context.Background(), p, planner.Settings{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Edges) != 15 || plan.Iterations != 1 {
		t.Errorf("%d edges, %d iterations; want 15 and 1", len(plan.Edges), plan.Iterations)
	}
	checked(t, plan)
}

func TestPlanRefusesImpossibleBudgets(t *testing.T) {
	for _, edges := range []int{-3, 4} {
		p := question(homogeneous(t, 8), edges)
		if _, err := planner.Plan(context.Background(), p, planner.Settings{Seed: 1}); err == nil || !strings.Contains(err.Error(), "cannot connect 8 nodes") {
			t.Errorf("%d edges on 8 nodes: %v", edges, err)
		}
	}
}

// Early budgets must not eat the time of later ones.
func TestEveryBudgetGetsItsShareOfTheTime(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	p := question(hardware(t, "wan-general"), 0)
	p.Objective = "time"
	sweep, err := planner.Plan(ctx, p, planner.Settings{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range sweep.Budgets {
		if strings.Contains(b.Reason, "the search was stopped") {
			t.Errorf("the budget of %d edges: %s", b.Allocation.MaxEdges, b.Reason)
		}
	}
}
