package weights

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/weights/internal/matrix"
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

// The first-order method on graphs that the interior-point method can still solve.
func TestFirstOrderComesClose(t *testing.T) {
	grid, err := topology.Grid(36)
	if err != nil {
		t.Fatal(err)
	}
	regular, zero := mustRegular(t, 48, 5), 0.0
	for _, c := range []struct {
		name string
		g    *topology.Graph
		s    Settings
	}{
		{"regular", regular, Settings{}},
		{"regular", regular, Settings{Sign: design.Free, MinEigenvalue: &zero}},
		{"grid", grid, Settings{Sign: design.Free}},
		{"grid", grid, Settings{MinEigenvalue: &zero}},
	} {
		g, name, s := c.g, c.name, c.s.withDefaults()
		s.MaxIterations = 40
		exact, err := Solve(t.Context(), g, c.s)
		if err != nil {
			t.Fatal(err)
		}
		first := math.NaN()
		s.Progress = func(p design.Progress) {
			if math.IsNaN(first) {
				first = p.Best
			}
		}
		r, err := solveLarge(t.Context(), g, s)
		if err != nil {
			t.Fatal(err)
		}
		best, got := exact.Value(s), r.Value(s)
		// What is left of the way from the best simple weights to the optimum.
		if left := (got - best) / (first - best); got < best-1e-9 || left > 0.1 {
			t.Errorf("%s, %+v: reached %.6g from %.6g; the optimum is %.6g", name, s, got, first, best)
		}
		if r.Bound > best+1e-9 || r.Bound < best-0.2*(1-best) {
			t.Errorf("%s, %+v: bound %.6g for the optimum %.6g", name, s, r.Bound, best)
		}
		if err := r.Certificate.Validate(); err != nil {
			t.Error(err)
		}
		w, err := mixing.FromEdges(g, r.Weights)
		if err != nil {
			t.Fatal(err)
		}
		if s.Sign == design.NonNegative && !w.Nonnegative() {
			t.Errorf("%s, %+v: some weight is negative", name, s)
		}
		if s.MinEigenvalue != nil && r.LambdaN < -1e-6 {
			t.Errorf("%s, %+v: λₙ is %g", name, s, r.LambdaN)
		}
	}
}

func TestLargeGraphsSayWhatIsProved(t *testing.T) {
	for _, c := range []struct {
		nodes int
		kind  design.Certainty
	}{{exactNodes + 6, design.Proved}, {mixing.DenseLimit + 2, design.Estimate}} {
		const evaluations = 6
		first := math.NaN() // of equal weights, which are the best simple ones on a regular graph
		r, err := Solve(t.Context(), mustRegular(t, c.nodes, 4),
			Settings{MaxIterations: evaluations, Progress: func(p design.Progress) {
				if math.IsNaN(first) {
					first = p.Best
				}
			}})
		if err != nil {
			t.Fatal(err)
		}
		if r.Kind != c.kind || r.Stop != design.BudgetSpent || r.Iterations != evaluations {
			t.Errorf("%d nodes: %q after %d evaluations, kind %q; want %q after %d, kind %q",
				c.nodes, r.Stop, r.Iterations, r.Kind, design.BudgetSpent, evaluations, c.kind)
		}
		if !(r.RAsym < first && r.Bound < r.RAsym && r.Bound > 0.4) {
			t.Errorf("%d nodes: r_asym %.6g, bound %.6g; equal weights have %.6g", c.nodes, r.RAsym, r.Bound, first)
		}
	}
}

func TestSimplexWithTwoMetrics(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for range 200 {
		x, y := make([]float64, 1+rng.IntN(5)), make([]float64, rng.IntN(5))
		for _, s := range [][]float64{x, y} {
			for i := range s {
				s[i] = rng.NormFloat64()
			}
			slices.Sort(s)
		}
		dx, dy := 0.1+rng.Float64(), 0.1+rng.Float64()
		// The dumb twin: bisect for t.
		cut := func(t float64) (sum float64) {
			for _, v := range x {
				sum += max(0, v-t*dx)
			}
			for _, v := range y {
				sum += max(0, v-t*dy)
			}
			return sum
		}
		low, high := -1e3, 1e3
		for range 100 {
			if middle := (low + high) / 2; cut(middle) > 1 {
				low = middle
			} else {
				high = middle
			}
		}
		wantX, wantY := slices.Clone(x), slices.Clone(y)
		for i := range wantX {
			wantX[i] = max(0, wantX[i]-low*dx)
		}
		for i := range wantY {
			wantY[i] = max(0, wantY[i]-low*dy)
		}
		simplex(x, dx, y, dy)
		if floats.Distance(x, wantX, math.Inf(1)) > 1e-9 || len(y) > 0 && floats.Distance(y, wantY, math.Inf(1)) > 1e-9 {
			t.Fatalf("projection is %v and %v, want %v and %v", x, y, wantX, wantY)
		}
	}
}

func TestSubspaceStaysOrthonormal(t *testing.T) {
	const n = 40
	rng := rand.New(rand.NewPCG(7, 7))
	draw := func() []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		floats.AddConst(-floats.Sum(x)/n, x)
		floats.Scale(1/floats.Norm(x, 2), x)
		return x
	}
	first := draw()
	u := newSubspace(slices.Clone(first), 1)
	u.renew(slices.Clone(first)) // nothing new
	if u.width() != 1 {
		t.Fatalf("a vector that was there already made the width %d", u.width())
	}
	for round := range 3 * subspaceWidth {
		u.renew(draw())
		for i := range u.width() {
			u.v.Data[i*u.width()+i] += rng.Float64()
		}
		for a := range u.width() {
			for b := range a + 1 {
				dot := 0.0
				for i := range n {
					dot += matrix.Row(u.p, i)[a] * matrix.Row(u.p, i)[b]
				}
				want := 0.0
				if a == b {
					want = 1
				}
				if math.Abs(dot-want) > 1e-12 {
					t.Fatalf("round %d: columns %d and %d have product %g", round, a, b, dot)
				}
			}
		}
	}
	if u.width() != subspaceWidth {
		t.Errorf("width is %d, want %d", u.width(), subspaceWidth)
	}
}
