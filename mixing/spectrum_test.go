package mixing

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/mat"
)

// slowIterations multiplies until the error is small enough.
func slowIterations(m *Matrix, target float64, limit int) (int, bool) {
	b := m.Dense()
	b.Apply(func(_, _ int, v float64) float64 { return v - 1/float64(m.n) }, b)
	power := mat.DenseCopyOf(b)
	for k := 1; k <= limit; k++ {
		if mat.Norm(power, 2) <= target {
			return k, true
		}
		next := new(mat.Dense)
		next.Mul(power, b)
		power = next
	}
	return 0, false
}

// largestSingular is ‖W − J‖₂ by a singular value decomposition.
func largestSingular(t *testing.T, m *Matrix) float64 {
	t.Helper()
	b := m.Dense()
	b.Apply(func(_, _ int, v float64) float64 { return v - 1/float64(m.n) }, b)
	var svd mat.SVD
	if !svd.Factorize(b, mat.SVDNone) {
		t.Fatal("singular values did not converge")
	}
	return svd.Values(nil)[0]
}

// permutations returns a random mixture of permutation matrices: doubly stochastic (Birkhoff), directed, as a
// rule not normal.
func permutations(t *testing.T, n, count int, rng *rand.Rand) *Matrix {
	t.Helper()
	w := mat.NewDense(n, n, nil)
	for range count {
		for i, j := range rng.Perm(n) {
			w.Set(i, j, w.At(i, j)+1/float64(count))
		}
	}
	m, err := FromDense(w)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestSpectrumAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	var cases []*Matrix
	for n := 1; n <= 24; n++ {
		for _, f := range Families {
			if m, err := f.Build(Params{Nodes: n, Seed: uint64(n)}); err == nil {
				cases = append(cases, m)
			}
		}
		for count := 1; count <= 4; count++ {
			cases = append(cases, permutations(t, n, count, rng))
		}
	}
	for _, m := range cases {
		s, err := m.Spectrum(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		// Gram matrices square what rounding does to singular values near 0.
		if want := largestSingular(t, m); math.Abs(s.RAsym-want) > 1e-9 && s.RAsym+want > 1e-7 {
			t.Errorf("n=%d directed=%v: r_asym %.12f, largest singular value %.12f", m.n, m.directed, s.RAsym, want)
		}
		for _, target := range []float64{10, 0.5, 1e-4} {
			const limit = 400
			k, ok, _ := s.Iterations(context.Background(), target)
			if slow, done := slowIterations(m, target, limit); done != (ok && k <= limit) || done && slow != k {
				t.Errorf("n=%d directed=%v r_asym=%v: error %v after %d rounds (%v), one by one %d (%v)",
					m.n, m.directed, s.RAsym, target, k, ok, slow, done)
			}
		}
	}
}

// TestCirculantAgreesWithDense solves circulants by both methods.
func TestCirculantAgreesWithDense(t *testing.T) {
	for _, name := range []string{"ring", "complete", "k-nearest", "exponential", "d-equistatic", "u-equistatic"} {
		f, err := FindFamily(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{5, 8, 31, 48} {
			m, err := f.Build(Params{Nodes: n, Seed: 3})
			if err != nil {
				t.Fatal(err)
			}
			if !m.isCirculant() {
				t.Errorf("%s n=%d is not recognised as circulant", name, n)
			}
			solve := m.symmetricSpectrum
			if m.directed {
				solve = m.directedSpectrum
			}
			fast, slow := m.circulantSpectrum(), Spectrum{}
			if slow, err = solve(); err != nil {
				t.Fatal(err)
			}
			// The Gram matrix of the directed method cannot resolve singular values below √ε.
			if math.Abs(fast.RAsym-slow.RAsym) > 1e-12 && fast.RAsym > 1e-7 || math.Abs(fast.Lambda2-slow.Lambda2) > 1e-12 ||
				math.Abs(fast.LambdaN-slow.LambdaN) > 1e-12 {
				t.Errorf("%s n=%d: by DFT %v %v %v, dense %v %v %v", name, n, fast.RAsym, fast.Lambda2, fast.LambdaN, slow.RAsym,
					slow.Lambda2, slow.LambdaN)
			}
		}
	}
}

func TestNotCirculant(t *testing.T) {
	for name, n := range map[string]int{"path": 5, "star": 5, "torus": 9, "hypercube": 8} {
		f, err := FindFamily(name)
		if err != nil {
			t.Fatal(err)
		}
		m, err := f.Build(Params{Nodes: n})
		if err != nil {
			t.Fatal(err)
		}
		if m.isCirculant() {
			t.Errorf("%s n=%d counts as circulant", name, n)
		}
	}
	// A ring with one weight changed has the pattern of a circulant, but not its weights.
	g, err := topology.Ring(6)
	if err != nil {
		t.Fatal(err)
	}
	m, err := FromEdges(g, []float64{.25, .25, .25, .25, .25, .2500001})
	if err != nil {
		t.Fatal(err)
	}
	if m.isCirculant() {
		t.Error("a ring with unequal weights counts as circulant")
	}
}

// TestDeBruijn: the de Bruijn graph averages exactly after log₂ n rounds although
// ‖W − J‖₂ = 1, so only powers of W can tell.
func TestDeBruijn(t *testing.T) {
	for bits := 2; bits <= 5; bits++ {
		n := 1 << bits
		w := mat.NewDense(n, n, nil)
		for i := range n {
			w.Set(2*i%n, i, 0.5)
			w.Set((2*i+1)%n, i, 0.5)
		}
		m, err := FromDense(w)
		if err != nil {
			t.Fatal(err)
		}
		s, err := m.Spectrum(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if k, ok, _ := s.Iterations(context.Background(), 1e-9); math.Abs(s.RAsym-1) > 1e-12 || k != bits || !ok {
			t.Errorf("n=%d: r_asym %v, exact after %d rounds (%v), want 1 and %d", n, s.RAsym, k, ok, bits)
		}
	}
}

func TestIterationsNeverReached(t *testing.T) {
	g, err := topology.New(4, []topology.Edge{{I: 0, J: 1}, {I: 2, J: 3}})
	if err != nil {
		t.Fatal(err)
	}
	apart, err := Metropolis(g)
	if err != nil {
		t.Fatal(err)
	}
	ring, err := topology.Ring(8)
	if err != nil {
		t.Fatal(err)
	}
	swing, err := MetropolisHastings(ring)
	if err != nil {
		t.Fatal(err)
	}
	cycle, err := FromArcs(4, []Arc{{0, 1, 1}, {1, 3, 1}, {3, 2, 1}, {2, 0, 1}})
	if err != nil {
		t.Fatal(err)
	}
	wild, err := FromEdges(ring, []float64{1, 1, 1, 1, 1, 1, 1, 1})
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range map[string]*Matrix{"two components": apart, "bipartite without self weights": swing,
		"directed cycle": cycle, "diverging": wild} {
		s, err := m.Spectrum(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if k, ok, _ := s.Iterations(context.Background(), 1e-4); ok || s.RAsym < 1-1e-12 {
			t.Errorf("%s: r_asym %v, error 1e-4 after %d rounds, want never", name, s.RAsym, k)
		}
	}
	s, err := apart.Spectrum(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range []float64{0, -1, math.NaN()} {
		if _, ok, _ := s.Iterations(context.Background(), target); ok {
			t.Errorf("target %v counts as reached", target)
		}
	}
}

// TestNegativeWeightsKeepTheConsensusEigenvalueApart: with negative weights the eigenvalue 1
// of the constant vector is not the largest.
func TestNegativeWeightsKeepTheConsensusEigenvalueApart(t *testing.T) {
	g, err := topology.Path(3) // Laplacian eigenvalues 0, 1, 3
	if err != nil {
		t.Fatal(err)
	}
	m, err := FromEdges(g, []float64{-0.5, -0.5})
	if err != nil {
		t.Fatal(err)
	}
	s, err := m.Spectrum(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(s.Lambda2-2.5) > 1e-12 || math.Abs(s.LambdaN-1.5) > 1e-12 || math.Abs(s.RAsym-2.5) > 1e-12 {
		t.Errorf("λ₂ = %v, λₙ = %v, r_asym = %v, want 2.5, 1.5, 2.5", s.Lambda2, s.LambdaN, s.RAsym)
	}
}

// TestEffectiveNeighbors: n for exact averaging, 1 for none, and 6.60 for the ring
// of 16 nodes at γ = 0.9, against the sum over rounds that defines it.
func TestEffectiveNeighbors(t *testing.T) {
	for _, tt := range []struct {
		family string
		n      int
		want   float64
		within float64
	}{{"complete", 16, 16, 1e-9}, {"ring", 1, 1, 1e-12}, {"ring", 16, 6.60, 0.005}} {
		f, err := FindFamily(tt.family)
		if err != nil {
			t.Fatal(err)
		}
		m, err := f.Build(Params{Nodes: tt.n})
		if err != nil {
			t.Fatal(err)
		}
		s, err := m.Spectrum(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := s.EffectiveNeighbors(0.9); !ok || math.Abs(got-tt.want) > tt.within {
			t.Errorf("%s n=%d: n_W(0.9) = %v (%v), want %v", tt.family, tt.n, got, ok, tt.want)
		}
	}
	m, err := Exponential(12)
	if err != nil {
		t.Fatal(err)
	}
	s, err := m.Spectrum(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	const gamma = 0.9
	power, sum, discount := mat.DenseCopyOf(m.Dense()), 0.0, 1.0
	for range 400 {
		norm := mat.Norm(power, 2)
		sum += discount * norm * norm
		discount *= gamma
		next := new(mat.Dense)
		next.Mul(power, m.Dense())
		power = next
	}
	want := 12 / (1 - gamma) / sum
	if got, ok := s.EffectiveNeighbors(gamma); !ok || math.Abs(got-want) > 1e-9 {
		t.Errorf("exponential n=12: n_W(0.9) = %v (%v), summed up %v", got, ok, want)
	}
	for _, gamma := range []float64{-0.1, 1, math.NaN()} {
		if _, ok := s.EffectiveNeighbors(gamma); ok {
			t.Errorf("γ = %v is accepted", gamma)
		}
	}
}

func TestSpectrumNamesItsLimit(t *testing.T) {
	for _, n := range []int{2049, 1025} {
		g, err := topology.Path(n)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Metropolis(g)
		if err != nil {
			t.Fatal(err)
		}
		want := "too close together" // a path of 2049 nodes: 1 − λ₂ is 1e-6
		if n == 1025 {
			cycle := make([]Arc, n) // a directed cycle with nodes 0 and 1 exchanged is not circulant
			swap := func(i int) int {
				if i < 2 {
					return 1 - i
				}
				return i
			}
			for i := range cycle {
				cycle[i] = Arc{From: swap(i), To: swap((i + 1) % n), Weight: 0.5}
			}
			if m, err = FromArcs(n, cycle); err != nil {
				t.Fatal(err)
			}
			want = "1024"
		}
		if _, err := m.Spectrum(context.Background()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("n=%d: error %v, want one that names %s", n, err, want)
		}
	}
}

// TestLargeSymmetricIsEstimated: beyond DenseLimit, the ends of the spectrum of a hypercube,
// whose eigenvalues with weights 1/13 are 1 − 2k/13, k = 0 … 12.
func TestLargeSymmetricIsEstimated(t *testing.T) {
	g, err := topology.Hypercube(4096)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Metropolis(g)
	if err != nil {
		t.Fatal(err)
	}
	s, err := m.Spectrum(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if !s.Estimated || math.Abs(s.Lambda2-11./13) > 1e-9 || math.Abs(s.LambdaN+11./13) > 1e-9 {
		t.Errorf("estimated %v: λ₂ %v, λₙ %v; want an estimate of ±11/13", s.Estimated, s.Lambda2, s.LambdaN)
	}
	// √4095·(11/13)^k ≤ 1e-4 first at k = 81.
	if k, ok, _ := s.Iterations(context.Background(), 1e-4); !ok || k != 81 {
		t.Errorf("%d iterations (%v), want 81", k, ok)
	}
}

// TestLargeCirculant: a ring of 100 000 nodes has r_asym = (1 + 2cos(2π/n))/3.
func TestLargeCirculant(t *testing.T) {
	const n = 100_000
	g, err := topology.Ring(n)
	if err != nil {
		t.Fatal(err)
	}
	m, err := Metropolis(g)
	if err != nil {
		t.Fatal(err)
	}
	s, err := m.Spectrum(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	sin := math.Sin(math.Pi / n)
	if gap, want := 1-s.RAsym, 4*sin*sin/3; math.Abs(gap-want) > 1e-15 {
		t.Errorf("1 − r_asym = %v, want %v", gap, want)
	}
	if k, ok, _ := s.Iterations(context.Background(), 1e-4); !ok || s.errorAfter(k) > 1e-4 || s.errorAfter(k-1) <= 1e-4 {
		t.Errorf("%d rounds (%v): errors %v before and %v after", k, ok, s.errorAfter(k-1), s.errorAfter(k))
	}
}
