package weights

import (
	"math"

	"github.com/batopo/batopo/internal/ground/spectral"
	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// schatten computes ‖W − J‖ in the Schatten norm of even order p = 2k, with gradient and Hessian in the weights:
//
//	N = (Σ λ^p)^{1/p} over the eigenvalues of W on the complement of the all-ones vector,
//
// so that ‖Wᵏ − J‖_F = Nᵏ. It is a norm of an affine function, hence convex, and of the size of r_asym whatever k is.
// Nothing overflows: eigenvalues are divided by the largest before powers are taken.
//
// The graph is a lift (of size 1 where it has no symmetry). Its Fourier transform turns W into one block per pair of
// characters j, m−j: the k × k block itself where it is real, else the 2k × 2k matrix [[Re, −Im], [Im, Re]], which
// stands for both. Arc k adds weight·uuᵀ for one vector u, or for two, the second being i·u in real terms.
type schatten struct {
	arcs   int
	edges  []float64 // that an arc stands for
	blocks []schattenBlock

	order float64 // p
	sum   float64 // Σ |λ/largest|^p
	size  float64 // largest |λ|
	low   float64 // least λ

	eigen   map[int]*spectral.Eigen // by dimension
	factor  []float64               // scratch, per eigenvalue of a block
	hessian hessian
}

// A schattenBlock is one diagonal block of W − J.
type schattenBlock struct {
	orbits  int
	trivial bool           // holds the all-ones vector, as its first eigenvector
	complex bool           // a real matrix of twice the size
	vectors []blockVector  // per arc; the first of two
	matrix  *mat.SymDense  // W, with the eigenvalue of the all-ones vector moved to −2
	values  []float64      // ascending
	basis   blas64.General // columns are eigenvectors
}

// blockVector is u = Σ value·e_index.
type blockVector struct {
	index [3]int
	value [3]float64
}

// twin returns i·u.
func (v *blockVector) twin(orbits int) blockVector {
	w := *v
	w.index[0] += orbits
	w.value[1], w.value[2] = -v.value[2], v.value[1]
	return w
}

func newSchatten(l topology.Lift) *schatten {
	s := &schatten{arcs: len(l.Arcs), edges: make([]float64, len(l.Arcs)), eigen: map[int]*spectral.Eigen{}}
	for k, arc := range l.Arcs {
		s.edges[k] = float64(l.EdgesOf(arc))
	}
	root, most := phases(l.Size), 0
	for j := 0; 2*j <= l.Size; j++ {
		b := schattenBlock{orbits: l.Orbits, trivial: j == 0, complex: j > 0 &&
			2*j < l.Size, vectors: make([]blockVector, len(l.Arcs))}
		for k, arc := range l.Arcs {
			v := vectorOf(l, arc, root[j*arc.S%l.Size])
			b.vectors[k] = blockVector{[3]int{arc.A, arc.B, arc.B}, [3]float64{v.at, real(v.to), 0}}
			if b.complex {
				b.vectors[k].index[2] += l.Orbits
				b.vectors[k].value[2] = imag(v.to)
			}
		}
		d := b.dimension()
		b.matrix, b.values = spectral.NewSym(d), make([]float64, d)
		b.basis = square(d)
		if s.eigen[d] == nil {
			s.eigen[d] = spectral.NewOwnEigen(d)
		}
		s.blocks, most = append(s.blocks, b), max(most, d)
	}
	s.factor = make([]float64, most)
	s.hessian.prepare(most)
	return s
}

func (b *schattenBlock) dimension() int {
	if b.complex {
		return 2 * b.orbits
	}
	return b.orbits
}

// twins returns how many vectors an arc has.
func (b *schattenBlock) twins() float64 {
	if b.complex {
		return 2
	}
	return 1
}

// evaluate decomposes W at weights g and sums up powers; false when that fails.
func (s *schatten) evaluate(g []float64, order float64) bool {
	s.order, s.size, s.low = order, 0, math.Inf(1)
	for i := range s.blocks {
		b := &s.blocks[i]
		b.fill(g)
		values, vectors, ok := s.eigen[b.dimension()].Decompose(b.matrix)
		if !ok {
			return false
		}
		copy(b.values, values)
		for r := range b.basis.Rows {
			copy(row(b.basis, r), row(vectors, r))
		}
		for _, v := range b.others() {
			s.size, s.low = max(s.size, math.Abs(v)), min(s.low, v)
		}
	}
	s.sum = s.powerSum(order)
	// An eigenvalue at or below −2 cannot be told from that of the all-ones vector; weights like that are far off.
	return s.low > -1.5 && !math.IsNaN(s.low)
}

// powerSum returns Σ |λ/largest|^e.
func (s *schatten) powerSum(e float64) float64 {
	sum := 0.0
	for i := range s.blocks {
		for _, v := range s.blocks[i].others() {
			sum += math.Pow(math.Abs(v)/s.size, e)
		}
	}
	return sum
}

// others returns the eigenvalues besides that of the all-ones vector.
func (b *schattenBlock) others() []float64 {
	if b.trivial {
		return b.values[1:]
	}
	return b.values
}

// fill writes the block of W − 3J at weights g.
func (b *schattenBlock) fill(g []float64) {
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
func (b *schattenBlock) subtract(weight float64, u *blockVector) {
	raw := b.matrix.RawSymmetric()
	for p, i := range u.index {
		for q, j := range u.index {
			if i <= j {
				raw.Data[i*raw.Stride+j] -= weight * u.value[p] * u.value[q]
			}
		}
	}
}

// value returns N.
func (s *schatten) value() float64 { return s.size * math.Pow(s.sum, 1/s.order) }

// holder is ‖λ/largest‖^{p−1}, which makes λ^{p−1} a vector of dual norm 1.
func (s *schatten) holder() float64 { return math.Pow(s.sum, 1-1/s.order) }

// power returns (λ/largest)^e with the sign of an odd power.
func (s *schatten) power(v, e float64) float64 {
	return math.Copysign(math.Pow(math.Abs(v)/s.size, e), v)
}

// trace returns tr Y on the complement of the all-ones vector, Y = (W − J)^{p−1} at dual norm 1.
func (s *schatten) trace() float64 {
	sum := 0.0
	for i := range s.blocks {
		for _, v := range s.blocks[i].others() {
			sum += s.power(v, s.order-1)
		}
	}
	return sum / s.holder()
}
