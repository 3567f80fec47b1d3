package design_test

import (
	"context"
	"math"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
)

// Ranks that follow their tables step by step compute Wx, and every send meets its receive in the same step.
func TestRanksComputeTheRounds(t *testing.T) {
	for name, p := range map[string]*design.Plan{
		"ring": familyPlan(t, "ring", 5), "star": familyPlan(t, "star", 6), "directed": familyPlan(t, "exponential", 9),
		"schedule": schedulePlan(t, "base", 6), "directed schedule": schedulePlan(t, "one-peer-exponential", 6),
	} {
		s, err := p.Schedule()
		if err != nil {
			t.Fatal(err)
		}
		ranks := make([][]design.RankRound, p.Nodes)
		for i := range ranks {
			if ranks[i], err = p.Rank(i); err != nil {
				t.Fatal(err)
			}
		}
		x, want := make([]float64, p.Nodes), make([]float64, p.Nodes)
		for i := range x {
			x[i] = float64(i * i)
		}
		for round, w := range s.Rounds {
			w.Apply(want, x)
			for i := range x {
				mine := ranks[i][round]
				sum := mine.SelfWeight * x[i]
				for step, do := range mine.Steps {
					if do.SendTo != nil && *ranks[*do.SendTo][round].Steps[step].RecvFrom != i {
						t.Errorf("%s: round %d, step %d: %d sends to %d, which receives from another", name, round, step, i, *do.SendTo)
					}
					if do.RecvFrom != nil {
						sum += do.Weight * x[*do.RecvFrom]
					}
				}
				if mine.Rank != i || math.Abs(sum-want[i]) > 1e-12 {
					t.Errorf("%s: round %d: rank %d computes %v, want %v", name, round, i, sum, want[i])
				}
			}
		}
	}
	for _, i := range []int{-1, 4} {
		if _, err := familyPlan(t, "ring", 4).Rank(i); err == nil {
			t.Errorf("rank %d of 4: no error", i)
		}
	}
}

func TestScheduleOfAPlanHasItsPrices(t *testing.T) {
	p := schedulePlan(t, "base", 6)
	s, err := p.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	total := 0.0
	for k := range p.Iterations {
		total += s.RoundMS[k%len(s.RoundMS)]
	}
	if len(s.RoundMS) != len(s.Rounds) || math.Abs(total-p.TimeMS) > 1e-9 {
		t.Errorf("%d rounds with times %v make %v ms; the plan says %v", len(s.Rounds), s.RoundMS, total, p.TimeMS)
	}
}

// A schedule of one round is a static plan with all that is known about one.
func TestScheduleOfOneRoundIsStatic(t *testing.T) {
	w := familyPlan(t, "ring", 5)
	s, err := w.Schedule()
	if err != nil {
		t.Fatal(err)
	}
	p, err := design.NewSchedulePlan(context.Background(), paperCluster(t, 5), mixing.Static(s.Rounds[0]))
	if err != nil {
		t.Fatal(err)
	}
	if p.Lambda2 == nil || p.Hash != w.Hash {
		t.Errorf("λ₂ is %v and the hash %s; want those of the static plan, %s", p.Lambda2, p.Hash, w.Hash)
	}
}
