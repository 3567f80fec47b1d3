package spectral

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"
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

// Eigen is a workspace for symmetric eigenproblems of one size.
type Eigen struct {
	n       int
	values  []float64
	vectors blas64.General
	scaled  blas64.General // vectors scaled for the projection
	work    []float64
}

// NewEigen returns a workspace for n × n matrices.
func NewEigen(n int) *Eigen {
	stride := paddedStride(n)
	e := &Eigen{
		n:       n,
		values:  make([]float64, n),
		vectors: blas64.General{Rows: n, Cols: n, Stride: stride, Data: make([]float64, n*stride)},
		scaled:  blas64.General{Rows: n, Cols: n, Stride: stride, Data: make([]float64, n*stride)},
	}
	query := []float64{0}
	lapack64.Syev(lapack.EVCompute, e.symmetric(), e.values, query, -1)
	e.work = make([]float64, int(query[0]))
	return e
}

func (e *Eigen) symmetric() blas64.Symmetric {
	return blas64.Symmetric{Uplo: blas.Upper, N: e.n, Stride: e.vectors.Stride, Data: e.vectors.Data}
}

// load copies the upper triangle of a into the array that LAPACK overwrites.
func (e *Eigen) load(a *mat.SymDense) {
	raw := a.RawSymmetric()
	if raw.N != e.n {
		panic("spectral: matrix and workspace differ in size")
	}
	for i := range e.n {
		copy(e.vectors.Data[i*e.vectors.Stride+i:i*e.vectors.Stride+e.n], raw.Data[i*raw.Stride+i:i*raw.Stride+e.n])
	}
}

// Values returns the eigenvalues of a in ascending order; ok is false when LAPACK
// did not converge (in practice: a holds NaN). The slice is owned by e and valid
// until the next call.
func (e *Eigen) Values(a *mat.SymDense) (values []float64, ok bool) {
	e.load(a)
	ok = lapack64.Syev(lapack.EVNone, e.symmetric(), e.values, e.work, len(e.work))
	return e.values, ok && !math.IsNaN(e.values[0])
}

// Decompose returns the eigenvalues of a in ascending order and the matching
// eigenvectors as columns. Both are owned by e and valid until the next call.
func (e *Eigen) Decompose(a *mat.SymDense) (values []float64, vectors blas64.General, ok bool) {
	e.load(a)
	ok = lapack64.Syev(lapack.EVCompute, e.symmetric(), e.values, e.work, len(e.work))
	return e.values, e.vectors, ok && !math.IsNaN(e.values[0])
}

// ProjectPSD writes the nearest positive semidefinite matrix to a (in Frobenius
// norm) into dst, which may be a itself. It costs one eigendecomposition and a
// product over the smaller side of the spectrum.
func (e *Eigen) ProjectPSD(dst, a *mat.SymDense) bool {
	values, vectors, ok := e.Decompose(a)
	if !ok {
		return false
	}
	negative := 0
	for negative < e.n && values[negative] < 0 {
		negative++
	}
	out := dst.RawSymmetric()
	if negative <= e.n-negative {
		// dst = a + Σ_{λ<0} |λ| v vᵀ
		if dst != a {
			copySym(out, a.RawSymmetric())
		}
		e.addOuter(out, vectors, 0, negative, 1)
		return true
	}
	for i := range e.n {
		clear(out.Data[i*out.Stride+i : i*out.Stride+e.n])
	}
	e.addOuter(out, vectors, negative, e.n, 1)
	return true
}

// addOuter adds sign·Σ |λ_k| v_k v_kᵀ over columns lo ≤ k < hi to out.
func (e *Eigen) addOuter(out blas64.Symmetric, vectors blas64.General, lo, hi int, sign float64) {
	if lo == hi {
		return
	}
	s := e.scaled
	s.Cols = hi - lo
	for i := range e.n {
		row, from := s.Data[i*s.Stride:i*s.Stride+s.Cols], vectors.Data[i*vectors.Stride+lo:i*vectors.Stride+hi]
		for k, v := range from {
			row[k] = v * math.Sqrt(math.Abs(e.values[lo+k]))
		}
	}
	blas64.Syrk(blas.NoTrans, sign, s, 1, out)
}

func copySym(dst, src blas64.Symmetric) {
	for i := range src.N {
		copy(dst.Data[i*dst.Stride+i:i*dst.Stride+src.N], src.Data[i*src.Stride+i:i*src.Stride+src.N])
	}
}
