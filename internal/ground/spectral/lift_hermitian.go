package spectral

import (
	"math"
	"slices"
)

// A hermitian holds the lower triangle of one small Hermitian matrix, row by
// row, real and imaginary parts apart, and finds its eigenvalues in place.
type hermitian struct {
	n        int
	re, im   []float64 // n × n
	vre, vim []float64 // Householder vector
	pre, pim []float64 // matrix times Householder vector
	reduced  tridiagonal
}

func newHermitian(n int) *hermitian {
	buf := make([]float64, 2*n*n+4*n)
	take := func(size int) []float64 {
		part := buf[:size:size]
		buf = buf[size:]
		return part
	}
	return &hermitian{n: n, re: take(n * n), im: take(n * n),
		vre: take(n), vim: take(n), pre: take(n), pim: take(n), reduced: newTridiagonal(n)}
}

// eigenvalues writes the eigenvalues to dst in ascending order, NaN when an
// entry is NaN or huge, and destroys the matrix.
func (h *hermitian) eigenvalues(dst []float64) {
	switch h.n {
	case 1:
		dst[0] = h.re[0]
	case 2:
		// Mean ± distance; Hypot avoids the cancellation of trace² − 4 det.
		mean, half := (h.re[0]+h.re[3])/2, (h.re[3]-h.re[0])/2
		radius := math.Hypot(half, math.Hypot(h.re[2], h.im[2]))
		dst[0], dst[1] = mean-radius, mean+radius
	default:
		if !h.moderate() {
			for i := range dst {
				dst[i] = math.NaN()
			}
			return
		}
		h.tridiagonalise()
		if !h.reduced.solve(nil, 0) {
			panic("spectral: QL iteration did not converge on a tridiagonal matrix of moderate size")
		}
		copy(dst, h.reduced.diagonal)
		slices.Sort(dst)
	}
}

// moderate reports whether all entries are numbers whose squares are finite.
func (h *hermitian) moderate() bool {
	const huge = 1e100
	for i := range h.n {
		for k := i * h.n; k <= i*h.n+i; k++ {
			if !(math.Abs(h.re[k]) < huge && math.Abs(h.im[k]) < huge) {
				return false
			}
		}
	}
	return true
}

// nothing is a sum of squares that is dropped, of entries below 1e-100. In a star the leaves are alike, and what is
// left of them after a few columns is the rounding of rounding: it falls until its squares are no numbers to divide by.
const nothing = 1e-200

// tridiagonalise reduces the matrix to a real symmetric tridiagonal one with
// the same eigenvalues.
//
// Column i is mapped by H = I − 2vv*/v*v, v = x + e^{iθ}‖x‖e₁ with θ the
// phase of x₁, to −e^{iθ}‖x‖e₁. The phases that stay in the off-diagonal are removed
// by a diagonal unitary similarity, which only takes moduli: no vectors, no phases to keep.
func (h *hermitian) tridiagonalise() {
	n, re, im := h.n, h.re, h.im
	diag, off := h.reduced.diagonal, h.reduced.off
	for i := range n - 1 {
		diag[i] = re[i*n+i]
		first := (i+1)*n + i
		tail := 0.0
		for r := i + 2; r < n; r++ {
			tail += re[r*n+i]*re[r*n+i] + im[r*n+i]*im[r*n+i]
		}
		lead := re[first]*re[first] + im[first]*im[first]
		norm := math.Sqrt(lead + tail)
		off[i] = norm
		if tail < nothing {
			continue
		}
		for r := i + 1; r < n; r++ {
			h.vre[r], h.vim[r] = re[r*n+i], im[r*n+i]
		}
		if lead > 0 {
			size := math.Sqrt(lead)
			h.vre[i+1] += h.vre[i+1] / size * norm
			h.vim[i+1] += h.vim[i+1] / size * norm
		} else {
			h.vre[i+1] = norm
		}
		h.reflect(i+1, h.vre[i+1]*h.vre[i+1]+h.vim[i+1]*h.vim[i+1]+tail)
	}
	diag[n-1] = re[n*n-1]
}

// reflect replaces the trailing block A, from row lo on, by HAH, where
// H = I − 2vv*/square and square = v*v: with p = 2Av/square and
// q = p − (v*p/square) v that is A − vq* − qv*.
func (h *hermitian) reflect(lo int, square float64) {
	n, re, im := h.n, h.re, h.im
	vre, vim, pre, pim := h.vre, h.vim, h.pre, h.pim
	clear(pre[lo:])
	clear(pim[lo:])
	for r := lo; r < n; r++ {
		arow, brow := re[r*n:r*n+r+1], im[r*n:r*n+r+1]
		sumRe, sumIm := arow[r]*vre[r], arow[r]*vim[r]
		xr, xi := vre[r], vim[r]
		for c := lo; c < r; c++ {
			a, b := arow[c], brow[c]
			sumRe += a*vre[c] - b*vim[c] // A[r][c] v[c]
			sumIm += a*vim[c] + b*vre[c]
			pre[c] += a*xr + b*xi // conj(A[r][c]) v[r]
			pim[c] += a*xi - b*xr
		}
		pre[r] += sumRe
		pim[r] += sumIm
	}
	scale, overlap := 2/square, 0.0
	for r := lo; r < n; r++ {
		pre[r] *= scale
		pim[r] *= scale
		overlap += vre[r]*pre[r] + vim[r]*pim[r] // v*p is real
	}
	overlap /= square
	for r := lo; r < n; r++ {
		pre[r] -= overlap * vre[r]
		pim[r] -= overlap * vim[r]
	}
	for r := lo; r < n; r++ {
		arow, brow := re[r*n:r*n+r+1], im[r*n:r*n+r+1]
		xr, xi, yr, yi := vre[r], vim[r], pre[r], pim[r]
		for c := lo; c <= r; c++ {
			arow[c] -= xr*pre[c] + xi*pim[c] + yr*vre[c] + yi*vim[c]
			brow[c] -= xi*pre[c] - xr*pim[c] + yi*vre[c] - yr*vim[c]
		}
	}
}
