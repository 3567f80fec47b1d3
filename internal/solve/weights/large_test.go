package weights

import (
	"math"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

func mustRegular(t *testing.T, n, d int) *topology.Graph {
	t.Helper()
	g, err := topology.RandomRegular(n, d, 1)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// What large graphs get, on graphs whose optimum is known: within every limit, and no better than the optimum. On a
// regular graph no constant is better.
func TestSimpleWeightsKeepTheLimits(t *testing.T) {
	grid, err := topology.Grid(36)
	if err != nil {
		t.Fatal(err)
	}
	regular, zero := mustRegular(t, 48, 5), 0.0
	constant, err := mixing.BestConstant(regular)
	if err != nil {
		t.Fatal(err)
	}
	spectrum, err := constant.Spectrum(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		g    *topology.Graph
		s    Settings
		want float64 // 0: not known
	}{
		{"regular", regular, Settings{}, spectrum.RAsym},
		{"regular", regular, Settings{Sign: design.Free, MinEigenvalue: &zero}, 0},
		{"grid", grid, Settings{}, 0},
		{"grid", grid, Settings{Sign: design.Free}, 0},
		{"grid", grid, Settings{MinEigenvalue: &zero}, 0},
	} {
		s := c.s.withDefaults()
		exact, err := Solve(t.Context(), c.g, c.s)
		if err != nil {
			t.Fatal(err)
		}
		r := simple(c.g, s)
		lambda2, lambdaN, err := extremes(t.Context(), c.g, r.Weights)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(lambda2-r.Lambda2) > 1e-8 || math.Abs(lambdaN-r.LambdaN) > 1e-8 {
			t.Errorf("%s, %+v: eigenvalues %v and %v, by all of them %v and %v", c.name, s, r.Lambda2, r.LambdaN, lambda2,
				lambdaN)
		}
		if got := r.Value(s); got < exact.Value(s)-1e-9 || got >= 1 || c.want > 0 && math.Abs(got-c.want) > 1e-8 {
			t.Errorf("%s, %+v: %.9g, the optimum is %.9g, the best constant %.9g", c.name, s, got, exact.Value(s), c.want)
		}
		w, err := mixing.FromEdges(c.g, r.Weights)
		if err != nil {
			t.Fatal(err)
		}
		if s.Sign == design.NonNegative && !w.Nonnegative() {
			t.Errorf("%s, %+v: some weight is negative", c.name, s)
		}
		if s.MinEigenvalue != nil && lambdaN < -1e-9 {
			t.Errorf("%s, %+v: λₙ is %g", c.name, s, lambdaN)
		}
	}
}

// The best of a star's simple weights is by hand: λ₂ = 1 − g and λₙ = 1 − ng, with g ≤ 1/(n−1) where none is negative.
func TestSimpleWeightsOfAStar(t *testing.T) {
	const n = 9
	star, err := topology.Star(n)
	if err != nil {
		t.Fatal(err)
	}
	for sign, want := range map[design.Sign]float64{design.NonNegative: 1 - 1./(n-1), design.Free: (n - 1.) / (n + 1)} {
		if got := simple(star, Settings{Sign: sign}.withDefaults()).RAsym; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: r_asym %v, want %v", sign, got, want)
		}
	}
}

func TestLargeGraphsProveNothing(t *testing.T) {
	r, err := Solve(t.Context(), mustRegular(t, exactNodes+6, 4), Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Kind != design.Estimate || r.Stop != design.Constructed || r.Certificate != nil || !(r.RAsym < 1) {
		t.Errorf("kind %q, stop %q, certificate %v, r_asym %v; want an estimate without proof", r.Kind, r.Stop,
			r.Certificate, r.RAsym)
	}
}
