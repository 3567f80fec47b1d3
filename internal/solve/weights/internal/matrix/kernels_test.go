package matrix

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/batopo/batopo/internal/ground/spectral"
)

// positiveDefinite returns GᵀG + I with random G.
func positiveDefinite(n int, seed uint64) blas64.General {
	rng := rand.New(rand.NewPCG(seed, 4))
	g := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			g.Set(i, j, rng.NormFloat64())
		}
	}
	var p mat.Dense
	p.Mul(g.T(), g)
	a := Square(n)
	for i := range n {
		for j := range n {
			a.Data[i*a.Stride+j] = p.At(i, j)
		}
		a.Data[i*a.Stride+i]++
	}
	return a
}

func view(a blas64.General) *mat.Dense {
	m := new(mat.Dense)
	m.SetRawMatrix(a)
	return m
}

// Sizes around the tile's edge: one tile, a row more, several with a remainder.
func TestTiles(t *testing.T) {
	for _, n := range []int{1, 2, 63, 64, 65, 128, 150, 200} {
		a := positiveDefinite(n, uint64(n))
		r, inverse, back := Square(n), Square(n), Square(n)
		CopyUpper(r, a)
		if !Cholesky(r) {
			t.Fatalf("n = %d: not positive definite", n)
		}
		InvertTriangle(r)
		Gram(inverse, r)
		Product(back, inverse, a)
		for i := range n {
			back.Data[i*back.Stride+i]--
		}
		if off := mat.Max(view(back)) - mat.Min(view(back)); off > 1e-9 {
			t.Errorf("n = %d: inverse times matrix differs from I by up to %g", n, off)
		}
		a.Data[(n-1)*a.Stride+n-1] = -1
		CopyUpper(r, a)
		if Cholesky(r) {
			t.Errorf("n = %d: a matrix with a negative diagonal entry was called positive definite", n)
		}
	}
}

func TestSystemSolvesSingularToRounding(t *testing.T) {
	// Rank one plus 1e-17·I: no Cholesky factor without raising the diagonal.
	const n = 70
	var s System
	s.Resize(n)
	s.Reset()
	for i := range n {
		for j := i; j < n; j++ {
			s.Add(i, j, 1)
		}
		s.Add(i, i, 1e-17)
	}
	if !s.Factorise() {
		t.Fatal("given up")
	}
	x := make([]float64, n)
	for i := range x {
		x[i] = 1
	}
	s.Solve(x)
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("11ᵀx = 1 is solved by x with 1ᵀx = %.12g, want 1", sum)
	}
}

func TestRitzStep(t *testing.T) {
	for _, n := range []int{1, 2, 5, 17, 60, 150} {
		a, d := positiveDefinite(n, 7), positiveDefinite(n, 8)
		for i := range n { // an indefinite direction
			d.Data[i*d.Stride+i] -= 1.5 * float64(n)
		}
		r := Square(n)
		CopyUpper(r, a)
		Cholesky(r)
		// The exact answer: −1/λ_min(R⁻ᵀDR⁻¹) from a dense eigenproblem.
		InvertTriangle(r)
		var half, full mat.Dense
		half.Mul(view(r).T(), view(d))
		full.Mul(&half, view(r))
		m := spectral.NewSym(n)
		for i := range n {
			for j := i; j < n; j++ {
				m.SetSym(i, j, full.At(i, j))
			}
		}
		values, _ := spectral.NewEigen(n).Values(m)
		want := math.Inf(1)
		if values[0] < 0 {
			want = -1 / values[0]
		}
		CopyUpper(r, a)
		Cholesky(r)
		apply := func(dst, x []float64) {
			for i := range dst {
				dst[i] = 0
				for j, v := range x {
					dst[i] += d.Data[i*d.Stride+j] * v
				}
			}
		}
		got := NewSmallestRitz(n).Step(r, apply, 1e3)
		if got > 1.001*min(want, 1e3) || got < 0.85*min(want, 1e3) {
			t.Errorf("n = %d: step %g, the longest is %g", n, got, want)
		}
	}
}

func randomHermitian(k int, shift float64, rng *rand.Rand) []complex128 {
	a := make([]complex128, k*k)
	for i := range k {
		a[i*k+i] = complex(rng.NormFloat64()+shift, 0)
		for j := range i {
			v := complex(rng.NormFloat64(), rng.NormFloat64())
			a[i*k+j], a[j*k+i] = v, cmplx.Conj(v)
		}
	}
	return a
}

func TestHermitianKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	for k := 1; k <= 9; k++ {
		a, b := randomHermitian(k, float64(3*k), rng), make([]complex128, k*k)
		for i := range b {
			b[i] = complex(rng.NormFloat64(), rng.NormFloat64())
		}
		got := make([]complex128, k*k)
		Times(got, a, b, k)
		for i := range k {
			for j := range k {
				var want complex128
				for l := range k {
					want += a[i*k+l] * cmplx.Conj(b[j*k+l])
				}
				if cmplx.Abs(got[i*k+j]-want) > 1e-12 {
					t.Fatalf("k = %d: (ab*)[%d][%d] is %v, want %v", k, i, j, got[i*k+j], want)
				}
			}
		}
		factor, inverse, identity := append([]complex128(nil), a...), make([]complex128, k*k), make([]complex128, k*k)
		if !FactorHermitian(factor, k) {
			t.Fatalf("k = %d: not positive definite", k)
		}
		InvertHermitian(inverse, factor, k)
		Times(identity, inverse, a, k)
		for i, v := range identity {
			want := complex128(0)
			if i%(k+1) == 0 {
				want = 1
			}
			if cmplx.Abs(v-want) > 1e-11 {
				t.Fatalf("k = %d: inverse times matrix has %v at %d", k, v, i)
			}
		}
		if k > 1 && FactorHermitian(randomHermitian(k, -1, rng), k) {
			t.Errorf("k = %d: an indefinite matrix was called positive definite", k)
		}
	}
}
