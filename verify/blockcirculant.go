package verify

import (
	"math"
	"math/bits"

	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// blockCirculant is a matrix on the nodes (a, x) of a lift that depends on x only by differences: entry
// ((a, x), (b, x+s)) stands at [a·orbits + b][s]. With orbits of size 1 it is an ordinary matrix.
type blockCirculant struct {
	orbits, size int
	data         []float64
}

func newBlockCirculant(orbits, size int) blockCirculant {
	return blockCirculant{orbits, size, make([]float64, orbits*orbits*size)}
}

// block returns the entries of orbits a and b.
func (m blockCirculant) block(a, b int) []float64 {
	at := (a*m.orbits + b) * m.size
	return m.data[at : at+m.size]
}

// at returns an entry by the numbers of the nodes.
func (m blockCirculant) at(i, j int) float64 {
	return m.block(i/m.size, j/m.size)[(j%m.size-i%m.size+m.size)%m.size]
}

// deviationOf returns W − J for weights on the arcs.
func deviationOf(l topology.Lift, weights []float64) blockCirculant {
	m := newBlockCirculant(l.Orbits, l.Size)
	for i := range m.data {
		m.data[i] = -1 / float64(l.Nodes())
	}
	for a := range l.Orbits {
		m.block(a, a)[0]++
	}
	for k, arc := range l.Arcs {
		g := weights[k]
		m.block(arc.A, arc.A)[0] -= g
		m.block(arc.A, arc.B)[arc.S] += g
		if !l.Matching(arc) {
			m.block(arc.B, arc.B)[0] -= g
			m.block(arc.B, arc.A)[(l.Size-arc.S)%l.Size] += g
		}
	}
	return m
}

// times writes m·other to dst.
func (m blockCirculant) times(dst, other blockCirculant) {
	if m.size == 1 {
		n := m.orbits
		mat.NewDense(n, n, dst.data).Mul(mat.NewDense(n, n, m.data), mat.NewDense(n, n, other.data))
		return
	}
	clear(dst.data)
	for a := range m.orbits {
		for c := range m.orbits {
			left := m.block(a, c)
			for b := range m.orbits {
				out, right := dst.block(a, b), other.block(c, b)
				for s, v := range left {
					floats.AddScaled(out[s:], v, right[:m.size-s])
					floats.AddScaled(out[:s], v, right[m.size-s:])
				}
			}
		}
	}
}

// powerWork is how many multiplications power(e) takes. A row of a block takes as long as 32 of them to begin with.
func powerWork(orbits, size, e int) float64 {
	products := float64(bits.Len(uint(e)) + bits.OnesCount(uint(e)) - 2)
	o, s := float64(orbits), float64(size)
	if size == 1 {
		return products * o * o * o
	}
	return products * o * o * o * s * (s + 32)
}

// power returns mᵉ as e^size·p, e ≥ 1, by squaring; p has length 1.
func (m blockCirculant) power(e int) (p blockCirculant, size float64) {
	base := newBlockCirculant(m.orbits, m.size)
	copy(base.data, m.data)
	p, scratch := newBlockCirculant(m.orbits, m.size), newBlockCirculant(m.orbits, m.size)
	baseSize, started := base.normalise(), false
	for {
		if e%2 == 1 {
			if started {
				p.times(scratch, base)
				p, scratch = scratch, p
			} else {
				copy(p.data, base.data)
				started = true
			}
			size += baseSize + p.normalise()
		}
		e /= 2
		if e == 0 {
			return p, size
		}
		base.times(scratch, base)
		base, scratch = scratch, base
		baseSize = 2*baseSize + base.normalise()
	}
}

// normalise makes the entries a vector of length 1 and returns the logarithm of what it was.
func (m blockCirculant) normalise() float64 {
	length := floats.Norm(m.data, 2)
	if length == 0 {
		return 0
	}
	floats.Scale(1/length, m.data)
	return math.Log(length)
}

// dot returns ⟨m, other⟩ over all nodes; trace likewise.
func (m blockCirculant) dot(other blockCirculant) float64 {
	return float64(m.size) * floats.Dot(m.data, other.data)
}

func (m blockCirculant) trace() float64 {
	sum := 0.0
	for a := range m.orbits {
		sum += m.block(a, a)[0]
	}
	return float64(m.size) * sum
}

// total returns the sum of all entries.
func (m blockCirculant) total() float64 {
	return float64(len(m.data)/m.orbits/m.orbits) * floats.Sum(m.data)
}

// across returns uᵀmu for the incidence vector u of an edge of the arc, m symmetric.
func (m blockCirculant) across(arc topology.Arc) float64 {
	return m.block(arc.A, arc.A)[0] + m.block(arc.B, arc.B)[0] - 2*m.block(arc.A, arc.B)[arc.S]
}
