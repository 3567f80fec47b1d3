package matrix

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// SmallestRitz finds out how far a positive definite matrix RᵀR may go along D by the
// Lanczos method on R⁻ᵀ D R⁻¹ (Toh 2002, "A note on the calculation of step-lengths in
// interior-point methods for semidefinite programming"). A tenth of the spectrum's
// width is enough: a step is shortened anyway, and a failed Cholesky factorisation catches the rest.
type SmallestRitz struct {
	previous, current, next, image []float64
	diagonal, off                  []float64
}

const (
	ritzSteps    = 40   // Lanczos steps at most
	ritzPace     = 4    // steps between two looks at the Ritz value
	ritzAccuracy = 0.05 // relative, of the step
)

// NewSmallestRitz prepares for n × n matrices.
func NewSmallestRitz(n int) *SmallestRitz {
	steps := min(n, ritzSteps)
	return &SmallestRitz{
		previous: make([]float64, n), current: make([]float64, n), next: make([]float64, n), image: make([]float64, n),
		diagonal: make([]float64, steps), off: make([]float64, steps),
	}
}

// Step returns the largest α ≤ limit for which RᵀR + αD is likely positive semidefinite;
// r holds R in its upper triangle, apply multiplies by D.
func (l *SmallestRitz) Step(r blas64.General, apply func(dst, x []float64), limit float64) float64 {
	n := len(l.current)
	// Any start vector with a share in every eigenvector will do; this one is the same on every machine.
	seed := uint64(1)
	for i := range l.current {
		seed = seed*6364136223846793005 + 1442695040888963407
		l.current[i] = float64(int64(seed)>>33) + 0.5
	}
	floats.Scale(1/floats.Norm(l.current, 2), l.current)
	clear(l.previous)
	beta := 0.0
	for j := range l.diagonal {
		copy(l.image, l.current)
		solve(r, blas.NoTrans, l.image)
		apply(l.next, l.image)
		solve(r, blas.Trans, l.next)
		floats.AddScaled(l.next, -beta, l.previous)
		alpha := floats.Dot(l.next, l.current)
		floats.AddScaled(l.next, -alpha, l.current)
		beta = floats.Norm(l.next, 2)
		l.diagonal[j], l.off[j] = alpha, beta
		last := j+1 == len(l.diagonal) || beta <= 1e-12*math.Abs(alpha)
		if last || j%ritzPace == ritzPace-1 {
			value, residual := l.smallest(j + 1)
			if j+1 == n || beta <= 1e-12*math.Abs(alpha) {
				residual = 0
			}
			bound := value - residual
			if bound >= -1/limit {
				return limit
			}
			if last || residual <= ritzAccuracy*math.Abs(value) {
				return min(limit, -1/bound)
			}
		}
		l.previous, l.current, l.next = l.current, l.next, l.previous
		floats.Scale(1/beta, l.current)
	}
	panic("matrix: the last Lanczos step returns")
}

// smallest returns the smallest eigenvalue of the leading steps × steps part of
// the tridiagonal matrix and the residual of its Ritz vector.
func (l *SmallestRitz) smallest(steps int) (value, residual float64) {
	a, b := l.diagonal[:steps], l.off[:steps]
	low, high := math.Inf(1), a[0]
	for i := range a {
		radius := 0.0
		if i > 0 {
			radius += b[i-1]
		}
		if i+1 < steps {
			radius += b[i]
		}
		low, high = min(low, a[i]-radius), min(high, a[i])
	}
	const halvings = 14 // to 1e-4 of Gershgorin's interval
	for range halvings {
		if middle := (low + high) / 2; belowAll(a, b, middle) {
			low = middle
		} else {
			high = middle
		}
	}
	value = low
	// Components of the eigenvector by their recurrence: accurate enough to tell
	// a converged end from one that is not.
	before, here, square := 0.0, 1.0, 1.0
	for i := 0; i+1 < steps; i++ {
		t := (value - a[i]) * here
		if i > 0 {
			t -= b[i-1] * before
		}
		before, here = here, t/b[i]
		square += here * here
	}
	return value, b[steps-1] * math.Abs(here) / math.Sqrt(square)
}

// belowAll reports whether every eigenvalue of the tridiagonal matrix exceeds x.
func belowAll(a, b []float64, x float64) bool {
	pivot := a[0] - x
	for i := 1; i < len(a); i++ {
		if !(pivot > 0) {
			return false
		}
		pivot = a[i] - x - b[i-1]*b[i-1]/pivot
	}
	return pivot > 0
}

// Solve overwrites x with R⁻¹x or R⁻ᵀx.
func solve(r blas64.General, transpose blas.Transpose, x []float64) {
	blas64.Trsv(transpose, upper(r), blas64.Vector{N: len(x), Inc: 1, Data: x})
}
