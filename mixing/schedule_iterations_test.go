package mixing_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/mat"
)

// A slow schedule needs as many rounds as multiplying one after the other says.
func TestIterationsOfSlowSchedules(t *testing.T) {
	for _, n := range []int{3, 8, 13, 24} {
		for name, s := range slow(t, n) {
			for _, target := range []float64{0.5, 1e-2, 1e-4, 1e-9} {
				want := multiplied(s, target)
				k, ok, err := s.Iterations(t.Context(), target)
				if err != nil || !ok || k != want {
					t.Errorf("%s of %d nodes, target %g: %d rounds (ok %t, error %v), want %d", name, n, target, k, ok, err, want)
				}
			}
		}
	}
}

// Two nodes that move towards each other by a small step: the error is (1 − 2·step)^k. Of a step of 1e-9 the rounding
// of 1 − step takes a part of 1e-7.
func TestIterationsLookFar(t *testing.T) {
	for _, step := range []float64{1e-3, 1e-5, 6e-6, 4e-6, 1e-9, 1e-15} {
		w, err := mixing.FromDense(mat.NewDense(2, 2, []float64{1 - step, step, step, 1 - step}))
		if err != nil {
			t.Fatal(err)
		}
		s := &mixing.Schedule{Name: fmt.Sprint(step), Rounds: []*mixing.Matrix{w, w, w}}
		want := math.Log(1e-4) / math.Log1p(-2*step)
		k, ok, err := s.Iterations(t.Context(), 1e-4)
		if err != nil || ok != (want <= 1<<40) || ok && math.Abs(float64(k)-want) > max(1, 1e-16/step*want) {
			t.Errorf("step %g: %d rounds (ok %t, error %v), want %.0f", step, k, ok, err, want)
		}
	}
}

// slow are edges of long graphs in turn, and the same with small steps.
func slow(t *testing.T, n int) map[string]*mixing.Schedule {
	t.Helper()
	out := map[string]*mixing.Schedule{}
	for name, build := range map[string]func(int) (*topology.Graph, error){"ring": topology.Ring, "path": topology.Path} {
		g, err := build(n)
		if err != nil {
			t.Fatal(err)
		}
		weight := make([]float64, len(g.Edges()))
		for k := range weight {
			weight[k] = 0.3
		}
		w, err := mixing.FromEdges(g, weight)
		if err != nil {
			t.Fatal(err)
		}
		s, err := mixing.Matchings(w)
		if err != nil {
			t.Fatal(err)
		}
		out[name] = s
		out[name+", one round"] = &mixing.Schedule{Name: name, Rounds: []*mixing.Matrix{w}}
	}
	return out
}

// multiplied counts rounds by dense products.
func multiplied(s *mixing.Schedule, target float64) int {
	n := s.Nodes()
	e := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			e.Set(i, j, -1/float64(n))
		}
		e.Set(i, i, 1-1/float64(n))
	}
	for k := 1; ; k++ {
		var next mat.Dense
		next.Mul(s.Round(k-1).Dense(), e)
		if e = &next; mat.Norm(e, 2) <= target {
			return k
		}
	}
}
