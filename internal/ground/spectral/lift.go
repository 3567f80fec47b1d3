package spectral

import (
	"math"
	"slices"

	"github.com/batopo/batopo/topology"
)

// LiftSpectrum is a workspace for the spectra of weighted lifts of one shape.
//
// One weight per arc makes W = I − Σ wₖ L(arcₖ), L(arc) the Laplacian of the
// edges that the arc stands for. W commutes with the shift of Z_m (m is the size of an
// orbit), so on vectors (a, x) ↦ c_a ω^{jx}, ω = e^{2πi/m}, it acts as the Hermitian
// Orbits × Orbits block
//
//	B_j[a][b] = Σ w ω^{js}  over arcs (a, b, s), a < b
//	B_j[a][a] = 1 − d_a + Σ 2w cos(2πjs/m)  over arcs (a, a, s); (−1)^j w for a matching
//
// with d_a the sum of the weights at a node of orbit a. B_{m−j} is the conjugate of
// B_j and has the same eigenvalues, so blocks 0 … ⌊m/2⌋ are enough. A call
// costs O(m·(arcs + Orbits³)) and allocates nothing.
type LiftSpectrum struct {
	orbits, size int
	cos, sin     []float64 // of 2πt/size
	loss         []float64 // d_a
	phase        []int     // j·s mod size, per arc
	block        *hermitian
	values       []float64 // eigenvalues of one block, ascending
}

// NewLiftSpectrum returns a workspace for lifts of that many orbits of that size.
func NewLiftSpectrum(orbits, size int) *LiftSpectrum {
	if orbits < 1 || size < 1 {
		panic("spectral: NewLiftSpectrum needs at least 1 orbit of size 1")
	}
	s := &LiftSpectrum{
		orbits: orbits, size: size,
		cos: make([]float64, size), sin: make([]float64, size),
		loss:   make([]float64, orbits),
		block:  newHermitian(orbits),
		values: make([]float64, orbits),
	}
	// Filling by symmetry keeps blocks exactly Hermitian and the real blocks exactly real.
	s.cos[0] = 1
	for t := 1; 2*t <= size; t++ {
		sin, cos := math.Sincos(2 * math.Pi * float64(t) / float64(size))
		if 2*t == size {
			sin, cos = 0, -1
		}
		s.sin[t], s.cos[t] = sin, cos
		if 2*t != size {
			s.sin[size-t], s.cos[size-t] = -sin, cos
		}
	}
	return s
}

// Extremes returns the largest and the smallest eigenvalue of W apart from the
// eigenvalue 1 of the all-ones vector, so that r_asym = max(|λ₂|, |λₙ|); λ₂ is 1
// when the weighted lift is not connected. Arcs must be canonical (as from
// [topology.NewLift]), one weight each, of either sign. Both results are NaN when
// a weight is not finite, or when the lift has a single node.
func (s *LiftSpectrum) Extremes(l topology.Lift, weight []float64) (lambda2, lambdaN float64) {
	s.begin(l, weight)
	lambda2, lambdaN = math.Inf(-1), math.Inf(1)
	for j := 0; 2*j <= s.size; j++ {
		values := s.next(l, weight)
		if j == 0 {
			values = dropNearestOne(values)
		}
		if len(values) > 0 {
			lambda2 = max(lambda2, values[len(values)-1])
			lambdaN = min(lambdaN, values[0])
		}
	}
	if math.IsInf(lambda2, 0) || math.IsInf(lambdaN, 0) {
		return math.NaN(), math.NaN()
	}
	return lambda2, lambdaN
}

// All writes the Orbits·Size eigenvalues of W to dst in ascending order, each as
// often as it occurs; not a number anywhere when a weight is not finite.
func (s *LiftSpectrum) All(dst []float64, l topology.Lift, weight []float64) {
	if len(dst) != s.orbits*s.size {
		panic("spectral: All needs room for one value per node")
	}
	s.begin(l, weight)
	out := dst[:0]
	for j := 0; 2*j <= s.size; j++ {
		values := s.next(l, weight)
		out = append(out, values...)
		if j > 0 && 2*j < s.size {
			out = append(out, values...)
		}
	}
	slices.Sort(dst)
}

// begin prepares the walk over the blocks 0, 1, 2, ….
func (s *LiftSpectrum) begin(l topology.Lift, weight []float64) {
	if l.Orbits != s.orbits || l.Size != s.size || len(weight) != len(l.Arcs) {
		panic("spectral: lift, weights and workspace differ in shape")
	}
	if cap(s.phase) < len(l.Arcs) {
		s.phase = make([]int, 2*len(l.Arcs)) // only while a search still grows its lifts
	}
	s.phase = s.phase[:len(l.Arcs)]
	clear(s.phase)
	clear(s.loss)
	for k, arc := range l.Arcs {
		s.loss[arc.A] += weight[k]
		if !l.Matching(arc) {
			s.loss[arc.B] += weight[k] // twice for an arc inside an orbit: both ways round
		}
	}
}

// next returns the eigenvalues of the block at hand, ascending, and moves on.
func (s *LiftSpectrum) next(l topology.Lift, weight []float64) []float64 {
	b := s.block
	clear(b.re)
	clear(b.im)
	k := s.orbits
	for a, d := range s.loss {
		b.re[a*k+a] = 1 - d
	}
	for i, arc := range l.Arcs {
		t := s.phase[i]
		w := weight[i]
		switch {
		case arc.A != arc.B: // the lower triangle holds the conjugate
			b.re[arc.B*k+arc.A] += w * s.cos[t]
			b.im[arc.B*k+arc.A] -= w * s.sin[t]
		case l.Matching(arc):
			b.re[arc.A*k+arc.A] += w * s.cos[t]
		default:
			b.re[arc.A*k+arc.A] += 2 * w * s.cos[t]
		}
		t += arc.S
		if t >= s.size {
			t -= s.size
		}
		s.phase[i] = t
	}
	b.eigenvalues(s.values)
	return s.values
}

// dropNearestOne removes the trivial eigenvalue of block 0, in place.
func dropNearestOne(values []float64) []float64 {
	nearest := 0
	for i, v := range values {
		if math.Abs(v-1) < math.Abs(values[nearest]-1) {
			nearest = i
		}
	}
	return append(values[:nearest], values[nearest+1:]...)
}
