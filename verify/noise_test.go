package verify

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/topology"
)

// On the complete graph W = J needs one round, so nothing can prove more. Weights that differ from 1/n by rounding only
// leave a W₀ − J that is all rounding.
func TestRoundsAreNotProvedByRounding(t *testing.T) {
	const n, target = 16, 1e-4
	l := topology.Lift{Orbits: n, Size: 1}
	for _, e := range topology.AllPairs(n) {
		l.Arcs = append(l.Arcs, topology.Arc{A: e.I, B: e.J})
	}
	random := rand.New(rand.NewPCG(3, 4))
	best := math.Inf(-1)
	for range 200 {
		c := &design.RoundsCertificate{Sign: design.NonNegative, Weights: make([]float64, len(l.Arcs)),
			Prices: make([]float64, n)}
		size := math.Exp2(float64(random.IntN(40) - 58))
		for k := range c.Weights {
			c.Weights[k] = 1./n + size*math.Round(4*random.Float64())
		}
		for _, k := range []int{1, 2, 20} {
			proved := provedNorm(c, l, k, target)
			best = max(best, proved/math.Pow(target, 1/float64(k)))
		}
	}
	if best > 1 {
		t.Errorf("%.3g times the norm that would exclude one round is proved", best)
	}
}
