package spectral

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// LanczosSettings says when to stop; zero fields mean the defaults.
type LanczosSettings struct {
	Tolerance   float64 // wanted residual of both ends; default 1e-8
	MaxProducts int     // operator products to spend; default 3000
	Seed        uint64  // of the start vector
}

func (s LanczosSettings) withDefaults() LanczosSettings {
	if s.Tolerance == 0 {
		s.Tolerance = 1e-8
	}
	if s.MaxProducts == 0 {
		s.MaxProducts = 3000
	}
	return s
}

// A Ritz is an approximate eigenpair with its error bound.
type Ritz struct {
	Value    float64   // Rayleigh quotient of Vector
	Residual float64   // ‖A·Vector − Value·Vector‖₂, from an extra product with Vector itself
	Vector   []float64 // unit length, orthogonal to the all-ones vector
}

// LanczosResult holds both ends of the spectrum on the complement of the all-ones vector.
//
// What is proved, for symmetric A that keeps that complement (row sums all equal)
// and up to rounding: the largest eigenvalue there is at least High.Value, the smallest is at
// most Low.Value (Rayleigh), and each interval Value ± Residual holds an eigenvalue. Hence r_asym ≥
// max(High.Value, −Low.Value). That no eigenvalue lies further out is very likely from a random
// start but is not proved: an upper bound on r_asym does not follow.
type LanczosResult struct {
	Low, High Ritz
	Products  int  // how often the operator was applied
	Converged bool // both residuals are within tolerance
}

// Lanczos is a workspace for the extreme eigenvalues of large symmetric
// operators: the thick-restart method of Wu and Simon (2000, "Thick-restart Lanczos method for
// large symmetric eigenvalue problems") with full orthogonalisation inside a
// basis of bounded size, so memory is 52·n numbers.
type Lanczos struct {
	n, size   int
	basis     blas64.General // (size+1) × n, one vector per row
	coupling  *mat.SymDense  // the operator in the basis
	small     *Eigen
	weights   []float64 // coefficients of one vector in the basis
	image     []float64 // operator times a vector
	chunk     blas64.General
	low, high []float64
	source    *rand.PCG
	random    *rand.Rand // draws from source
}

const (
	lanczosBasis = 48    // vectors kept; more save products, fewer save memory and orthogonalisation
	lanczosKept  = 8     // Ritz vectors that survive a restart at each end
	chunkWidth   = 192   // columns rotated at once; wider blocks make gonum start goroutines
	invariant    = 1e-13 // a new direction shorter than this, relative to the operator, is rounding noise
)

// NewLanczos returns a workspace for operators on n ≥ 2 nodes.
func NewLanczos(n int) *Lanczos {
	if n < 2 {
		panic("spectral: NewLanczos needs at least 2 nodes")
	}
	size := min(lanczosBasis, n-1)
	source := new(rand.PCG)
	return &Lanczos{
		n: n, size: size,
		basis:    blas64.General{Rows: size + 1, Cols: n, Stride: n, Data: make([]float64, (size+1)*n)},
		coupling: NewSym(size),
		small:    NewEigen(size),
		weights:  make([]float64, size+1),
		image:    make([]float64, n),
		chunk:    blas64.General{Rows: size, Cols: chunkWidth, Stride: chunkWidth, Data: make([]float64, size*chunkWidth)},
		low:      make([]float64, n),
		high:     make([]float64, n),
		source:   source,
		random:   rand.New(source),
	}
}

// Extremes finds the smallest and the largest eigenvalue of apply on the complement
// of the all-ones vector. apply must write the product of a symmetric matrix with
// equal row sums and x to dst and leave x alone. The vectors in the result are
// owned by l and valid until the next call. Values are NaN when the operator is.
func (l *Lanczos) Extremes(apply func(dst, x []float64), settings LanczosSettings) LanczosResult {
	settings = settings.withDefaults()
	var result LanczosResult
	l.start(settings.Seed)
	for kept := 0; ; {
		built, next := l.extend(apply, kept)
		result.Products += built - kept
		values, vectors, ok := l.decompose(built)
		if !ok {
			nan := Ritz{Value: math.NaN(), Residual: math.NaN()}
			result.Low, result.High = nan, nan
			return result
		}
		last := vectors.Data[(built-1)*vectors.Stride:]
		estimate := next * max(math.Abs(last[0]), math.Abs(last[built-1]))
		if estimate <= settings.Tolerance/2 || built < l.size || result.Products+l.size > settings.MaxProducts {
			result.Low = l.ritz(apply, l.low, vectors, built, 0)
			result.High = l.ritz(apply, l.high, vectors, built, built-1)
			result.Products += 2
			result.Converged = max(result.Low.Residual, result.High.Residual) <= settings.Tolerance
			return result
		}
		kept = l.restart(values, vectors, next)
	}
}

func (l *Lanczos) vector(j int) []float64 { return l.basis.Data[j*l.n : (j+1)*l.n] }

// start draws the first basis vector.
func (l *Lanczos) start(seed uint64) {
	l.source.Seed(seed, 0x4c616e637a6f73)
	first := l.vector(0)
	for i := range first {
		first[i] = l.random.NormFloat64()
	}
	deflate(first)
	floats.Scale(1/floats.Norm(first, 2), first)
	zero(l.coupling)
}

// extend adds basis vectors after the first kept+1 until the basis is full or
// spans an invariant subspace. It returns how many vectors the coupling matrix
// covers and the length of the next direction.
func (l *Lanczos) extend(apply func(dst, x []float64), kept int) (built int, next float64) {
	scale := 0.0
	for j := kept; ; j++ {
		q, r := l.vector(j), l.vector(j+1)
		apply(r, q)
		deflate(r)
		scale = max(scale, floats.Norm(r, 2))
		// Twice: what rounding leaves behind after the large components are off. Only the neighbours
		// in the basis are large, except right after a restart, when all of them are.
		var diagonal float64
		if j > kept {
			floats.AddScaled(r, -next, l.vector(j-1))
			diagonal = floats.Dot(r, q)
			floats.AddScaled(r, -diagonal, q)
		} else {
			diagonal = l.orthogonalise(r, j)
		}
		diagonal += l.orthogonalise(r, j)
		l.coupling.SetSym(j, j, diagonal)
		deflate(r)
		next = floats.Norm(r, 2)
		if j+1 == l.size || !(next > invariant*scale) {
			if next > 0 {
				floats.Scale(1/next, r)
			}
			return j + 1, next
		}
		floats.Scale(1/next, r)
		l.coupling.SetSym(j, j+1, next)
	}
}

// orthogonalise removes the components of r along basis vectors 0 … j and
// returns the one along j.
func (l *Lanczos) orthogonalise(r []float64, j int) float64 {
	q := l.basis
	q.Rows = j + 1
	x := blas64.Vector{N: l.n, Inc: 1, Data: r}
	c := blas64.Vector{N: j + 1, Inc: 1, Data: l.weights[:j+1]}
	blas64.Gemv(blas.NoTrans, 1, q, x, 0, c)
	blas64.Gemv(blas.Trans, -1, q, c, 1, x)
	return l.weights[j]
}

// decompose solves the eigenproblem of the leading part of the coupling matrix.
func (l *Lanczos) decompose(built int) (values []float64, vectors blas64.General, ok bool) {
	if built == l.size {
		return l.small.Decompose(l.coupling)
	}
	part := NewSym(built) // the basis closed early: rare, and the last eigenproblem of the call
	for i := range built {
		for j := i; j < built; j++ {
			part.SetSym(i, j, l.coupling.At(i, j))
		}
	}
	return NewEigen(built).Decompose(part)
}

// restart turns the basis into the Ritz vectors of both ends followed by the
// next direction, and the coupling matrix into an arrow. It returns how many were kept.
func (l *Lanczos) restart(values []float64, vectors blas64.General, next float64) (kept int) {
	each := min(lanczosKept, (l.size-1)/2)
	kept = 2 * each
	l.rotate(vectors, each)
	copy(l.vector(kept), l.vector(l.size))
	zero(l.coupling)
	last := vectors.Data[(l.size-1)*vectors.Stride:]
	for i := range each {
		j := l.size - each + i
		l.coupling.SetSym(i, i, values[i])
		l.coupling.SetSym(i, kept, next*last[i])
		l.coupling.SetSym(each+i, each+i, values[j])
		l.coupling.SetSym(each+i, kept, next*last[j])
	}
	return kept
}

// rotate replaces basis vectors 0 … 2·each−1 by the Ritz vectors of both ends, a few columns at a time.
func (l *Lanczos) rotate(vectors blas64.General, each int) {
	for lo := 0; lo < l.n; lo += chunkWidth {
		width := min(chunkWidth, l.n-lo)
		old := l.chunk
		old.Cols = width
		for j := range l.size {
			copy(old.Data[j*old.Stride:j*old.Stride+width], l.vector(j)[lo:])
		}
		ends := vectors
		ends.Cols = each
		out := blas64.General{Rows: each, Cols: width, Stride: l.n, Data: l.basis.Data[lo:]}
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, ends, old, 0, out)
		ends.Data = vectors.Data[l.size-each:]
		out.Data = l.basis.Data[each*l.n+lo:]
		blas64.Gemm(blas.Trans, blas.NoTrans, 1, ends, old, 0, out)
	}
}

// ritz forms Ritz vector k in dst and measures it with one more product.
func (l *Lanczos) ritz(apply func(dst, x []float64), dst []float64, vectors blas64.General, built, k int) Ritz {
	clear(dst)
	for j := range built {
		floats.AddScaled(dst, vectors.Data[j*vectors.Stride+k], l.vector(j))
	}
	deflate(dst)
	floats.Scale(1/floats.Norm(dst, 2), dst)
	apply(l.image, dst)
	deflate(l.image)
	value := floats.Dot(dst, l.image)
	floats.AddScaled(l.image, -value, dst)
	return Ritz{Value: value, Residual: floats.Norm(l.image, 2), Vector: dst}
}

// deflate removes the component along the all-ones vector.
func deflate(x []float64) {
	floats.AddConst(-floats.Sum(x)/float64(len(x)), x)
}

func zero(a *mat.SymDense) {
	clear(a.RawSymmetric().Data)
}
