// Package schatten computes Schatten norms of mixing matrices with their derivatives in the weights.
package schatten

import (
	"math"

	"github.com/batopo/batopo/internal/ground/spectral"
	"github.com/batopo/batopo/internal/solve/weights/internal/matrix"
	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Norm computes ‖W − J‖ in the Schatten norm of even order p = 2k, with gradient and Hessian in the weights:
//
//	N = (Σ λ^p)^{1/p} over the eigenvalues of W on the complement of the all-ones vector,
//
// so that ‖Wᵏ − J‖_F = Nᵏ. It is a norm of an affine function, hence convex, and of the size of r_asym whatever k is.
// Nothing overflows: eigenvalues are divided by the largest before powers are taken.
//
// The graph is a lift (of size 1 where it has no symmetry). Its Fourier transform turns W into one block per pair of
// characters j, m−j: the k × k block itself where it is real, else the 2k × 2k matrix [[Re, −Im], [Im, Re]], which
// stands for both. Arc k adds weight·uuᵀ for one vector u, or for two, the second being i·u in real terms.
type Norm struct {
	Edges []float64 // that an arc stands for
	Size  float64   // largest |λ| of the weights that were evaluated last
	Low   float64   // least λ of these

	blocks []block
	order  float64 // p
	sum    float64 // Σ |λ/largest|^p

	eigen   map[int]*spectral.Eigen // by dimension
	factor  []float64               // scratch, per eigenvalue of a block
	hessian hessian
}

// A block is one diagonal block of W − J.
type block struct {
	orbits  int
	trivial bool           // holds the all-ones vector, as its first eigenvector
	complex bool           // a real matrix of twice the size
	vectors []vector       // per arc; the first of two
	matrix  *mat.SymDense  // W, with the eigenvalue of the all-ones vector moved to −2
	values  []float64      // ascending
	basis   blas64.General // columns are eigenvectors
}

// vector is u = Σ value·e_index.
type vector struct {
	index [3]int
	value [3]float64
}

// twin returns i·u.
func (v *vector) twin(orbits int) vector {
	w := *v
	w.index[0] += orbits
	w.value[1], w.value[2] = -v.value[2], v.value[1]
	return w
}

// New prepares for weights on the arcs of a lift.
func New(l topology.Lift) *Norm {
	s := &Norm{Edges: make([]float64, len(l.Arcs)), eigen: map[int]*spectral.Eigen{}}
	for k, arc := range l.Arcs {
		s.Edges[k] = float64(l.EdgesOf(arc))
	}
	root, most := matrix.Phases(l.Size), 0
	for j := 0; 2*j <= l.Size; j++ {
		b := block{orbits: l.Orbits, trivial: j == 0, complex: j > 0 &&
			2*j < l.Size, vectors: make([]vector, len(l.Arcs))}
		for k, arc := range l.Arcs {
			v := matrix.VectorOf(l, arc, root[j*arc.S%l.Size])
			b.vectors[k] = vector{[3]int{arc.A, arc.B, arc.B}, [3]float64{v.At, real(v.To), 0}}
			if b.complex {
				b.vectors[k].index[2] += l.Orbits
				b.vectors[k].value[2] = imag(v.To)
			}
		}
		d := b.dimension()
		b.matrix, b.values = spectral.NewSym(d), make([]float64, d)
		b.basis = matrix.Square(d)
		if s.eigen[d] == nil {
			s.eigen[d] = spectral.NewOwnEigen(d)
		}
		s.blocks, most = append(s.blocks, b), max(most, d)
	}
	s.factor = make([]float64, most)
	s.hessian.prepare(most)
	return s
}

func (b *block) dimension() int {
	if b.complex {
		return 2 * b.orbits
	}
	return b.orbits
}

// twins returns how many vectors an arc has.
func (b *block) twins() float64 {
	if b.complex {
		return 2
	}
	return 1
}

// Evaluate decomposes W at weights g and sums up powers; false when that fails.
func (s *Norm) Evaluate(g []float64, order float64) bool {
	s.order, s.Size, s.Low = order, 0, math.Inf(1)
	for i := range s.blocks {
		b := &s.blocks[i]
		b.fill(g)
		values, vectors, ok := s.eigen[b.dimension()].Decompose(b.matrix)
		if !ok {
			return false
		}
		copy(b.values, values)
		for r := range b.basis.Rows {
			copy(matrix.Row(b.basis, r), matrix.Row(vectors, r))
		}
		for _, v := range b.others() {
			s.Size, s.Low = max(s.Size, math.Abs(v)), min(s.Low, v)
		}
	}
	s.sum = s.PowerSum(order)
	// An eigenvalue at or below −2 cannot be distinguished from the all-ones vector's; weights like that are far off.
	return s.Low > -1.5 && !math.IsNaN(s.Low)
}

// PowerSum returns Σ |λ/largest|^e.
func (s *Norm) PowerSum(e float64) float64 {
	sum := 0.0
	for i := range s.blocks {
		for _, v := range s.blocks[i].others() {
			sum += math.Pow(math.Abs(v)/s.Size, e)
		}
	}
	return sum
}

// others returns the eigenvalues besides the all-ones vector's.
func (b *block) others() []float64 {
	if b.trivial {
		return b.values[1:]
	}
	return b.values
}

// fill writes the block of W − 3J at weights g.
func (b *block) fill(g []float64) {
	raw := b.matrix.RawSymmetric()
	for i := range raw.N {
		r := raw.Data[i*raw.Stride : i*raw.Stride+raw.N]
		clear(r)
		if b.trivial {
			for j := range r {
				r[j] = -3 / float64(raw.N)
			}
		}
		r[i]++
	}
	for k := range b.vectors {
		v := &b.vectors[k]
		b.subtract(g[k], v)
		if b.complex {
			w := v.twin(b.orbits)
			b.subtract(g[k], &w)
		}
	}
}

// subtract takes weight·uuᵀ off the upper triangle.
func (b *block) subtract(weight float64, u *vector) {
	raw := b.matrix.RawSymmetric()
	for p, i := range u.index {
		for q, j := range u.index {
			if i <= j {
				raw.Data[i*raw.Stride+j] -= weight * u.value[p] * u.value[q]
			}
		}
	}
}

// Value returns N.
func (s *Norm) Value() float64 { return s.Size * math.Pow(s.sum, 1/s.order) }

// holder is ‖λ/largest‖^{p−1}, which makes λ^{p−1} a vector of dual norm 1.
func (s *Norm) holder() float64 { return math.Pow(s.sum, 1-1/s.order) }

// power returns (λ/largest)^e with the sign of an odd power.
func (s *Norm) power(v, e float64) float64 {
	return math.Copysign(math.Pow(math.Abs(v)/s.Size, e), v)
}

// Trace returns tr Y on the complement of the all-ones vector, Y = (W − J)^{p−1} at dual norm 1.
func (s *Norm) Trace() float64 {
	sum := 0.0
	for i := range s.blocks {
		for _, v := range s.blocks[i].others() {
			sum += s.power(v, s.order-1)
		}
	}
	return sum / s.holder()
}
