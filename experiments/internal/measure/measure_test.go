package measure

import (
	"math"
	"slices"
	"testing"

	"github.com/batopo/batopo/mixing"
)

// Closed forms of the exponential graph for even n: r_asym = 1 − 2/(1+τ), τ = ⌈log₂ n⌉ edges per node, and
// a round of τ · 5.01 ms.
func TestExponentialOnEqualNodes(t *testing.T) {
	for _, n := range []int{4, 16, 24} {
		c, err := Equal(n)
		if err != nil {
			t.Fatal(err)
		}
		bench := Bench{Cluster: c, Simulation: Simulation{Trials: 200, Seed: 1, Curve: true}}
		m, err := bench.Known("exponential", Family("exponential", n)).Compute(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		tau := math.Ceil(math.Log2(float64(n)))
		if want := 1 - 2/(1+tau); math.Abs(m.RAsym-want) > 1e-12 || m.MaxDegree != int(tau) || m.Edges != n*int(tau)/2 {
			t.Errorf("n = %d: r_asym %v, degree %d, edges %d; want %v, %v, %v",
				n, m.RAsym, m.MaxDegree, m.Edges, want, tau, n*int(tau)/2)
		}
		if want := tau * 5.01; math.Abs(m.RoundMS-want) > 1e-9 || math.Abs(m.TimeMS-want*float64(m.Iterations)) > 1e-9 {
			t.Errorf("n = %d: a round takes %v ms, all %v ms; want %v each", n, m.RoundMS, m.TimeMS, want)
		}
		// 200 starts are within some percent of their expectation, so at most one round off.
		if d := m.SimulatedIterations - m.Iterations; d < -1 || d > 1 {
			t.Errorf("n = %d: %d rounds simulated, %d computed", n, m.SimulatedIterations, m.Iterations)
		}
		first := slices.IndexFunc(m.Errors, func(e float64) bool { return e <= 1e-4 })
		if got := float64(first) * m.RoundMS; math.Abs(got-m.SimulatedMS) > 1e-9 {
			t.Errorf("n = %d: curve reaches the target at %v ms, the simulation at %v ms", n, got, m.SimulatedMS)
		}
		if last := m.Errors[len(m.Errors)-1]; last > curveEnd {
			t.Errorf("n = %d: curve ends at %v, want at most %v", n, last, curveEnd)
		}
	}
}

func TestDrawsFollowTheirRules(t *testing.T) {
	const nodes, shifts, seeds = 16, 3, 200
	draws, err := Draws(nodes, shifts, seeds)
	if err != nil {
		t.Fatal(err)
	}
	first, median, best := Choose(draws, "first"), Choose(draws, "median"), Choose(draws, "best")
	if !(best.RAsym <= median.RAsym && best.RAsym <= first.RAsym && first.Seed <= best.Seed) || len(draws) < 10 {
		t.Errorf("best %v, median %v, first %v of %d usable", best.RAsym, median.RAsym, first.RAsym, len(draws))
	}
	for _, rule := range Rules {
		draw := Choose(draws, rule)
		if draw.Usable != len(draws) {
			t.Errorf("%s: chosen among %d draws; want %d", rule, draw.Usable, len(draws))
		}
		again, err := mixing.EquiStaticShifts(nodes, shifts, draw.Seed)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(again, draw.Shifts) {
			t.Errorf("%s: seed %d draws %v, not %v", rule, draw.Seed, again, draw.Shifts)
		}
		for i, degree := range draw.Matrix.Degrees() {
			if degree != 2*shifts {
				t.Errorf("%s: node %d has %d neighbours, want %d", rule, i, degree, 2*shifts)
			}
		}
	}
	// ±a and ±b on 4 nodes are at most 3 neighbours.
	if _, err := Draws(4, 2, 50); err == nil {
		t.Error("4 nodes with 4 neighbours each, and no error")
	}
}

func TestEvenShare(t *testing.T) {
	for _, tc := range []struct{ nodes, edges, want int }{{16, 32, 4}, {16, 54, 7}, {6, 9, 3}} {
		if got := (Question{Nodes: tc.nodes, Edges: tc.edges}).Even().MaxDegree; got != tc.want {
			t.Errorf("%d edges on %d nodes: degree %d, want %d", tc.edges, tc.nodes, got, tc.want)
		}
	}
}
