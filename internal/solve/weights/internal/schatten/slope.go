package schatten

import (
	"math"

	"github.com/batopo/batopo/internal/solve/weights/internal/matrix"
)

// Descent writes −∂N/∂g = ⟨L(arc), Y⟩ of every arc.
func (s *Norm) Descent(dst []float64) {
	clear(dst)
	for i := range s.blocks {
		b := &s.blocks[i]
		for c, v := range b.values {
			s.factor[c] = s.power(v, s.order-1) / s.holder()
		}
		s.quadratic(dst, b)
	}
}

// Resist adds strength·⟨L(arc), (W − floor·I)⁻¹⟩ of every arc.
func (s *Norm) Resist(dst []float64, floor, strength float64) {
	for i := range s.blocks {
		b := &s.blocks[i]
		for c, v := range b.values {
			s.factor[c] = strength / (v - floor)
		}
		s.quadratic(dst, b)
	}
}

// quadratic adds ⟨L(arc), Σ factor·vvᵀ⟩ over the eigenvectors of a block to every arc.
func (s *Norm) quadratic(dst []float64, b *block) {
	first := b.first()
	factor := s.factor[first:len(b.values)]
	for k := range b.vectors {
		u := &b.vectors[k]
		x, y := matrix.Row(b.basis, u.index[0])[first:], matrix.Row(b.basis, u.index[1])[first:]
		z := matrix.Row(b.basis, u.index[2])[first:]
		sum := 0.0
		for c, f := range factor {
			dot := u.value[0]*x[c] + u.value[1]*y[c] + u.value[2]*z[c]
			sum += f * dot * dot
		}
		dst[k] += b.twins() * sum
	}
}

// first is the position of the first eigenvalue of others.
func (b *block) first() int {
	if b.trivial {
		return 1
	}
	return 0
}

// LogDistance returns log det(W − floor·I) on the complement of the all-ones vector.
func (s *Norm) LogDistance(floor float64) float64 {
	sum := 0.0
	for i := range s.blocks {
		for _, v := range s.blocks[i].others() {
			sum += math.Log(v - floor)
		}
	}
	return sum
}

// InverseTrace returns tr (W − floor·I)⁻¹ there.
func (s *Norm) InverseTrace(floor float64) float64 {
	sum := 0.0
	for i := range s.blocks {
		for _, v := range s.blocks[i].others() {
			sum += 1 / (v - floor)
		}
	}
	return sum
}
