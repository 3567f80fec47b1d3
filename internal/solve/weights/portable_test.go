package weights_test

import (
	"slices"
	"testing"

	"github.com/batopo/batopo/internal/ground/spectral"
	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/topology"
)

// docs/formats.md: an installed LAPACK does not change the weights of a given graph, not even their last bits. From 48
// nodes on it would be used.
func TestWeightsDoNotDependOnLAPACK(t *testing.T) {
	defer spectral.UseSystemLAPACK(false)
	g := randomGraph(t, 60, 150, 1)
	lift := randomLift(t, 50, 2, 120, 1)
	rates := func(system bool) (all [][]float64) {
		spectral.UseSystemLAPACK(system)
		for _, l := range []*topology.Lift{nil, &lift} {
			var rate *weights.Result
			var err error
			if l == nil {
				rate, err = weights.Solve(t.Context(), g, weights.Settings{})
			} else {
				rate, err = weights.SolveLift(t.Context(), *l, weights.Settings{})
			}
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, rate.Weights)
		}
		return all
	}
	if installed, own := rates(true), rates(false); !slices.EqualFunc(installed, own, slices.Equal[[]float64]) {
		t.Error("the weights depend on which LAPACK is installed")
	}
}
