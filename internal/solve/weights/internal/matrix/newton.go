package matrix

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// A System is the symmetric positive definite matrix of a Newton step, its Cholesky
// factor and what is needed to refine a solution.
//
// Near the optimum entries grow like 1/gap in some directions and vanish like the gap
// in directions along which the optimum is not unique, so the matrix becomes singular to
// working precision. Then the diagonal is raised a little: the step shrinks only where it does not
// matter, and refinement with the true matrix repairs the rest.
type System struct {
	Matrix   blas64.General // upper triangle: the matrix, then its factor; strictly lower: the matrix
	diagonal []float64      // of the matrix
	residual []float64
	rhs      []float64
}

// Resize prepares for n × n matrices.
func (s *System) Resize(n int) {
	if s.Matrix.Rows != n {
		s.Matrix = Reshape(s.Matrix.Data, n)
	}
	Resize(&s.diagonal, n)
	Resize(&s.residual, n)
	Resize(&s.rhs, n)
}

// Reset makes the matrix zero.
func (s *System) Reset() { clear(s.Matrix.Data) }

// Add adds v to entry (i, j), i ≤ j.
func (s *System) Add(i, j int, v float64) { s.Matrix.Data[i*s.Matrix.Stride+j] += v }

// Factorise computes the Cholesky factor; false when the matrix is hopeless.
func (s *System) Factorise() bool {
	for i := range s.diagonal {
		s.diagonal[i] = s.Matrix.Data[i*s.Matrix.Stride+i]
	}
	Mirror(s.Matrix)
	if Cholesky(s.Matrix) {
		return true
	}
	// From a few roundings to the accuracy that a refined step can still have.
	for raise := 1e-14; raise < 1e-7; raise *= 100 {
		s.restore(raise)
		if Cholesky(s.Matrix) {
			return true
		}
	}
	return false
}

// restore copies the matrix back over a failed factor, with its diagonal raised.
func (s *System) restore(raise float64) {
	for i, d := range s.diagonal {
		r := Row(s.Matrix, i)
		r[i] = d * (1 + raise)
		for j := i + 1; j < len(r); j++ {
			r[j] = s.Matrix.Data[j*s.Matrix.Stride+i]
		}
	}
}

// Solve overwrites x with the solution for right-hand side x.
func (s *System) Solve(x []float64) {
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

func (s *System) backSolve(x []float64) {
	solve(s.Matrix, blas.Trans, x)
	solve(s.Matrix, blas.NoTrans, x)
}

// remainder writes rhs − (matrix)·x to residual.
func (s *System) remainder(x []float64) {
	copy(s.residual, s.rhs)
	for i, d := range s.diagonal {
		below := s.Matrix.Data[i*s.Matrix.Stride : i*s.Matrix.Stride+i]
		s.residual[i] -= d*x[i] + floats.Dot(below, x[:i])
		floats.AddScaled(s.residual[:i], -x[i], below)
	}
}
