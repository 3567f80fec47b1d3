package cost_test

import (
	"errors"
	"math"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/cost"
)

// A pricer finds the same as Of up to the limit, also after algorithms that were above it.
func TestPricerKeepsALimit(t *testing.T) {
	c, err := cluster.New(cluster.Spec{Nodes: 6, Bandwidth: cluster.Numbers{1, 2, 3, 4, 5, 6}, PerMessageMS: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	pricer := cost.NewPricer(c)
	order := []int{3, 1, 4, 0, 5, 2}
	for _, a := range []*collective.Algorithm{
		collective.Ring(order), collective.Trees(collective.TwoTrees(order)).InChunks(4), collective.Doubling(order),
	} {
		want, err := cost.Of(a, c)
		if err != nil {
			t.Fatal(err)
		}
		for _, most := range []float64{0.5 * want.MS, want.MS, math.Inf(1)} {
			got, err := pricer.Within(a, most)
			if above := most < want.MS; above != errors.Is(err, cost.ErrAbove) || !above && got != want {
				t.Errorf("%s up to %v ms: %v, %v; it costs %v", a.Name, most, got, err, want)
			}
		}
	}
}
