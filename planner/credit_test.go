package planner

import (
	"context"
	"math"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
)

// swept solves every budget of an example as Plan does, up to where plans are credited.
func swept(t *testing.T, example string, purpose design.Purpose) *sweeper {
	t.Helper()
	c, err := cluster.ReadFile("../examples/" + example + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	p := design.Problem{Cluster: c, Objective: design.Time, Purpose: purpose, Sign: design.NonNegative}
	if purpose == design.Training {
		p.MinEigenvalue = new(float64)
	}
	w, err := newSweeper(t.Context(), p, Settings{Seed: 1, Evaluations: 30_000})
	if err != nil {
		t.Fatal(err)
	}
	for k := range w.Budgets {
		if err := w.first(context.Background(), k, 1); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// Whatever is moved or dropped, the best plan stays recommended and every budget has a plan no worse than before or points to one.
func TestCreditLosesNothing(t *testing.T) {
	for _, example := range []string{"node-level-16", "intra-server-8", "bcube-16-1to2", "wan-general", "homogeneous-16"} {
		for _, purpose := range []design.Purpose{design.Consensus, design.Training} {
			w := swept(t, example, purpose)
			before := append([]Budget(nil), w.Budgets...)
			if err := w.credit(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := w.Budgets[w.Recommended]; got.Plan == nil || got.Score != w.best {
				t.Errorf("%s, %s: recommended scores %v, the best found %v", example, purpose, got.Score, w.best)
			}
			for k, b := range w.Budgets {
				switch {
				case b.Plan == nil && b.Reason == "":
					t.Errorf("%s, %s: the budget of %d edges has neither plan nor reason", example, purpose, b.Allocation.MaxEdges)
				case b.Plan != nil && before[k].Plan != nil && b.Score > before[k].Score:
					t.Errorf("%s, %s: the budget of %d edges scores %v, before %v", example, purpose, b.Allocation.MaxEdges, b.Score, before[k].Score)
				case b.Plan == nil && before[k].Plan != nil:
					least := math.Inf(1)
					for _, earlier := range w.Budgets[:k] {
						least = min(least, earlier.Score)
					}
					if least > before[k].Score {
						t.Errorf("%s, %s: the budget of %d edges lost a plan of %v; earlier ones have %v", example, purpose, b.Allocation.MaxEdges, before[k].Score, least)
					}
				}
			}
		}
	}
}

// A plan of few edges found last belongs to the first budget, with the bound and the limits of that; the exact plan stays.
func TestCreditMovesAPlanToTheFirstBudgetWithRoom(t *testing.T) {
	w := swept(t, "node-level-16", design.Consensus)
	first, last := &w.Budgets[0], len(w.Budgets)-1
	own := *first.Plan
	better := own
	better.MaxEdges, better.RAsym = w.Budgets[last].Allocation.MaxEdges, own.RAsym-1e-3 // as if it had been found there
	w.Budgets[last] = Budget{Allocation: w.Budgets[last].Allocation, Plan: &better, Score: first.Score - 1}
	bound := own.Bound.RAsym
	if err := w.credit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if first.Plan != &better || better.MaxEdges != first.Allocation.MaxEdges || better.Bound.RAsym != bound {
		t.Errorf("the first budget has a plan for %d edges with bound %v; want %d edges and %v", first.Plan.MaxEdges, first.Plan.Bound.RAsym, first.Allocation.MaxEdges, bound)
	}
	if got, want := w.Budgets[last].Reason, "the plan of 16 edges again"; w.Budgets[last].Plan != nil || got != want {
		t.Errorf("the last budget says %q, want %q", got, want)
	}
}

// A budget whose own plan is worse in rate and time than an earlier one has nothing to show.
func TestCreditDropsWhatAnEarlierBudgetOutdoes(t *testing.T) {
	w := swept(t, "homogeneous-16", design.Consensus)
	w.Budgets[3].Plan.RAsym, w.Budgets[3].Score = w.Budgets[0].Plan.RAsym, w.Budgets[0].Score // as if nothing better than the ring had been found
	w.Recommended, w.best = 2, w.Budgets[2].Score
	if err := w.credit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := w.Budgets[3].Reason, "the plan of 32 edges again"; w.Budgets[3].Plan != nil || got != want {
		t.Errorf("the fourth budget says %q, want %q", got, want)
	}
}

// A plan that belongs to an earlier budget, where the plan is outdone by one earlier still, points to that.
func TestCreditFollowsAHomeThatIsOutdone(t *testing.T) {
	w := swept(t, "homogeneous-16", design.Consensus)
	own := *w.Budgets[1].Plan
	w.Budgets[2].Plan, w.Budgets[2].Score = &own, w.Budgets[0].Score+2 // fits into budget 1 and is no better there
	w.Budgets[1].Plan.RAsym, w.Budgets[1].Score = w.Budgets[0].Plan.RAsym+0.01, w.Budgets[0].Score+1
	w.Recommended, w.best = 0, w.Budgets[0].Score
	if err := w.credit(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, k := range []int{1, 2} {
		if got, want := w.Budgets[k].Reason, "the plan of 16 edges again"; w.Budgets[k].Plan != nil || got != want {
			t.Errorf("budget %d says %q, want %q", k, got, want)
		}
	}
}
