package mixing

import "math"

// isCirculant reports whether every row is row 0, moved along. Weights must
// agree exactly; self weights, which are what sums leave over, up to rounding.
func (m *Matrix) isCirculant() bool {
	first, weights := m.Row(0)
	for i := 1; i < m.n; i++ {
		from, weight := m.Row(i)
		if len(from) != len(first) || !(math.Abs(m.self[i]-m.self[0]) <= selfRounding(len(first))) {
			return false
		}
		// Senders ascend in both rows, so row i begins with the part of row 0 that wrapped around.
		turn := 0
		for turn < len(first) && first[turn]+i < m.n {
			turn++
		}
		for k := range from {
			j := (turn + k) % len(first)
			if from[k] != (first[j]+i)%m.n || weight[k] != weights[j] {
				return false
			}
		}
	}
	return true
}

// circulantSpectrum evaluates the eigenvalues λ_j = Σ_s W[0][s] ω^{js}, ω = exp(2πi/n), of a circulant matrix.
// Products js are reduced modulo n exactly, so each term has full accuracy for any n.
func (m *Matrix) circulantSpectrum() Spectrum {
	n := m.n
	cos, sin := make([]float64, n), make([]float64, n)
	for k := range n {
		sin[k], cos[k] = math.Sincos(2 * math.Pi * float64(k) / float64(n))
	}
	shifts, weights := m.Row(0)
	others := make([]float64, 0, n)
	for j := 1; j < n; j++ {
		re, im := m.self[0], 0.0
		for k, s := range shifts {
			at := j * s % n
			re += weights[k] * cos[at]
			im += weights[k] * sin[at]
		}
		if m.directed {
			re = math.Hypot(re, im)
		}
		others = append(others, re)
	}
	if m.directed {
		return Spectrum{Nodes: n}.withModuli(others)
	}
	return newSymmetric(n, others)
}
