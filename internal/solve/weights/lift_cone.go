package weights

import (
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/weights/internal/matrix"
	"github.com/batopo/batopo/topology"
)

// lifted is the cone of a lift. The Fourier transform of Z_m splits both matrix
// inequalities into one k × k Hermitian block per character j, and block m−j is the conjugate of
// block j, so j = 0 … ⌊m/2⌋ are enough. Arc (a, b, s) adds weight·vv* to block j of the Laplacian, with
//
//	v = e_a − ω^{−js} e_b            between two orbits
//	v = |1 − ω^{js}| e_a             inside an orbit; |1 − ω^{js}|/√2 for a matching
//
// so every formula of the dense cone carries over with aₖ replaced by v.
//
// Few blocks ever come near the boundary. Only those are carried along, with multipliers; the others are
// watched (lift_working.go).
type lifted struct {
	k          int // orbits
	characters int
	root       []complex128 // ω^t
	arcs       []topology.Arc
	vectors    []matrix.ArcVector // characters × arcs
	blocks     []liftBlock        // upper and lower half of character j at 2j and 2j+1
	working    []int              // blocks with multipliers, ascending
	watched    []int              // the others, ascending
	margin     []float64          // lower bound on λ_min(Z) of watched blocks
	fresh      []bool             // the margin was measured at the end of the step at hand

	laplacian, image, double []complex128 // scratch, k × k
	rows                     []complex128 // scratch: v*Y of all arcs

	point, direction, ahead []float64 // where we are, the corrected step, a point along it
	load                    []float64 // scratch, per orbit
	corrected               bool      // the step at hand is the corrected one
}

// liftBlock is one block of Z with its multiplier Y; matrices of watched blocks are not up to date.
type liftBlock struct {
	shape
	z, inv, y      []complex128
	dz, dy, second []complex128 // second: dY·dZ of the predicted step
	invRows        []complex128 // v*Z⁻¹ of all arcs
}

func newLifted(orbits, size int) *lifted {
	k := orbits
	return &lifted{
		k: k, characters: size/2 + 1, root: matrix.Phases(size),
		blocks:    make([]liftBlock, 2*(size/2+1)),
		margin:    make([]float64, 2*(size/2+1)),
		fresh:     make([]bool, 2*(size/2+1)),
		load:      make([]float64, k),
		laplacian: make([]complex128, k*k), image: make([]complex128, k*k), double: make([]complex128, k*k),
	}
}

// set takes over the arcs of a lift.
func (c *lifted) set(l topology.Lift, p *program) {
	c.arcs = append(c.arcs[:0], l.Arcs...)
	matrix.Resize(&c.vectors, c.characters*len(l.Arcs))
	for j := range c.characters {
		for e, arc := range l.Arcs {
			c.vectors[j*len(l.Arcs)+e] = matrix.VectorOf(l, arc, c.root[j*arc.S%l.Size])
		}
	}
	for b := range c.blocks {
		c.blocks[b].shape = p.shape(b % 2)
		if b > 0 {
			c.blocks[b].shift = 0 // the all-ones vector lives in character 0
		}
	}
	matrix.Resize(&c.rows, c.k*len(l.Arcs))
	for _, f := range []*[]float64{&c.point, &c.direction, &c.ahead} {
		matrix.Resize(f, p.vars+1)
	}
}

// vectorsOf returns v of all arcs in the character of block b.
func (c *lifted) vectorsOf(b int) []matrix.ArcVector {
	return c.vectors[b/2*len(c.arcs) : (b/2+1)*len(c.arcs)]
}

// laplacianOf writes block j of the Laplacian of the weights x to laplacian.
func (c *lifted) laplacianOf(j int, x []float64) {
	k, l := c.k, c.laplacian
	clear(l)
	vectors := c.vectors[j*len(c.arcs) : (j+1)*len(c.arcs)]
	for e, arc := range c.arcs {
		v, w := &vectors[e], x[e]
		l[arc.A*k+arc.A] += complex(w*v.At*v.At, 0)
		if arc.A != arc.B {
			l[arc.B*k+arc.B] += complex(w, 0)
			re, im := w*real(v.To), w*imag(v.To)
			l[arc.B*k+arc.A] += complex(re, im)
			l[arc.A*k+arc.B] += complex(re, -im)
		}
	}
}

// compose writes diagonal·I + sign·laplacian + shift·J to dst.
func (c *lifted) compose(dst []complex128, sign, diagonal, shift float64) {
	for i, v := range c.laplacian {
		dst[i] = complex(sign*real(v)+shift/float64(c.k), sign*imag(v))
	}
	for i := 0; i < len(dst); i += c.k + 1 {
		dst[i] += complex(diagonal, 0)
	}
}

// eachWorking calls visit for every working block, with the block's part of the
// Laplacian of x at hand.
func (c *lifted) eachWorking(x []float64, visit func(u *liftBlock, s float64)) {
	character := -1
	for _, b := range c.working {
		if b/2 != character {
			character = b / 2
			c.laplacianOf(character, x)
		}
		visit(&c.blocks[b], x[len(c.arcs)])
	}
}

func (c *lifted) order() int { return len(c.working) * c.k }

func (c *lifted) begin() {
	total := 0.0
	for _, b := range c.working {
		total += c.blocks[b].value * float64(c.k)
	}
	for _, b := range c.working {
		y := c.blocks[b].y
		clear(y)
		for i := 0; i < len(y); i += c.k + 1 {
			y[i] = complex(1/total, 0)
		}
	}
}

func (c *lifted) evaluate(x []float64) bool {
	c.settle(x)
	ok := true
	c.eachWorking(x, func(u *liftBlock, s float64) {
		c.compose(u.z, u.sign, u.value*s+u.constant, u.shift)
		copy(c.double, u.z)
		ok = ok && matrix.FactorHermitian(c.double, c.k)
		if ok {
			matrix.InvertHermitian(u.inv, c.double, c.k)
		}
	})
	return ok
}

func (c *lifted) complementarity() float64 {
	sum := 0.0
	for _, b := range c.working {
		sum += matrix.InnerHermitian(c.blocks[b].y, c.blocks[b].z)
	}
	return sum
}

func (c *lifted) gradient(w []float64) {
	for _, b := range c.working {
		c.pairWith(b, c.blocks[b].inv, w)
	}
}

func (c *lifted) balance(w []float64) {
	for _, b := range c.working {
		c.pairWith(b, c.blocks[b].y, w)
	}
}

func (c *lifted) columns(half int, drop float64) []design.Column {
	var all []design.Column
	for _, b := range c.working {
		if b%2 != half {
			continue
		}
		y := c.blocks[b].y
		all = append(all, factorColumns(b/2, c.k, drop/float64(len(c.working)),
			func(i, j int) complex128 { return y[i*c.k+j] })...)
	}
	return all
}
