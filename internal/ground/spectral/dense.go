package spectral

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	native "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"
)

// paddedStride avoids strides that are multiples of a large power of two: rows
// then fall on the same cache sets and the eigensolver takes up to twice as long.
func paddedStride(n int) int {
	if n >= 64 && n%32 == 0 {
		return n + 8
	}
	return n
}

// NewSym returns a zero symmetric matrix whose rows are laid out for speed.
func NewSym(n int) *mat.SymDense {
	stride := paddedStride(n)
	s := new(mat.SymDense)
	s.SetRawSymmetric(blas64.Symmetric{Uplo: blas.Upper, N: n, Stride: stride, Data: make([]float64, n*stride)})
	return s
}

// Eigen is a workspace for symmetric eigenproblems of one size, 2n² numbers.
//
// The reduction to tridiagonal form is gonum's, the iteration our own: gonum's Dsteqr is slow in
// row-major order, its Dsterf panics on some matrices of very large or very small
// numbers, and its Dsyev allocates from about n = 192 on.
type Eigen struct {
	n         int
	values    []float64
	vectors   blas64.General // columns are eigenvectors
	rows      blas64.General // rows are eigenvectors, in the order they were found; scratch for the projection
	reduced   tridiagonal
	tau       []float64 // of the Householder reflections
	order     []int
	work      []float64
	installed *installed // an installed LAPACK instead of all this, or nil
}

// NewEigen returns a workspace for n × n matrices.
func NewEigen(n int) *Eigen {
	e := NewOwnEigen(n)
	e.installed = newInstalled(n, e.vectors.Stride)
	return e
}

// NewOwnEigen is NewEigen without an installed LAPACK: slower, but the last bits of results
// do not depend on what is installed.
func NewOwnEigen(n int) *Eigen {
	stride := paddedStride(n)
	e := &Eigen{
		n:       n,
		values:  make([]float64, n),
		vectors: blas64.General{Rows: n, Cols: n, Stride: stride, Data: make([]float64, n*stride)},
		rows:    blas64.General{Rows: n, Cols: n, Stride: stride, Data: make([]float64, n*stride)},
		reduced: newTridiagonal(n),
		tau:     make([]float64, n),
		order:   make([]int, n),
	}
	var lapack native.Implementation
	query := []float64{0}
	lapack.Dsytrd(blas.Upper, n, e.vectors.Data, stride, e.values, e.values, e.tau, query, -1)
	e.work = make([]float64, max(int(query[0]), n))
	return e
}

// Values returns the eigenvalues of a in ascending order; ok is false when a holds NaN
// or infinities. The slice is owned by e and valid until the next call.
func (e *Eigen) Values(a *mat.SymDense) (values []float64, ok bool) {
	scale, ok := e.load(a)
	if !ok {
		return e.values, false
	}
	if e.installed != nil {
		return e.values, e.installed.decompose(e, scale, false)
	}
	e.reduce()
	if !e.reduced.solve(nil, 0) {
		return e.values, false
	}
	for k, v := range e.reduced.diagonal {
		e.values[k] = v * scale
	}
	slices.Sort(e.values)
	return e.values, true
}

// Decompose returns the eigenvalues of a in ascending order and the matching
// eigenvectors as columns; ok is false when a holds NaN or infinities. Both are
// owned by e and valid until the next call.
func (e *Eigen) Decompose(a *mat.SymDense) (values []float64, vectors blas64.General, ok bool) {
	scale, ok := e.load(a)
	if !ok {
		return e.values, e.vectors, false
	}
	if e.installed != nil {
		return e.values, e.vectors, e.installed.decompose(e, scale, true)
	}
	e.reduce()
	// The least workspace selects the unblocked method: the blocked one gains little
	// at these sizes and starts goroutines, which allocate.
	var lapack native.Implementation
	lapack.Dorgtr(blas.Upper, e.n, e.vectors.Data, e.vectors.Stride, e.tau, e.work, max(1, e.n-1))
	transpose(e.rows, e.vectors)
	if !e.reduced.solve(e.rows.Data, e.rows.Stride) {
		return e.values, e.vectors, false
	}
	e.sort(scale)
	return e.values, e.vectors, true
}

// load copies the upper triangle of a to vectors, scaled by a power of two so that its largest entry is
// about 1, and returns the scale.
func (e *Eigen) load(a *mat.SymDense) (scale float64, ok bool) {
	raw := a.RawSymmetric()
	if raw.N != e.n {
		panic("spectral: matrix and workspace differ in size")
	}
	largest := 0.0
	for i := range e.n {
		for _, v := range raw.Data[i*raw.Stride+i : i*raw.Stride+e.n] {
			largest = max(largest, math.Abs(v)) // NaN stays
		}
	}
	if math.IsNaN(largest) || math.IsInf(largest, 0) {
		return 0, false
	}
	_, exponent := math.Frexp(largest)
	exponent = min(max(exponent, -1000), 1000) // the scale and its inverse must be finite
	inverse := math.Ldexp(1, -exponent)
	v := e.vectors
	for i := range e.n {
		row := v.Data[i*v.Stride+i : i*v.Stride+e.n]
		for k, x := range raw.Data[i*raw.Stride+i : i*raw.Stride+e.n] {
			row[k] = x * inverse
		}
	}
	return math.Ldexp(1, exponent), true
}

// reduce brings what was loaded to tridiagonal form; the reflections that did it stay in vectors and tau.
func (e *Eigen) reduce() {
	v := e.vectors
	var lapack native.Implementation
	lapack.Dsytrd(blas.Upper, e.n, v.Data, v.Stride, e.reduced.diagonal, e.reduced.off, e.tau, e.work, len(e.work))
}

// sort fills values and vectors from the eigenpairs that were found, ascending.
func (e *Eigen) sort(scale float64) {
	found := e.reduced.diagonal
	for k := range e.order {
		e.order[k] = k
	}
	slices.SortFunc(e.order, func(a, b int) int { return cmp.Compare(found[a], found[b]) })
	for k, at := range e.order {
		e.values[k] = found[at] * scale
	}
	for i := range e.n {
		row := e.vectors.Data[i*e.vectors.Stride : i*e.vectors.Stride+e.n]
		for k, at := range e.order {
			row[k] = e.rows.Data[at*e.rows.Stride+i]
		}
	}
}

// transpose writes srcᵀ into dst, square matrices of one size.
func transpose(dst, src blas64.General) {
	const tile = 16 // rows and columns that fit into the first-level cache together
	for i0 := 0; i0 < src.Rows; i0 += tile {
		for j0 := 0; j0 < src.Cols; j0 += tile {
			for i := i0; i < min(i0+tile, src.Rows); i++ {
				for j := j0; j < min(j0+tile, src.Cols); j++ {
					dst.Data[j*dst.Stride+i] = src.Data[i*src.Stride+j]
				}
			}
		}
	}
}
