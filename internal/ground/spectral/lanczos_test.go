package spectral_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/batopo/batopo/internal/ground/spectral"
	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/mat"
)

// neighbourAverage is the operator x ↦ mean over the d neighbours of a d-regular
// graph, stored as one flat table.
func neighbourAverage(peers []int32, d int) func(dst, x []float64) {
	return func(dst, x []float64) {
		for i := range dst {
			sum := 0.0
			for _, j := range peers[i*d : (i+1)*d] {
				sum += x[j]
			}
			dst[i] = sum / float64(d)
		}
	}
}

// randomRegular draws d/2 random cyclic permutations of the nodes: a 2·(d/2)-regular
// multigraph, contiguous to the uniform random regular graph (Kim and Wormald 2001).
func randomRegular(n, d int, seed uint64) []int32 {
	rng := rand.New(rand.NewPCG(seed, 0))
	peers := make([]int32, n*d)
	for c := range d / 2 {
		cycle := rng.Perm(n)
		for k, i := range cycle {
			j := cycle[(k+1)%n]
			peers[i*d+2*c], peers[j*d+2*c+1] = int32(j), int32(i)
		}
	}
	return peers
}

// denseOf writes the operator down as a matrix, column by column.
func denseOf(n int, apply func(dst, x []float64)) *mat.SymDense {
	w := spectral.NewSym(n)
	x, y := make([]float64, n), make([]float64, n)
	for j := range n {
		clear(x)
		x[j] = 1
		apply(y, x)
		for i := range j + 1 {
			w.SetSym(i, j, y[i])
		}
	}
	return w
}

func TestLanczosEqualsDense(t *testing.T) {
	for _, c := range []struct{ n, d int }{{2, 2}, {3, 2}, {5, 4}, {40, 4}, {64, 4}, {65, 6}, {66, 4}, {300, 4},
		{300, 10}} {
		for seed := range uint64(3) {
			apply := neighbourAverage(randomRegular(c.n, c.d, seed), c.d)
			values, ok := spectral.NewEigen(c.n).Values(denseOf(c.n, apply))
			if !ok {
				t.Fatalf("n=%d: dense eigenvalues did not converge", c.n)
			}
			low, high := values[0], values[c.n-2] // the random graphs here are connected
			got := spectral.NewLanczos(c.n).Extremes(apply, spectral.LanczosSettings{Seed: seed})
			if !got.Converged {
				t.Errorf("n=%d d=%d seed=%d: residuals %g, %g after %d products",
					c.n, c.d, seed, got.Low.Residual, got.High.Residual, got.Products)
			}
			// The Rayleigh quotient is off by at most residual²/gap; 1e-12 is rounding.
			if math.Abs(got.Low.Value-low) > 1e-12 || math.Abs(got.High.Value-high) > 1e-12 {
				t.Errorf("n=%d d=%d seed=%d: %.15g … %.15g, dense %.15g … %.15g",
					c.n, c.d, seed, got.Low.Value, got.High.Value, low, high)
			}
		}
	}
}

// TestLanczosOnClosedForms uses graphs with few distinct eigenvalues, where the
// basis closes early, and a ring, where the ends are close together.
func TestLanczosOnClosedForms(t *testing.T) {
	lift := func(orbits, size int, arcs ...topology.Arc) func(dst, x []float64) {
		l, err := topology.NewLift(orbits, size, arcs)
		if err != nil {
			t.Fatal(err)
		}
		g, _ := l.Graph()
		return func(dst, x []float64) {
			for i := range dst {
				sum := 0.0
				for _, j := range g.Neighbors(i) {
					sum += x[j]
				}
				dst[i] = sum / float64(g.Degree(i))
			}
		}
	}
	cases := []struct {
		name      string
		n         int
		apply     func(dst, x []float64)
		low, high float64
	}{
		{"K5", 5, lift(1, 5, topology.Arc{S: 1}, topology.Arc{S: 2}), -0.25, -0.25},
		{"Petersen", 10, lift(2, 5, topology.Arc{A: 0, B: 0, S: 1}, topology.Arc{A: 1, B: 1, S: 2}, topology.Arc{A: 0, B: 1}),
			-2. / 3, 1. / 3},
		{"two rings of 50", 100, lift(2, 50, topology.Arc{A: 0, B: 0, S: 1}, topology.Arc{A: 1, B: 1, S: 1}), -1, 1},
		{"ring of 501", 501, lift(1, 501, topology.Arc{S: 1}), -math.Cos(math.Pi / 501), math.Cos(2 * math.Pi / 501)},
	}
	for _, c := range cases {
		got := spectral.NewLanczos(c.n).Extremes(c.apply, spectral.LanczosSettings{Tolerance: 1e-9})
		if !got.Converged || math.Abs(got.Low.Value-c.low) > 1e-13 || math.Abs(got.High.Value-c.high) > 1e-13 {
			t.Errorf("%s: %.15g (residual %.1g) … %.15g (residual %.1g) in %d products; want %.15g … %.15g",
				c.name, got.Low.Value, got.Low.Residual, got.High.Value, got.High.Residual, got.Products, c.low, c.high)
		}
	}
}

// TestLanczosBoundsHold stops early on purpose: whatever the residual is, an
// eigenvalue must lie within it, and the quotient must not overshoot.
func TestLanczosBoundsHold(t *testing.T) {
	const n, d = 200, 4
	for seed := range uint64(5) {
		apply := neighbourAverage(randomRegular(n, d, seed), d)
		values, _ := spectral.NewEigen(n).Values(denseOf(n, apply))
		got := spectral.NewLanczos(n).Extremes(apply, spectral.LanczosSettings{Seed: seed, MaxProducts: 1})
		if got.Converged {
			t.Fatalf("seed %d: converged after %d products; the test needs a premature stop", seed, got.Products)
		}
		if got.High.Value > values[n-2]+1e-14 || got.Low.Value < values[0]-1e-14 {
			t.Errorf("seed %d: quotients %.15g … %.15g leave the spectrum %.15g … %.15g",
				seed, got.Low.Value, got.High.Value, values[0], values[n-2])
		}
		for _, end := range []spectral.Ritz{got.Low, got.High} {
			nearest := math.Inf(1)
			for _, v := range values[:n-1] {
				nearest = min(nearest, math.Abs(v-end.Value))
			}
			if nearest > end.Residual {
				t.Errorf("seed %d: nearest eigenvalue to %.15g is %g away, residual says %g",
					seed, end.Value, nearest, end.Residual)
			}
		}
	}
}

func TestLanczosIsDeterministicAndSurvivesNaN(t *testing.T) {
	const n, d = 500, 6
	apply := neighbourAverage(randomRegular(n, d, 1), d)
	a := spectral.NewLanczos(n).Extremes(apply, spectral.LanczosSettings{Seed: 7})
	reused := spectral.NewLanczos(n)
	reused.Extremes(apply, spectral.LanczosSettings{Seed: 8})
	b := reused.Extremes(apply, spectral.LanczosSettings{Seed: 7})
	if a.High.Value != b.High.Value || a.Low.Value != b.Low.Value || a.Products != b.Products {
		t.Errorf("same seed, different results: %v %v %d and %v %v %d",
			a.Low.Value, a.High.Value, a.Products, b.Low.Value, b.High.Value, b.Products)
	}
	bad := reused.Extremes(func(dst, x []float64) {
		for i := range dst {
			dst[i] = math.NaN()
		}
	}, spectral.LanczosSettings{})
	if bad.Converged || !math.IsNaN(bad.High.Value) {
		t.Errorf("operator full of NaN: %+v; want NaN and not converged", bad)
	}
}

func TestLanczosDoesNotAllocate(t *testing.T) {
	const n, d = 3000, 6
	apply := neighbourAverage(randomRegular(n, d, 1), d)
	var l *spectral.Lanczos
	withSystemLAPACK(false, func() { l = spectral.NewLanczos(n) }) // see TestSystemLAPACKDoesNotAllocate
	if got := testing.AllocsPerRun(2, func() { l.Extremes(apply, spectral.LanczosSettings{}) }); got != 0 {
		t.Errorf("%v allocations a call, want 0", got)
	}
}

// TestHundredThousandNodes prints what large graphs cost; the spectrum of a random
// 10-regular graph ends near the Alon–Boppana value 2√9/10 = 0.6.
func TestHundredThousandNodes(t *testing.T) {
	if testing.Short() {
		t.Skip("10⁵ nodes; smaller ones stay")
	}
	const n, d = 100_000, 10
	apply := neighbourAverage(randomRegular(n, d, 1), d)
	began := time.Now()
	got := spectral.NewLanczos(n).Extremes(apply, spectral.LanczosSettings{Tolerance: 1e-6})
	t.Logf("Lanczos, %d nodes: %.9f ± %.1e … %.9f ± %.1e, %d products, %v", n,
		got.Low.Value, got.Low.Residual, got.High.Value, got.High.Residual, got.Products,
		time.Since(began).Round(time.Millisecond))
	if !got.Converged || math.Abs(got.High.Value-0.6) > 0.01 || math.Abs(got.Low.Value+0.6) > 0.01 {
		t.Errorf("Lanczos on a random %d-regular graph: %.6f … %.6f (converged %v); want both ends within 0.01 of 0.6",
			d, got.Low.Value, got.High.Value, got.Converged)
	}
}

// TestHundredThousandNodeLift compares the block spectrum with Lanczos on the
// same graph, which knows nothing of the symmetry.
func TestHundredThousandNodeLift(t *testing.T) {
	if testing.Short() {
		t.Skip("10⁵ nodes; smaller ones stay")
	}
	rng := rand.New(rand.NewPCG(5, 0))
	var arcs []topology.Arc
	const orbits, size, d = 10, 10_000, 10
	for shift := range d / 2 { // arcs a → a+1+shift with random shifts: every node has degree 10
		for a := range orbits {
			arcs = append(arcs, topology.Arc{A: a, B: (a + 1 + shift) % orbits, S: rng.IntN(size)})
		}
	}
	l, err := topology.NewLift(orbits, size, arcs)
	if err != nil {
		t.Fatal(err)
	}
	weight := make([]float64, len(l.Arcs))
	for k := range weight {
		weight[k] = 1. / d
	}
	began := time.Now()
	high, low := spectral.NewLiftSpectrum(orbits, size).Extremes(l, weight)
	t.Logf("block spectrum, %d nodes: %.12f … %.12f, %v", l.Nodes(), low, high,
		time.Since(began).Round(time.Millisecond))
	peers := make([]int32, 0, l.Nodes()*d)
	g, _ := l.Graph()
	for i := range l.Nodes() {
		for _, j := range g.Neighbors(i) {
			peers = append(peers, int32(j))
		}
	}
	got := spectral.NewLanczos(l.Nodes()).Extremes(neighbourAverage(peers, d), spectral.LanczosSettings{Tolerance: 1e-6})
	t.Logf("Lanczos on it: %.12f ± %.1e … %.12f ± %.1e, %d products",
		got.Low.Value, got.Low.Residual, got.High.Value, got.High.Residual, got.Products)
	if !got.Converged || math.Abs(got.High.Value-high) > 1e-9 || math.Abs(got.Low.Value-low) > 1e-9 {
		t.Errorf("Lanczos %.12f … %.12f, blocks %.12f … %.12f", got.Low.Value, got.High.Value, low, high)
	}
}

func ExampleLanczos() {
	ring := func(dst, x []float64) { // W of a ring of 6 with weights 1/3
		n := len(x)
		for i := range dst {
			dst[i] = (x[(i+n-1)%n] + x[i] + x[(i+1)%n]) / 3
		}
	}
	r := spectral.NewLanczos(6).Extremes(ring, spectral.LanczosSettings{})
	fmt.Printf("%.4f … %.4f, converged %v\n", r.Low.Value, r.High.Value, r.Converged)
	// Output: -0.3333 … 0.6667, converged true
}
