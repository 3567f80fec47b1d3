package weights_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/weights"
	"github.com/batopo/batopo/topology"
)

func edgeWeights(l topology.Lift, arcWeights []float64) (*topology.Graph, []float64) {
	g, arc := l.Graph()
	w := make([]float64, len(arc))
	for k, a := range arc {
		w[k] = arcWeights[a]
	}
	return g, w
}

// Shapes with odd and even sizes, matchings, a single orbit, and orbits of one or two nodes.
var liftShapes = []struct{ orbits, size, arcs int }{
	{1, 5, 1}, {1, 12, 3}, {2, 2, 4}, {2, 9, 4}, {3, 1, 2}, {3, 4, 7}, {4, 7, 9}, {5, 6, 12}, {8, 4, 20}, {6, 1, 9},
}

func TestLiftEqualsGraph(t *testing.T) {
	solved := 0
	for _, shape := range liftShapes {
		for seed := range uint64(3) {
			l := randomLift(t, shape.orbits, shape.size, shape.arcs, seed)
			for _, s := range []weights.Settings{{}, {Sign: design.Free}, {MinEigenvalue: pointer(0)},
				{Sign: design.Free, MinEigenvalue: pointer(-0.3)}} {
				t.Run(fmt.Sprintf("%d×%d/%d/%s", shape.orbits, shape.size, seed, s.Sign), func(t *testing.T) {
					r, err := weights.SolveLift(t.Context(), l, s)
					if err != nil {
						t.Fatal(err)
					}
					g, w := edgeWeights(l, r.Weights)
					checkResult(t, g, w, r, s)
					if full := solve(t, g, s); math.Abs(full.Value(s)-r.Value(s)) > 1e-8 {
						t.Errorf("arcs %v: lift reaches %.12g, graph %.12g", l.Arcs, r.Value(s), full.Value(s))
					}
					solved++
				})
			}
		}
	}
	if solved < 100 {
		t.Errorf("only %d comparisons", solved)
	}
}

func TestLiftSolverIsReusable(t *testing.T) {
	solver, err := weights.NewLiftSolver(4, 8)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(12) {
		l := randomLift(t, 4, 8, 6+int(seed%5)*2, seed)
		s := weights.Settings{Sign: []design.Sign{design.NonNegative, design.Free}[seed%2]}
		used, err := solver.Solve(t.Context(), l, s)
		if err != nil {
			t.Fatal(err)
		}
		fresh, err := weights.SolveLift(t.Context(), l, s)
		if err != nil {
			t.Fatal(err)
		}
		for k, w := range fresh.Weights {
			if used.Weights[k] != w {
				t.Fatalf("seed %d: weight %d is %g from a used solver, %g from a new one", seed, k, used.Weights[k], w)
			}
		}
	}
}

// A lift far beyond n × n matrices; the certificate is checked against a few thousand edges by the
// definition of its columns.
func TestLargeLift(t *testing.T) {
	l := randomLift(t, 8, 2048, 28, 4)
	r, err := weights.SolveLift(t.Context(), l, weights.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Stop != design.Converged || r.RAsym-r.Bound > 1e-7 || r.RAsym < r.Bound {
		t.Errorf("stop %q, r_asym %.12g, bound %.12g", r.Stop, r.RAsym, r.Bound)
	}
	if numbers := len(r.Certificate.Upper) + len(r.Certificate.Lower); numbers > 100 {
		t.Errorf("the certificate has %d columns of 8 numbers", numbers)
	}
}
