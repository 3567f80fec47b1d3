package advise

import (
	"math"
	"testing"

	"github.com/batopo/batopo/design"
)

// Whole periods count, since nobody has to agree before the end of one; a ring of 32 nodes is the slowest of the runs.
func TestAgreesIn(t *testing.T) {
	ring := (1 + 2*math.Cos(2*math.Pi/32)) / 3 // the second eigenvalue of weights of a third
	for _, c := range []struct {
		rounds int
		rAsym  float64
		want   float64
	}{
		{1, ring, slowestMeasured}, {4, 0, 4}, {32, math.Pow(1e-16, 1.0/32), 32}, {3, math.Exp(-1.0 / 7), 9},
		{2, 1, math.Inf(1)},
	} {
		plan := &design.Plan{Rounds: make([]design.Round, c.rounds)}
		plan.RAsym = c.rAsym
		if got := agreesIn(plan); got != c.want {
			t.Errorf("%d rounds of r_asym %v: %v, want %v", c.rounds, c.rAsym, got, c.want)
		}
	}
}
