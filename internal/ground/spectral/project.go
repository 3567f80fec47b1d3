package spectral

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// ProjectPSD writes the nearest positive semidefinite matrix to a (in Frobenius
// norm) into dst, which may be a itself. It costs one eigendecomposition and a
// product over the smaller side of the spectrum. It returns false, and leaves dst alone, where
// Decompose fails.
func (e *Eigen) ProjectPSD(dst, a *mat.SymDense) bool {
	values, _, ok := e.Decompose(a)
	if !ok {
		return false
	}
	negative := 0
	for negative < e.n && values[negative] < 0 {
		negative++
	}
	out := dst.RawSymmetric()
	if negative <= e.n-negative {
		if dst != a {
			copySym(out, a.RawSymmetric())
		}
		e.addOuter(out, 0, negative) // a − Σ_{λ<0} λ v vᵀ
		return true
	}
	for i := range e.n {
		clear(out.Data[i*out.Stride+i : i*out.Stride+e.n])
	}
	e.addOuter(out, negative, e.n) // Σ_{λ≥0} λ v vᵀ
	return true
}

// addOuter adds Σ |λ_k| v_k v_kᵀ over lo ≤ k < hi to out.
func (e *Eigen) addOuter(out blas64.Symmetric, lo, hi int) {
	if lo == hi {
		return
	}
	scaled := e.rows
	scaled.Cols = hi - lo
	for i := range e.n {
		row, from := scaled.Data[i*scaled.Stride:i*scaled.Stride+scaled.Cols],
			e.vectors.Data[i*e.vectors.Stride+lo:i*e.vectors.Stride+hi]
		for k, v := range from {
			row[k] = v * math.Sqrt(math.Abs(e.values[lo+k]))
		}
	}
	if e.installed != nil {
		e.installed.addOuter(out, scaled)
		return
	}
	blas64.Syrk(blas.NoTrans, 1, scaled, 1, out)
}

func copySym(dst, src blas64.Symmetric) {
	for i := range src.N {
		copy(dst.Data[i*dst.Stride+i:i*dst.Stride+src.N], src.Data[i*src.Stride+i:i*src.Stride+src.N])
	}
}
