package sweep_test

import (
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/topology"
)

// The weights of least r_asym need 34, 19 and 14 rounds on the best graphs for these budgets.
func TestObjectiveTimeCountsRounds(t *testing.T) {
	for _, c := range []struct{ nodes, edges, degree, rounds int }{{8, 8, 2, 33}, {8, 10, 3, 18}, {16, 32, 4, 13}} {
		p := design.Problem{
			Cluster: homogeneous(t, c.nodes), MaxEdges: c.edges, MaxDegree: c.degree, Objective: design.Time,
		}
		plan, err := sweep.Optimize(t.Context(), p, sweep.Settings{Seed: 1, Evaluations: 100_000})
		if err != nil {
			t.Fatal(err)
		}
		if plan.Iterations > c.rounds || plan.RoundsBound == nil || plan.RoundsBound.Rounds != plan.Iterations {
			t.Errorf("%d nodes, %d edges: %d rounds, proved %v; %d are enough", c.nodes, c.edges, plan.Iterations,
				plan.RoundsBound, c.rounds)
		}
		if plan.Objective != design.Time {
			t.Errorf("the plan says that its objective is %q", plan.Objective)
		}
		checked(t, plan)
	}
}

// Only the weights are asked for: those of fewest rounds differ from those of least r_asym.
func TestBestWeightsForTime(t *testing.T) {
	g, err := topology.Ring(8)
	if err != nil {
		t.Fatal(err)
	}
	p := design.Problem{Cluster: homogeneous(t, 8), Objective: design.Time, Purpose: design.Consensus,
		Sign: design.NonNegative}
	plan, err := sweep.BestWeights(t.Context(), p, g, nil)
	if err != nil {
		t.Fatal(err)
	}
	if plan.Iterations != 33 || plan.RoundsBound == nil || plan.RoundsBound.Rounds != 33 {
		t.Errorf("%d rounds, proved %v; want 33", plan.Iterations, plan.RoundsBound)
	}
	checked(t, plan)
	p.Objective = design.Rate
	if plan, err = sweep.BestWeights(t.Context(), p, g, nil); err != nil {
		t.Fatal(err)
	}
	if plan.Iterations != 34 || plan.RoundsBound != nil {
		t.Errorf("objective rate: %d rounds, proved %v; want 34 and no proof", plan.Iterations, plan.RoundsBound)
	}
}
