package weights

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/spectral"
	"github.com/batopo/batopo/internal/solve/weights/internal/matrix"
)

// subspaceWidth is the largest number of vectors that a model of W knows at each end of the spectrum:
// about the multiplicity that extreme eigenvalues of an optimal W have.
const subspaceWidth = 12

// A subspace spans vectors near one end of the spectrum of W, and holds the
// multiplier V of the model there: Y = PVPᵀ.
type subspace struct {
	p      blas64.General // n × width; orthonormal columns, orthogonal to the all-ones vector
	image  blas64.General // n × width: PV, WP or scratch
	v      blas64.General // width × width
	ahead  blas64.General // V extrapolated
	w      blas64.General // PᵀWP; then the next V
	step   float64        // length of gradient steps
	small  *mat.SymDense
	eigen  *spectral.Eigen
	values []float64      // eigenvalues of what was decomposed last, ascending
	basis  blas64.General // its eigenvectors, owned by eigen
}

// newSubspace returns the span of a unit vector, with V = share.
func newSubspace(vector []float64, share float64) *subspace {
	tall := func() blas64.General {
		return blas64.General{Rows: len(vector), Stride: subspaceWidth, Data: make([]float64, len(vector)*subspaceWidth)}
	}
	u := &subspace{p: tall(), image: tall()}
	u.widen()
	for i, v := range vector {
		u.p.Data[i*u.p.Stride] = v
	}
	u.v.Data[0] = share
	return u
}

func (u *subspace) width() int { return u.p.Cols }

// widen adds a column, and a zero row and column to V.
func (u *subspace) widen() {
	width := u.width() + 1
	u.p.Cols, u.image.Cols = width, width
	old := u.v
	for _, m := range []*blas64.General{&u.v, &u.ahead, &u.w} {
		*m = blas64.General{Rows: width, Cols: width, Stride: width, Data: make([]float64, width*width)}
	}
	for i := range old.Rows {
		copy(matrix.Row(u.v, i), matrix.Row(old, i))
	}
	u.small, u.eigen = spectral.NewSym(width), spectral.NewEigen(width)
}

// orthogonalise leaves of x what is orthogonal to the first c columns, at unit length; false when that is nothing.
func (u *subspace) orthogonalise(x []float64, c int) bool {
	before := floats.Norm(x, 2)
	for range 2 { // the second pass removes what rounding leaves
		for k := range c {
			dot := 0.0
			for i, v := range x {
				dot += v * u.p.Data[i*u.p.Stride+k]
			}
			for i := range x {
				x[i] -= dot * u.p.Data[i*u.p.Stride+k]
			}
		}
	}
	length := floats.Norm(x, 2)
	floats.Scale(1/length, x)
	return length > 1e-6*before
}

// renew turns the columns towards the eigenvectors of V, largest first, and adds what vector brings: as
// a new column while there is room, else in place of the last, which V uses least. It overwrites vector.
func (u *subspace) renew(vector []float64) {
	if !u.decompose(u.v) {
		return
	}
	width := u.width()
	clear(u.v.Data)
	for i := range u.p.Rows {
		from, to := matrix.Row(u.p, i), matrix.Row(u.image, i)
		for c := range to {
			sum := 0.0
			for k, v := range from {
				sum += v * u.basis.Data[k*u.basis.Stride+width-1-c]
			}
			to[c] = sum
		}
	}
	u.p, u.image = u.image, u.p
	for c := range width {
		u.v.Data[c*width+c] = max(0, u.values[width-1-c])
	}
	last := min(width, subspaceWidth-1)
	if !u.orthogonalise(vector, last) {
		return
	}
	if width < subspaceWidth {
		u.widen()
	}
	u.v.Data[len(u.v.Data)-1] = 0
	for i, v := range vector {
		u.p.Data[i*u.p.Stride+last] = v
	}
}

// decompose finds the eigenvalues and eigenvectors of a symmetric matrix.
func (u *subspace) decompose(a blas64.General) (ok bool) {
	for i := range a.Rows {
		for j := i; j < a.Cols; j++ {
			u.small.SetSym(i, j, a.Data[i*a.Stride+j])
		}
	}
	u.values, u.basis, ok = u.eigen.Decompose(u.small)
	return ok
}

// compose writes Σ value·vector·vectorᵀ of the last decomposition to w.
func (u *subspace) compose() {
	clear(u.w.Data)
	for k, value := range u.values {
		if value == 0 {
			continue
		}
		for i := range u.w.Rows {
			f := value * u.basis.Data[i*u.basis.Stride+k]
			out := matrix.Row(u.w, i)
			for j := range out {
				out[j] += f * u.basis.Data[j*u.basis.Stride+k]
			}
		}
	}
}

// spreadOut writes P·ahead to image.
func (u *subspace) spreadOut() {
	// In pieces of one tile, which gonum multiplies without goroutines.
	for i := 0; i < u.p.Rows; i += matrix.Tile {
		rows := min(matrix.Tile, u.p.Rows-i)
		blas64.Gemm(blas.NoTrans, blas.NoTrans, 1, matrix.Part(u.p, i, 0, rows, u.width()), u.ahead, 0,
			matrix.Part(u.image, i, 0, rows, u.width()))
	}
}

// columns returns the factor of Y = PVPᵀ.
func (u *subspace) columns() []design.Column {
	if !u.decompose(u.v) {
		return nil
	}
	var all []design.Column
	for k, value := range u.values {
		if !(value > 1e-12) {
			continue
		}
		f := design.Column{Re: make([]float64, u.p.Rows)}
		for i := range f.Re {
			sum := 0.0
			for c, v := range matrix.Row(u.p, i) {
				sum += v * u.basis.Data[c*u.basis.Stride+k]
			}
			f.Re[i] = math.Round(math.Sqrt(value)*sum*places) / places
		}
		all = append(all, f)
	}
	return all
}
