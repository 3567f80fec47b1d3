package search

import (
	"math"
	"math/cmplx"

	"github.com/batopo/batopo/topology"
)

// resolvents hold, for the weighted Laplacian L of a wiring and an interval (low, high) that
// contains its spectrum apart from the trivial eigenvalue 0, the matrices
//
//	(L + middle·J − low)⁻¹  and  (high − L)⁻¹,   middle = (low + high)/2,
//
// block by block (see [spectral.LiftSpectrum] for the blocks). They answer what a move does
// without any eigenvalue: a change of an arc has rank one in each block, so with q changes
// the new matrix is positive definite if q pivots are positive, and its
// determinant is the old one times these pivots; all of it follows from a q × q matrix of differences of
// table entries. A candidate thus costs O(m) operations for m blocks, whatever their size, and most are
// refused by the first block that is looked at.
//
// The quantity that changes report is the barrier −Σ log det, which is large when eigenvalues crowd
// at the ends of the interval: a smooth stand-in for the extreme eigenvalue
// that sees all of the spectrum.
type resolvents struct {
	orbits, size int
	root         []complex128 // e^{2πit/size}
	low, high    float64
	blocks       []block
	order        []int // of blocks, those that refused last first
	looked       int   // blocks that the last call of barrier needed

	vectors [mostChanges]arcVector
	complex complexKernel
	real    realKernel
}

// A block is the part of L that belongs to one character of the group. Blocks of
// real characters are kept as real matrices.
type block struct {
	real         *realBlock
	below, above []complex128 // inverses at the low and at the high end; nil when real
	copies       float64      // how often the eigenvalues of this block occur
}

// arcVector is v = at·e_A + to·e_B: an arc adds weight·vv* to its block of L.
type arcVector struct {
	a, b int
	at   float64
	to   complex128
}

func newResolvents(orbits, size int) *resolvents {
	r := &resolvents{orbits: orbits, size: size, root: make([]complex128, size)}
	for t := range r.root {
		r.root[t] = cmplx.Rect(1, 2*math.Pi*float64(t)/float64(size))
	}
	for j := range size/2 + 1 {
		b := block{copies: 2}
		if j == 0 || 2*j == size {
			b.copies = 1
			b.real = newRealBlock(orbits)
		} else {
			b.below, b.above = make([]complex128, orbits*orbits), make([]complex128, orbits*orbits)
		}
		r.blocks = append(r.blocks, b)
		r.order = append(r.order, j)
	}
	r.real.init(orbits)
	if size > 2 {
		r.complex.init(orbits)
	}
	return r
}

// vector returns v of an arc in block j.
func (r *resolvents) vector(arc topology.Arc, j int) arcVector {
	w := r.root[j*arc.S%r.size]
	switch {
	case arc.A != arc.B:
		return arcVector{arc.A, arc.B, 1, -cmplx.Conj(w)}
	case 2*arc.S == r.size:
		return arcVector{arc.A, arc.A, math.Sqrt(1 - real(w)), 0}
	}
	return arcVector{arc.A, arc.A, math.Sqrt(2 - 2*real(w)), 0}
}

// set computes the matrices for a wiring and an interval; false when the
// spectrum is not inside it.
func (r *resolvents) set(w *wiring, low, high float64) bool {
	r.low, r.high = low, high
	for j := range r.blocks {
		b := &r.blocks[j]
		middle := 0.0
		if j == 0 {
			middle = (low + high) / 2 / float64(r.orbits)
		}
		if b.real != nil {
			r.real.start(b.real, low, high, middle)
		} else {
			r.complex.start(b, low, high)
		}
		for _, arc := range w.arcs {
			v, weight := r.vector(arc, j), w.f.nominal(arc)
			if b.real != nil {
				r.real.join(b.real, v, weight)
			} else {
				r.complex.join(b, v, weight)
			}
		}
		ok := false
		if b.real != nil {
			ok = r.real.invert(b.real)
		} else {
			ok = invert(b.below, r.orbits) && invert(b.above, r.orbits)
		}
		if !ok {
			return false
		}
	}
	return true
}

// tiny is the smallest pivot that counts as positive; eigenvalues of Laplacians with
// nominal weights are of the order of the degree.
const tiny = 1e-9

// barrier returns by how much a move changes −Σ log det, +Inf when it pushes an
// eigenvalue out of the interval.
func (r *resolvents) barrier(m *move) float64 {
	sum := 0.0
	for at, j := range r.order {
		b := &r.blocks[j]
		for i, c := range m.all() {
			r.vectors[i] = r.vector(c.arc, j)
		}
		var ratio float64
		if b.real != nil {
			ratio = r.real.ratio(b.real, r.vectors[:m.count], m)
		} else {
			ratio = r.complex.ratio(b, r.vectors[:m.count], m)
		}
		if ratio <= 0 {
			copy(r.order[1:at+1], r.order[:at])
			r.order[0] = j
			r.looked = at + 1
			return math.Inf(1)
		}
		sum -= b.copies * math.Log(ratio)
	}
	r.looked = len(r.order)
	return sum
}

// apply carries a move over to the matrices, one rank at a time. Rounding errors
// grow slowly; set starts over.
func (r *resolvents) apply(m *move) {
	for j := range r.blocks {
		b := &r.blocks[j]
		for i, c := range m.all() {
			// The high end takes the changes backwards, so that it stays definite in between too.
			d := m.changes[m.count-1-i]
			v, u := r.vector(c.arc, j), r.vector(d.arc, j)
			if b.real != nil {
				r.real.update(b.real.below, v, c.weight)
				r.real.update(b.real.above, u, -d.weight)
			} else {
				r.complex.update(b.below, v, c.weight)
				r.complex.update(b.above, u, -d.weight)
			}
		}
	}
}
