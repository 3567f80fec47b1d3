package feasible_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/internal/solve/scenario"
)

func papersSpaces() map[string]design.Space {
	return map[string]design.Space{
		"nodes 3/1":   scenario.TwoClasses(3, 1),
		"nodes 6/2":   scenario.TwoClasses(6, 2),
		"nodes 9/3":   scenario.TwoClasses(9, 3),
		"server 8":    scenario.Server([7]int{1, 1, 1, 1, 1, 1, 2}),
		"server 12":   scenario.Server([7]int{1, 1, 1, 1, 2, 2, 4}),
		"server 16":   scenario.Server([7]int{1, 1, 1, 1, 3, 3, 6}),
		"BCube 1,2":   scenario.BCube([2]int{1, 2}),
		"BCube 3,3":   scenario.BCube([2]int{3, 3}),
		"homogeneous": scenario.Homogeneous(16, 32),
	}
}

func TestRoundKeepsEveryRule(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for name, space := range papersSpaces() {
		for _, exact := range []bool{true, false} {
			space.Exact = exact
			r, err := feasible.New(context.Background(), space)
			if err != nil {
				t.Errorf("%s (exact %v): %v", name, exact, err)
				continue
			}
			score := make([]float64, len(space.Candidates))
			for range 50 {
				for k := range score {
					score[k] = rng.Float64()
				}
				if err := space.Check(r.Round(score).Chosen()); err != nil {
					t.Fatalf("%s (exact %v): %v", name, exact, err)
				}
			}
		}
	}
}
