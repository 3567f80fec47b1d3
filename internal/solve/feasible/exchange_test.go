package feasible_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/internal/solve/scenario"
)

// Random walks never break budget or limits, and Undo restores what was there.
func TestNeighborsKeepTheLimits(t *testing.T) {
	for name, space := range papersSpaces() {
		for _, exact := range []bool{true, false} {
			space.Exact = exact
			r, err := feasible.New(context.Background(), space)
			if err != nil {
				t.Fatal(err)
			}
			s := r.Start()
			rng := rand.New(rand.NewPCG(1, 5))
			moves := 0
			for range 300 {
				x, ok := s.Neighbor(rng)
				if !ok {
					continue
				}
				before := slices.Clone(s.Chosen())
				s.Apply(x)
				if rng.IntN(3) == 0 {
					s.Undo(x)
					if !slices.Equal(before, s.Chosen()) {
						t.Fatalf("%s: Undo of %+v does not restore the selection", name, x)
					}
					continue
				}
				if !s.Connected() {
					s.Undo(x)
					continue
				}
				moves++
				if err := space.Check(s.Chosen()); err != nil {
					t.Fatalf("%s, exact %v: %+v: %v", name, exact, x, err)
				}
			}
			if full := len(space.Candidates) == space.MaxEdges; moves == 0 && !full {
				t.Errorf("%s, exact %v: no move in 300 draws", name, exact)
			}
		}
	}
}

// Better scores of a feasible choice are found again: the choice is the best one when
// every edge of it scores 1 and every other 0.
func TestRoundReturnsAFeasibleChoiceUnchanged(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 5))
	for name, space := range papersSpaces() {
		r, err := feasible.New(context.Background(), space)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			score := make([]float64, len(space.Candidates))
			for k := range score {
				score[k] = rng.Float64()
			}
			first := r.Round(score)
			for k, in := range first.Chosen() {
				score[k] = 0
				if in {
					score[k] = 1
				}
			}
			if second := r.Round(score); second.Score(score) != float64(first.Count()) {
				t.Errorf("%s: rounding a feasible choice of %d edges keeps only %v of them",
					name, first.Count(), second.Score(score))
			}
		}
	}
}

func BenchmarkRound(b *testing.B) {
	degree := make([]int, 64)
	for i := range degree {
		degree[i] = 3 + 6*(i%2)
	}
	for _, c := range []struct {
		name  string
		space design.Space
	}{
		{"no limits/n=64", scenario.Homogeneous(64, 192)},
		{"degrees/n=64", scenario.Degrees(degree)},
		{"ports/n=16", scenario.BCube([2]int{1, 2})},
		{"links/n=8", scenario.Server([7]int{1, 1, 1, 1, 2, 2, 4})},
	} {
		b.Run(c.name, func(b *testing.B) {
			r, err := feasible.New(context.Background(), c.space)
			if err != nil {
				b.Fatal(err)
			}
			rng := rand.New(rand.NewPCG(4, 5))
			score := make([]float64, len(c.space.Candidates))
			for b.Loop() {
				for k := range score {
					score[k] = rng.Float64()
				}
				r.Round(score)
			}
		})
	}
}
