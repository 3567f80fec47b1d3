package weights

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// A system is the symmetric positive definite matrix of a Newton step, its Cholesky
// factor and what is needed to refine a solution.
//
// Near the optimum entries grow like 1/gap in some directions and vanish like the gap
// in directions along which the optimum is not unique, so the matrix becomes singular to
// working precision. Then the diagonal is raised a little: the step shrinks only where it does not
// matter, and refinement with the true matrix repairs the rest.
type system struct {
	a        blas64.General // upper triangle: the matrix, then its factor; strictly lower: the matrix
	diagonal []float64      // of the matrix
	residual []float64
	rhs      []float64
}

// resize prepares for n × n matrices.
func (s *system) resize(n int) {
	if s.a.Rows != n {
		s.a = reshape(s.a.Data, n)
	}
	resize(&s.diagonal, n)
	resize(&s.residual, n)
	resize(&s.rhs, n)
}

// reset makes the matrix zero.
func (s *system) reset() { clear(s.a.Data) }

// add adds v to entry (i, j), i ≤ j.
func (s *system) add(i, j int, v float64) { s.a.Data[i*s.a.Stride+j] += v }

// factorise computes the Cholesky factor; false when the matrix is hopeless.
func (s *system) factorise() bool {
	for i := range s.diagonal {
		s.diagonal[i] = s.a.Data[i*s.a.Stride+i]
	}
	mirror(s.a)
	if cholesky(s.a) {
		return true
	}
	// From a few roundings to the accuracy that a refined step can still have.
	for raise := 1e-14; raise < 1e-7; raise *= 100 {
		s.restore(raise)
		if cholesky(s.a) {
			return true
		}
	}
	return false
}

// restore copies the matrix back over a failed factor, with its diagonal raised.
func (s *system) restore(raise float64) {
	for i, d := range s.diagonal {
		r := row(s.a, i)
		r[i] = d * (1 + raise)
		for j := i + 1; j < len(r); j++ {
			r[j] = s.a.Data[j*s.a.Stride+i]
		}
	}
}

// solve overwrites x with the solution for right-hand side x.
func (s *system) solve(x []float64) {
	const refinements = 3
	copy(s.rhs, x)
	s.backSolve(x)
	last := math.Inf(1)
	for range refinements {
		s.remainder(x)
		size := floats.Norm(s.residual, 2)
		if !(size < last/2) || size <= 1e-14*floats.Norm(s.rhs, 2) {
			return
		}
		last = size
		s.backSolve(s.residual)
		floats.Add(x, s.residual)
	}
}

func (s *system) backSolve(x []float64) {
	solve(s.a, blas.Trans, x)
	solve(s.a, blas.NoTrans, x)
}

// remainder writes rhs − (matrix)·x to residual.
func (s *system) remainder(x []float64) {
	copy(s.residual, s.rhs)
	for i, d := range s.diagonal {
		below := s.a.Data[i*s.a.Stride : i*s.a.Stride+i]
		s.residual[i] -= d*x[i] + floats.Dot(below, x[:i])
		floats.AddScaled(s.residual[:i], -x[i], below)
	}
}
