package spectral

import "math"

const (
	maxSweeps = 30      // QL sweeps tried per eigenvalue, as in LAPACK; two are usual
	roundoff  = 0x1p-53 // a coupling this small relative to its neighbours on the diagonal is rounding
	vanishing = 0x1p-56 // so is one this small where the largest entry of the matrix is about 1
)

// A tridiagonal is a symmetric tridiagonal matrix whose eigenvalues are being computed, with
// scratch for one sweep of rotations.
type tridiagonal struct {
	diagonal, off []float64 // off[i] couples i and i+1; off[n−1] is scratch
	cos, sin      []float64 // rotation i acts on i and i+1
}

func newTridiagonal(n int) tridiagonal {
	return tridiagonal{make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)}
}

// solve overwrites the diagonal with the eigenvalues, in no order, by the implicit QL
// method (Dubrulle, Martin and Wilkinson 1968), and applies its rotations to the
// rows of a matrix, stride apart: given Qᵀ with A = Q T Qᵀ, they become the
// eigenvectors of A. Without rows only the eigenvalues are computed. Entries must be of size 1 or so.
//
// LAPACK's Dsteqr rotates columns. In row-major order that strides through memory
// and takes most of the time of an eigendecomposition; rows take half of that.
func (t tridiagonal) solve(rows []float64, stride int) bool {
	t.off[len(t.off)-1] = 0
	for first := range t.diagonal {
		for sweep := 0; ; sweep++ {
			last := t.blockEnd(first)
			if last == first {
				break
			}
			if sweep == maxSweeps {
				return false
			}
			from := t.sweep(first, last)
			if rows != nil {
				t.rotate(rows, stride, from, last)
			}
		}
	}
	return true
}

// blockEnd returns the last index of the unreduced block that begins at first: the
// coupling after it is below rounding.
func (t tridiagonal) blockEnd(first int) int {
	for i := first; i < len(t.diagonal)-1; i++ {
		coupling := math.Abs(t.off[i])
		if coupling <= roundoff*(math.Abs(t.diagonal[i])+math.Abs(t.diagonal[i+1])) || coupling <= vanishing {
			return i
		}
	}
	return len(t.diagonal) - 1
}

// sweep makes one QL step with Wilkinson's shift on the block first … last and
// leaves its rotations from … last−1 in cos and sin. from is first unless a coupling vanished on the way.
func (t tridiagonal) sweep(first, last int) (from int) {
	d, e := t.diagonal, t.off
	g := (d[first+1] - d[first]) / (2 * e[first])
	g = d[last] - d[first] + e[first]/(g+math.Copysign(math.Hypot(g, 1), g))
	s, c, p := 1.0, 1.0, 0.0
	for i := last - 1; i >= first; i-- {
		f, b := s*e[i], c*e[i]
		r := math.Sqrt(f*f + g*g)
		e[i+1] = r
		if r == 0 {
			d[i+1] -= p
			e[last] = 0
			return i + 1
		}
		s, c = f/r, g/r
		g = d[i+1] - p
		r = (d[i]-g)*s + 2*c*b
		p = s * r
		d[i+1] = g + p
		g = c*r - b
		t.cos[i], t.sin[i] = c, s
	}
	d[first] -= p
	e[first], e[last] = g, 0
	return first
}

// rotate applies rotations last−1, …, from to the rows they belong to, two at a
// time, so that the row they share is loaded and stored once.
func (t tridiagonal) rotate(rows []float64, stride, from, last int) {
	n := len(t.diagonal)
	row := func(i int) []float64 { return rows[i*stride : i*stride+n : i*stride+n] }
	i := last - 1
	for ; i > from; i -= 2 {
		c, s, c2, s2 := t.cos[i], t.sin[i], t.cos[i-1], t.sin[i-1]
		x, y, z := row(i-1), row(i), row(i+1)
		for k := range n {
			a, b, d := x[k], y[k], z[k]
			z[k] = s*b + c*d
			b = c*b - s*d
			y[k] = s2*a + c2*b
			x[k] = c2*a - s2*b
		}
	}
	if i == from {
		c, s := t.cos[i], t.sin[i]
		y, z := row(i), row(i+1)
		for k := range n {
			b, d := y[k], z[k]
			z[k] = s*b + c*d
			y[k] = c*b - s*d
		}
	}
}
