package verify

import (
	"math"
	"math/cmplx"
	"slices"

	"github.com/batopo/batopo/mixing"
)

// circulant returns the eigenvalues of W except the all-ones vector's if every row is the one before, moved by
// one, and nil otherwise: ascending where W is symmetric, else their moduli. Circulants are normal, so either says
// all that is asked here.
func (k *check) circulant(w *mixing.Matrix) []float64 {
	n := w.Nodes()
	shifts, weights := w.Row(0)
	if float64(n)*float64(len(shifts)) > mostWork {
		return nil
	}
	for i := 1; i < n; i++ {
		from, _ := w.Row(i)
		if len(from) != len(shifts) {
			return nil
		}
		for t, s := range shifts {
			if v, ok := w.At(i, (i+s)%n); !ok || v != weights[t] {
				return nil
			}
		}
	}
	roots := make([]complex128, n)
	for t := range roots {
		sin, cos := math.Sincos(2 * math.Pi * float64(t) / float64(n))
		roots[t] = complex(cos, sin)
	}
	values := make([]float64, n-1)
	for j := 1; j < n; j++ {
		sum := complex(w.Self()[0], 0)
		for t, s := range shifts {
			sum += complex(weights[t], 0) * roots[j*s%n]
		}
		values[j-1] = real(sum)
		if w.Directed() {
			values[j-1] = cmplx.Abs(sum)
		}
	}
	slices.Sort(values)
	return values
}
