package matrix

import (
	"math"

	"github.com/batopo/batopo/topology"
)

// ArcVector is v = At·e_a + To·e_b, what an arc adds to the block of a character.
type ArcVector struct {
	At float64
	To complex128
}

// VectorOf returns v of an arc in the character where ω^{js} is w.
func VectorOf(l topology.Lift, arc topology.Arc, w complex128) ArcVector {
	switch {
	case arc.A != arc.B:
		return ArcVector{1, complex(-real(w), imag(w))}
	case l.Matching(arc):
		return ArcVector{At: math.Sqrt(1 - real(w))}
	default:
		return ArcVector{At: math.Sqrt(2 - 2*real(w))}
	}
}

// Phases returns e^{2πit/size} for t = 0 … size−1, conjugate pairs exactly so.
func Phases(size int) []complex128 {
	w := make([]complex128, size)
	w[0] = 1
	for t := 1; 2*t < size; t++ {
		sin, cos := math.Sincos(2 * math.Pi * float64(t) / float64(size))
		w[t], w[size-t] = complex(cos, sin), complex(cos, -sin)
	}
	if size%2 == 0 {
		w[size/2] = -1
	}
	return w
}
