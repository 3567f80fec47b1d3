package schatten

import (
	"math"
	"testing"

	"github.com/batopo/batopo/internal/solve/weights/internal/matrix"
	"github.com/batopo/batopo/topology"
)

// bothKinds of lifts: one node per orbit, and complex blocks with a matching.
func bothKinds(t *testing.T) []topology.Lift {
	t.Helper()
	plain, err := topology.Grid(9)
	if err != nil {
		t.Fatal(err)
	}
	lift, err := topology.NewLift(2, 6, []topology.Arc{{A: 0, B: 0, S: 1}, {A: 0, B: 1, S: 0}, {A: 0, B: 1, S: 2},
		{A: 1, B: 1, S: 3}})
	if err != nil {
		t.Fatal(err)
	}
	arcs := make([]topology.Arc, len(plain.Edges()))
	for k, e := range plain.Edges() {
		arcs[k] = topology.Arc{A: e.I, B: e.J}
	}
	return []topology.Lift{{Orbits: plain.Nodes(), Size: 1, Arcs: arcs}, lift}
}

// Gradient and Hessian agree with differences of the value and of the gradient.
func TestSchattenDerivatives(t *testing.T) {
	const h = 1e-5
	for _, l := range bothKinds(t) {
		for _, order := range []float64{2, 8, 60} {
			s, m := New(l), len(l.Arcs)
			g := make([]float64, m)
			for k := range g {
				g[k] = 0.15 + 0.01*float64(k%4)
			}
			at := func(k int, step float64, gradient []float64) float64 {
				x := append([]float64(nil), g...)
				x[k] += step
				if !s.Evaluate(x, order) {
					t.Fatal("no value")
				}
				s.Descent(gradient)
				return s.Value()
			}
			gradient, up, down := make([]float64, m), make([]float64, m), make([]float64, m)
			for k := range m {
				high, low := at(k, h, up), at(k, -h, down)
				at(0, 0, gradient)
				if want := (low - high) / (2 * h); math.Abs(gradient[k]-want) > 1e-7 { // h² times the third derivative
					t.Errorf("order %v, arc %d: −gradient is %g, differences say %g", order, k, gradient[k], want)
				}
				hessian := matrix.Square(m)
				if !s.Curvature(hessian, gradient, 0, 0) {
					t.Fatal("no Hessian")
				}
				for j := range m {
					want := (down[j] - up[j]) / (2 * h)
					got := hessian.Data[min(j, k)*hessian.Stride+max(j, k)] - gradient[j]*gradient[k]/s.Value()
					if math.Abs(got-want) > 1e-5*(1+order*order) { // h² times the fourth derivative, which grows with the order cubed
						t.Errorf("order %v, arcs %d and %d: second derivative is %g, differences say %g", order, j, k, got, want)
					}
				}
			}
		}
	}
}

func TestDividedDifferences(t *testing.T) {
	for _, c := range []struct {
		x, y, e float64
		same    bool
		want    float64
	}{
		{0.5, 0.25, 3, true, 0.25 + 0.125 + 0.0625}, {0.5, 0.5, 3, true, 0.75},
		{0.5, 0.5, 3, false, 0.25}, {0.5, 0.25, 3, false, (0.125 + 0.015625) / 0.75}, {0, 0, 3, true, 0},
		{1, 1 - 1e-12, 101, true, 101}, {0.5, 0.3, 1, true, 1},
	} {
		for _, got := range []float64{divided(c.x, c.y, c.e, c.same), divided(c.y, c.x, c.e, c.same)} {
			if math.Abs(got-c.want) > 1e-9*c.want {
				t.Errorf("(%v, %v)^%v, same sign %t: %v, want %v", c.x, c.y, c.e, c.same, got, c.want)
			}
		}
	}
}
