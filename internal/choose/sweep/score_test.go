package sweep

import (
	"context"
	"math"
	"testing"

	"github.com/batopo/batopo/mixing"
)

// The bound on the effective number of neighbours holds for every known symmetric family and is met by exact averaging.
func TestMostNeighborsIsNeverLess(t *testing.T) {
	for _, n := range []int{4, 9, 16, 64} {
		for _, f := range mixing.Families {
			w, err := f.Build(mixing.Params{Nodes: n, Seed: 1})
			if err != nil || w.Directed() {
				continue // a family that does not exist for n
			}
			s, err := w.Spectrum(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			got, ok := s.EffectiveNeighbors(NoiseDecay)
			if most := mostNeighbors(n, len(w.Graph().Edges())); !ok || got > most*(1+1e-12) {
				t.Errorf("%s on %d nodes: n_W is %v, the bound %v", f.Name, n, got, most)
			}
		}
		if most := mostNeighbors(n, n*(n-1)/2); math.Abs(most-float64(n)) > 1e-9 {
			t.Errorf("complete graph on %d nodes: bound %v, want %d", n, most, n)
		}
	}
}
