package measure

import (
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/solve/admm"
	"github.com/batopo/batopo/internal/solve/feasible"
)

func TestGridTakesTheBestOfItsStarts(t *testing.T) {
	c, err := Equal(6)
	if err != nil {
		t.Fatal(err)
	}
	p := design.Problem{Cluster: c, MaxEdges: 9}.WithDefaults()
	g := Grid{Rho: []float64{2, 5}, Seeds: 3, Steps: 200}
	var s sweep.Settings
	starts, err := g.choose(t.Context(), p, &s)
	if err != nil {
		t.Fatal(err)
	}
	space, err := feasible.PrintedSpace(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	rate := func(rho float64, seed uint64) float64 {
		r, err := admm.Solve(t.Context(), space, admm.Settings{Literal: true, Rho: rho, Seed: seed, Iterations: g.Steps})
		if err != nil {
			t.Fatal(err)
		}
		return r.RAsym
	}
	best, differ := rate(s.Paper.Rho, s.Seed), false
	for k, rho := range g.Rho {
		for seed := range uint64(g.Seeds) {
			other := rate(rho, seed+1)
			if at := k*g.Seeds + int(seed); starts.RAsym[at] != other {
				t.Errorf("run %d is recorded with %v, it gives %v", at, starts.RAsym[at], other)
			}
			differ = differ || other != best
			if other < best {
				t.Errorf("chosen is ρ = %v, seed %d with %v; ρ = %v, seed %d gives %v", s.Paper.Rho, s.Seed, best, rho, seed+1, other)
			}
		}
	}
	if !differ {
		t.Error("all runs end alike, so this test says nothing")
	}
}
