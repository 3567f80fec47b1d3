package spectral_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/batopo/batopo/internal/ground/spectral"
	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/mat"
)

// randomLift draws arcs with weights that may have either sign.
func randomLift(rng *rand.Rand, orbits, size, arcs int) (topology.Lift, []float64) {
	seen := map[topology.Arc]bool{}
	shape := topology.Lift{Orbits: orbits, Size: size}
	var chosen []topology.Arc
	for range arcs {
		arc := shape.Canonical(topology.Arc{A: rng.IntN(orbits), B: rng.IntN(orbits), S: rng.IntN(size)})
		if (arc.A != arc.B || arc.S != 0) && !seen[arc] {
			seen[arc] = true
			chosen = append(chosen, arc)
		}
	}
	l, err := topology.NewLift(orbits, size, chosen)
	if err != nil {
		panic(err)
	}
	weight := make([]float64, len(l.Arcs))
	for k := range weight {
		weight[k] = rng.Float64() - 0.2
	}
	return l, weight
}

// denseW writes down I − Σ w L edge by edge: the slow twin.
func denseW(l topology.Lift, weight []float64) *mat.SymDense {
	w := spectral.NewSym(l.Nodes())
	for i := range l.Nodes() {
		w.SetSym(i, i, 1)
	}
	l.EachEdge(func(e topology.Edge, arc int) {
		w.SetSym(e.I, e.J, w.At(e.I, e.J)+weight[arc])
		w.SetSym(e.I, e.I, w.At(e.I, e.I)-weight[arc])
		w.SetSym(e.J, e.J, w.At(e.J, e.J)-weight[arc])
	})
	return w
}

func TestLiftSpectrumEqualsDense(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	shapes := []struct{ orbits, size int }{
		{1, 1}, {1, 2}, {1, 7}, {1, 8}, {2, 1}, {2, 2}, {2, 9}, {2, 10}, {3, 1}, {3, 4}, {3, 5}, {4, 6}, {5, 8}, {8, 8},
		{11, 3}, {16, 4},
	}
	for _, shape := range shapes {
		n := shape.orbits * shape.size
		ws := spectral.NewLiftSpectrum(shape.orbits, shape.size)
		dense := spectral.NewEigen(n)
		got := make([]float64, n)
		for trial := range 20 {
			l, weight := randomLift(rng, shape.orbits, shape.size, 1+trial)
			want, ok := dense.Values(denseW(l, weight))
			if !ok {
				t.Fatalf("%+v: dense eigenvalues did not converge", l)
			}
			ws.All(got, l, weight)
			scale := max(1, math.Abs(want[0]), math.Abs(want[n-1]))
			for k := range got {
				if !(math.Abs(got[k]-want[k]) <= 1e-13*scale) {
					t.Fatalf("%+v weights %v: eigenvalue %d is %.17g, dense %.17g", l, weight, k, got[k], want[k])
				}
			}
			if n == 1 {
				continue
			}
			// Remove the eigenvalue 1 of the all-ones vector from the dense list.
			drop := 0
			for k := range want {
				if math.Abs(want[k]-1) < math.Abs(want[drop]-1) {
					drop = k
				}
			}
			rest := append(append([]float64{}, want[:drop]...), want[drop+1:]...)
			high, low := ws.Extremes(l, weight)
			if !(math.Abs(high-rest[n-2]) <= 1e-13*scale) || !(math.Abs(low-rest[0]) <= 1e-13*scale) {
				t.Fatalf("%+v weights %v: extremes %.17g %.17g, dense %.17g %.17g", l, weight, high, low, rest[n-2], rest[0])
			}
		}
	}
}

// TestLiftSpectrumClosedForms checks spectra that are known by hand (Brouwer and
// Haemers, "Spectra of Graphs", §1.4): adjacency eigenvalues θ give 1 − w(d − θ).
func TestLiftSpectrumClosedForms(t *testing.T) {
	cases := []struct {
		name           string
		orbits, size   int
		arcs           []topology.Arc
		w              float64
		lambda2, lastN float64
	}{
		{"ring of 8, thirds", 1, 8, []topology.Arc{{S: 1}}, 1. / 3, (1 + math.Sqrt2) / 3, -1. / 3},
		{"K4, quarters", 1, 4, []topology.Arc{{S: 1}, {S: 2}}, 0.25, 0, 0},
		{"Petersen (θ = 1, −2), w = 2/7", 2, 5, []topology.Arc{{A: 0, B: 0, S: 1}, {A: 1, B: 1, S: 2}, {A: 0, B: 1, S: 0}},
			2. / 7, 3. / 7, -3. / 7},
		{"Wagner graph (θ = 1, −1−√2), quarters", 1, 8, []topology.Arc{{S: 1}, {S: 4}}, 0.25, 0.5, -(math.Sqrt2) / 4},
		{"K3,3 (θ = 0, −3), thirds", 1, 6, []topology.Arc{{S: 1}, {S: 3}}, 1. / 3, 0, -1},
		{"two triangles, not connected", 2, 3, []topology.Arc{{A: 0, B: 0, S: 1}, {A: 1, B: 1, S: 1}}, 0.25, 1, 0.25},
	}
	for _, c := range cases {
		l, err := topology.NewLift(c.orbits, c.size, c.arcs)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		weight := make([]float64, len(c.arcs))
		for k := range weight {
			weight[k] = c.w
		}
		high, low := spectral.NewLiftSpectrum(c.orbits, c.size).Extremes(l, weight)
		if math.Abs(high-c.lambda2) > 1e-14 || math.Abs(low-c.lastN) > 1e-14 {
			t.Errorf("%s: λ₂ = %.16g, λₙ = %.16g; want %.16g, %.16g", c.name, high, low, c.lambda2, c.lastN)
		}
	}
}

func TestLiftSpectrumOfBadNumbersIsNaN(t *testing.T) {
	for _, orbits := range []int{1, 2, 3, 5} {
		for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			l, err := topology.NewLift(orbits, 6, []topology.Arc{{A: 0, B: orbits - 1, S: 1}, {A: 0, B: 0, S: 2}})
			if err != nil {
				t.Fatal(err)
			}
			if high, low := spectral.NewLiftSpectrum(orbits, 6).Extremes(l, []float64{0.1, bad}); !math.IsNaN(high) ||
				!math.IsNaN(low) {
				t.Errorf("%d orbits, weight %v: extremes %v, %v; want NaN", orbits, bad, high, low)
			}
		}
	}
	single := topology.Lift{Orbits: 1, Size: 1}
	if high, low := spectral.NewLiftSpectrum(1, 1).Extremes(single, nil); !math.IsNaN(high) || !math.IsNaN(low) {
		t.Errorf("one node: extremes %v, %v; want NaN", high, low)
	}
}

func TestLiftSpectrumDoesNotAllocate(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	for _, orbits := range []int{1, 2, 8} {
		l, weight := randomLift(rng, orbits, 16, 20)
		ws := spectral.NewLiftSpectrum(orbits, 16)
		all := make([]float64, l.Nodes())
		ws.Extremes(l, weight) // the first call may grow the phase table
		if got := testing.AllocsPerRun(20, func() { ws.Extremes(l, weight); ws.All(all, l, weight) }); got != 0 {
			t.Errorf("%d orbits: %v allocations a call, want 0", orbits, got)
		}
	}
}

func BenchmarkLiftExtremes(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 0))
	for _, shape := range []struct{ orbits, size, arcs int }{{1, 128, 4}, {2, 64, 8}, {4, 32, 16}, {8, 16, 32},
		{16, 8, 64}, {1, 100000, 5}, {10, 10000, 50}} {
		l, weight := randomLift(rng, shape.orbits, shape.size, shape.arcs)
		ws := spectral.NewLiftSpectrum(shape.orbits, shape.size)
		b.Run(fmt.Sprintf("orbits=%d/size=%d", shape.orbits, shape.size), func(b *testing.B) {
			for b.Loop() {
				ws.Extremes(l, weight)
			}
		})
	}
}

// Stars joined at their hubs have many eigenvalues near zero beside large ones: what a few fast machines among many
// slow ones look like to a search.
func TestLiftSpectrumOfStarsJoinedAtTheirHubs(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 0))
	for range 300 {
		hubs := 1 + rng.IntN(5)
		n := hubs + 1 + rng.IntN(120)
		var arcs []topology.Arc
		for i := 1; i < n; i++ {
			hub := min(i-1, rng.IntN(hubs))
			arcs = append(arcs, topology.Arc{A: hub, B: i})
		}
		l, err := topology.NewLift(n, 1, arcs)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []float64{1, 1e-9, 1e9} {
			weight := make([]float64, len(arcs))
			for k := range weight {
				weight[k] = size
			}
			got := make([]float64, n)
			spectral.NewLiftSpectrum(n, 1).All(got, l, weight)
			want, ok := spectral.NewEigen(n).Values(denseW(l, weight))
			if !ok {
				t.Fatalf("%d nodes, %d hubs, weights %g: the dense eigenvalues did not converge", n, hubs, size)
			}
			for i := range got {
				if math.Abs(got[i]-want[i]) > 1e-13*float64(n)*max(1, size) {
					t.Fatalf("%d nodes, %d hubs, weights %g: eigenvalue %d is %v, dense %v", n, hubs, size, i, got[i], want[i])
				}
			}
		}
	}
}
