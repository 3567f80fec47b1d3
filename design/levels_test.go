package design_test

import (
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// A ring of very many groups takes hundreds of millions of rounds. Their time is what one takes, that many times.
func TestTheTimeOfManyRoundsLosesNoDigits(t *testing.T) {
	const groups = 20_000
	c, err := cluster.New(cluster.Homogeneous(2*groups, 1))
	if err != nil {
		t.Fatal(err)
	}
	g, err := topology.Ring(groups)
	if err != nil {
		t.Fatal(err)
	}
	w, err := mixing.Metropolis(g)
	if err != nil {
		t.Fatal(err)
	}
	inside := make([][]int, groups)
	for i := range inside {
		inside[i] = []int{2 * i, 2*i + 1}
	}
	p, err := design.NewTwoLevelPlan(t.Context(), c, inside, mixing.Static(w))
	if err != nil {
		t.Fatal(err)
	}
	if want := float64(p.Iterations) * p.RoundMS[0]; p.Iterations < 1e8 || p.TimeMS != want {
		t.Errorf("%d rounds of %v ms take %v ms, want %v", p.Iterations, p.RoundMS[0], p.TimeMS, want)
	}
	if ms := design.TimeOfRounds([]float64{1, 20, 300}, 7); ms != 643 {
		t.Errorf("seven rounds of a period of three take %v ms, want 1 + 20 + 300 twice, and 1", ms)
	}
}
