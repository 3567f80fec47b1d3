package schatten

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/batopo/batopo/internal/solve/weights/internal/matrix"
)

// hessian is the workspace for second derivatives of a Schatten norm. With V the eigenvectors and Γ the divided
// differences of λ^{p−1},
//
//	∂² tr X^p / ∂g_k∂g_l = p · Σ_ij Γ_ij (u_kᵀv_i)(u_kᵀv_j)(u_lᵀv_i)(u_lᵀv_j)
//	                     = p · Σ_t σ_t (u_kᵀ Q_t u_l)²,   Q_t = V Diag(γ_t) Vᵀ
//
// where σ_t, γ_t are the eigenvalues and eigenvectors of Γ. Γ comes from a smooth function, so some twenty of them
// count whatever p and the number of nodes are, and each costs one product of matrices and a table look-up per pair
// of arcs. The sum over i and j themselves would cost n² per pair.
type hessian struct {
	kernel []float64 // Γ, as large as the largest block
	scaled []float64
	terms  [termsAtOnce][]float64 // Q_t
	sigma  [termsAtOnce]float64
	filled int
	gather [][termsAtOnce]float64 // Q_t u of one arc
}

// termsAtOnce is how many terms are looked up together.
const termsAtOnce = 4

// smallTerm is the size of terms that are left out, next to the largest. The matrix is used for Newton steps only.
const smallTerm = 1e-9

func (h *hessian) prepare(most int) {
	size := len(matrix.Square(most).Data)
	h.kernel, h.scaled, h.gather = make([]float64, size), make([]float64, size), make([][termsAtOnce]float64, most)
	for t := range h.terms {
		h.terms[t] = make([]float64, size)
	}
}

// Curvature adds the Hessian of N²/2, divided by N, to the upper triangle of m: ∇²N + ∇N∇Nᵀ/N, whose Newton steps
// have the right length also where N can be brought to 0. descent is −∇N. Under a floor it adds the Hessian of
// −strength·log det(W − floor·I).
func (s *Norm) Curvature(m blas64.General, descent []float64, floor, strength float64) bool {
	scale := 1 / (s.Size * s.holder())
	for i := range s.blocks {
		b := &s.blocks[i]
		d := b.dimension()
		gamma := matrix.Reshape(s.hessian.kernel, d)
		kernel := mat.SymDense{}
		kernel.SetRawSymmetric(blas64.Symmetric{Uplo: blas.Upper, N: d, Stride: gamma.Stride, Data: gamma.Data})
		s.differences(gamma, b)
		values, vectors, ok := s.eigen[d].Decompose(&kernel)
		if !ok {
			return false
		}
		largest := max(math.Abs(values[0]), math.Abs(values[d-1]))
		for t, v := range values {
			if math.Abs(v) <= smallTerm*largest {
				continue
			}
			for c := range d {
				s.factor[c] = vectors.Data[c*vectors.Stride+t]
			}
			s.term(m, b, v*scale)
		}
		if strength > 0 {
			for c, v := range b.values {
				s.factor[c] = 1 / (v - floor)
			}
			s.term(m, b, strength)
		}
		s.flush(m, b)
	}
	last := -(s.order - 2) / s.Value()
	for k, d := range descent {
		r := matrix.Row(m, k)
		for l := k; l < len(descent); l++ {
			r[l] += last * d * descent[l]
		}
	}
	return true
}

// differences writes Γ of λ/largest.
func (s *Norm) differences(gamma blas64.General, b *block) {
	e := s.order - 1
	for i, v := range b.values {
		r := matrix.Row(gamma, i)
		for j := i; j < len(r); j++ {
			r[j] = 0
			if i >= b.first() {
				r[j] = divided(math.Abs(v)/s.Size, math.Abs(b.values[j])/s.Size, e, (v < 0) == (b.values[j] < 0))
			}
		}
	}
}

// divided returns (x^e − y^e)/(x − y) for odd e, given |x| and |y|.
func divided(x, y, e float64, sameSign bool) float64 {
	x, y = max(x, y), min(x, y)
	if x == 0 {
		return 0
	}
	top := math.Pow(x, e-1)
	if !sameSign {
		return top * (1 + math.Pow(y/x, e)) / (1 + y/x)
	}
	apart := (x - y) / x
	if apart == 0 {
		return top * e
	}
	return -top * math.Expm1(e*math.Log1p(-apart)) / apart
}

// term takes up V Diag(factor) Vᵀ with its coefficient.
func (s *Norm) term(m blas64.General, b *block, sigma float64) {
	h := &s.hessian
	d := b.dimension()
	scaled, q := matrix.Reshape(h.scaled, d), matrix.Reshape(h.terms[h.filled], d)
	if b.trivial {
		s.factor[0] = 0
	}
	for i := range d {
		from, to := matrix.Row(b.basis, i), matrix.Row(scaled, i)
		for c, f := range s.factor[:d] {
			to[c] = f * from[c]
		}
	}
	outer(q, scaled, b.basis)
	h.sigma[h.filled] = sigma
	h.filled++
	if h.filled == termsAtOnce {
		s.flush(m, b)
	}
}

// flush adds the terms at hand to the matrix. For a block that stands for two, the four products of two arcs' vectors
// come in equal pairs.
func (s *Norm) flush(m blas64.General, b *block) {
	h := &s.hessian
	d := b.dimension()
	for t := h.filled; t < termsAtOnce; t++ {
		h.sigma[t] = 0
	}
	if h.filled == 0 {
		return
	}
	h.filled = 0
	gather := h.gather[:d]
	for k := range b.vectors {
		u := &b.vectors[k]
		for t := range h.terms {
			q := matrix.Reshape(h.terms[t], d)
			x, y, z := matrix.Row(q, u.index[0]), matrix.Row(q, u.index[1]), matrix.Row(q, u.index[2])
			for c := range gather {
				gather[c][t] = u.value[0]*x[c] + u.value[1]*y[c] + u.value[2]*z[c]
			}
		}
		r := matrix.Row(m, k)
		for l := k; l < len(b.vectors); l++ {
			v := &b.vectors[l]
			sum := h.squares(v)
			if b.complex {
				w := v.twin(b.orbits)
				sum = 2 * (sum + h.squares(&w))
			}
			r[l] += sum
		}
	}
}

// squares returns Σ σ_t (uᵀ Q_t v)².
func (h *hessian) squares(v *vector) float64 {
	x, y, z := &h.gather[v.index[0]], &h.gather[v.index[1]], &h.gather[v.index[2]]
	sum := 0.0
	for t, s := range h.sigma {
		dot := v.value[0]*x[t] + v.value[1]*y[t] + v.value[2]*z[t]
		sum += s * dot * dot
	}
	return sum
}

// outer writes a·bᵀ, which must be symmetric, to dst.
func outer(dst, a, b blas64.General) {
	n := dst.Rows
	for i := 0; i < n; i += matrix.Tile {
		rows := min(matrix.Tile, n-i)
		for j := i; j < n; j += matrix.Tile {
			cols := min(matrix.Tile, n-j)
			blas64.Gemm(blas.NoTrans, blas.Trans, 1, matrix.Part(a, i, 0, rows, n), matrix.Part(b, j, 0, cols, n), 0,
				matrix.Part(dst, i, j, rows, cols))
		}
	}
	matrix.Mirror(dst)
}
