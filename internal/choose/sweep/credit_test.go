package sweep

import (
	"context"
	"math"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
)

// swept solves every budget of an example as New does, up to where plans are credited.
func swept(t *testing.T, example string, purpose design.Purpose) *sweeper {
	t.Helper()
	c, err := cluster.ReadFile("../../../examples/" + example + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	p := design.Problem{Cluster: c, Objective: design.Time, Purpose: purpose, Sign: design.NonNegative}
	if purpose == design.Training {
		p.MinEigenvalue = new(float64)
	}
	w, err := newSweeper(t.Context(), p, Settings{Seed: 1, Evaluations: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	for k := range w.Outcomes {
		if err := w.first(context.Background(), k, 1); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

// When plans are moved or dropped, the best plan stays recommended and every budget has a plan no worse than before or
// points to one.
func TestCreditLosesNothing(t *testing.T) {
	for _, example := range []string{"node-level-16", "intra-server-8", "bcube-16-1to2", "wan-general", "homogeneous-16"} {
		for _, purpose := range []design.Purpose{design.Consensus, design.Training} {
			w := swept(t, example, purpose)
			before := append([]Outcome(nil), w.Outcomes...)
			if err := w.credit(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := w.Outcomes[w.winner]; got.Plan == nil || got.Score != w.best {
				t.Errorf("%s, %s: recommended scores %v, the best found %v", example, purpose, got.Score, w.best)
			}
			for k, b := range w.Outcomes {
				switch {
				case b.Status == "" || (b.Plan != nil) != (b.Status == Solved || b.Status == Outpaced):
					t.Errorf("%s, %s: the budget of %d edges is %q with plan %v",
						example, purpose, b.Budget.MaxEdges, b.Status, b.Plan)
				case b.Plan != nil && before[k].Plan != nil && b.Score > before[k].Score:
					t.Errorf("%s, %s: the budget of %d edges scores %v, before %v", example, purpose, b.Budget.MaxEdges, b.Score,
						before[k].Score)
				case b.Plan == nil && before[k].Plan != nil:
					least := math.Inf(1)
					for _, earlier := range w.Outcomes[:k] {
						if earlier.Plan != nil {
							least = min(least, earlier.Score)
						}
					}
					if least > before[k].Score {
						t.Errorf("%s, %s: the budget of %d edges lost a plan of %v; earlier ones have %v", example, purpose,
							b.Budget.MaxEdges, before[k].Score, least)
					}
				}
			}
		}
	}
}

// A plan of few edges found last belongs to the first budget, with the bound and the limits of that; the exact plan
// stays.
func TestCreditMovesAPlanToTheFirstBudgetWithRoom(t *testing.T) {
	w := swept(t, "node-level-16", design.Consensus)
	first, last := &w.Outcomes[0], len(w.Outcomes)-1
	own := *first.Plan
	better := own
	better.MaxEdges, better.RAsym = w.Outcomes[last].Budget.MaxEdges, own.RAsym-1e-3 // as if it had been found there
	w.Outcomes[last] = Outcome{
		Budget: w.Outcomes[last].Budget, Status: Solved, Scored: Scored{Plan: &better, Score: first.Score - 1},
	}
	bound := own.Bound.RAsym
	if err := w.credit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if first.Plan != &better || better.MaxEdges != first.Budget.MaxEdges || better.Bound.RAsym != bound {
		t.Errorf("the first budget has a plan for %d edges with bound %v; want %d edges and %v", first.Plan.MaxEdges,
			first.Plan.Bound.RAsym, first.Budget.MaxEdges, bound)
	}
	if got := w.Outcomes[last]; got.Plan != nil || got.Status != SamePlan || got.SameAs != 0 {
		t.Errorf("the last budget is %q, position %d; want %q, 0", got.Status, got.SameAs, SamePlan)
	}
}

// A budget whose own plan is worse in rate and time than an earlier one has nothing to show.
func TestCreditDropsWhatAnEarlierBudgetOutdoes(t *testing.T) {
	w := swept(t, "homogeneous-16", design.Consensus)
	// as if nothing better than the ring had been found
	w.Outcomes[3].Plan.RAsym, w.Outcomes[3].Score = w.Outcomes[0].Plan.RAsym, w.Outcomes[0].Score
	w.winner, w.best = 2, w.Outcomes[2].Score
	if err := w.credit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := w.Outcomes[3]; got.Plan != nil || got.Status != SamePlan || got.SameAs != 2 {
		t.Errorf("the fourth budget is %q, position %d; want %q, 2", got.Status, got.SameAs, SamePlan)
	}
}

// A plan that belongs to an earlier budget, where the plan is outdone by one earlier still, points to that.
func TestCreditFollowsAHomeThatIsOutdone(t *testing.T) {
	w := swept(t, "homogeneous-16", design.Consensus)
	own := *w.Outcomes[1].Plan
	w.Outcomes[2].Plan, w.Outcomes[2].Score = &own, w.Outcomes[0].Score+2 // fits into budget 1 and is no better there
	w.Outcomes[1].Plan.RAsym, w.Outcomes[1].Score = w.Outcomes[0].Plan.RAsym+0.01, w.Outcomes[0].Score+1
	w.winner, w.best = 0, w.Outcomes[0].Score
	if err := w.credit(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, k := range []int{1, 2} {
		if got := w.Outcomes[k]; got.Plan != nil || got.Status != SamePlan || got.SameAs != 0 {
			t.Errorf("budget %d is %q, position %d; want %q, 0", k, got.Status, got.SameAs, SamePlan)
		}
	}
}
