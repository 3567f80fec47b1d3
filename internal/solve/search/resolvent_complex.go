package search

import "math/cmplx"

// A complexKernel does the arithmetic of blocks that are Hermitian matrices.
type complexKernel struct {
	orbits int
	gram   [mostChanges * mostChanges]complex128
	column []complex128
}

func (c *complexKernel) init(orbits int) { c.orbits, c.column = orbits, make([]complex128, orbits) }

// start writes the matrices of a block without arcs.
func (c *complexKernel) start(b *block, low, high float64) {
	clear(b.below)
	clear(b.above)
	for i := range c.orbits {
		b.below[i*c.orbits+i] = complex(-low, 0)
		b.above[i*c.orbits+i] = complex(high, 0)
	}
}

// join adds an arc to the matrices before they are inverted.
func (c *complexKernel) join(b *block, v arcVector, weight float64) {
	k := c.orbits
	add := func(i, j int, x complex128) {
		b.below[i*k+j] += x
		b.above[i*k+j] -= x
	}
	add(v.a, v.a, complex(weight*v.at*v.at, 0))
	if v.a != v.b {
		cross := complex(weight, 0) * v.to
		add(v.b, v.b, complex(weight, 0))
		add(v.b, v.a, cross)
		add(v.a, v.b, cmplx.Conj(cross))
	}
}

// invert replaces a Hermitian matrix by its inverse, pivot by pivot (Gauss–Jordan on the
// diagonal, which is stable for definite matrices); false when it is not positive definite.
func invert(a []complex128, k int) bool {
	for p := range k {
		pivot := real(a[p*k+p])
		if !(pivot > tiny) {
			return false
		}
		inverse := 1 / pivot
		row := a[p*k : p*k+k]
		for i := range k {
			if i == p {
				continue
			}
			to := a[i*k : i*k+k]
			f := complex(real(to[p])*inverse, imag(to[p])*inverse)
			if f == 0 {
				continue
			}
			for c, v := range row {
				to[c] -= complex(real(f)*real(v)-imag(f)*imag(v), real(f)*imag(v)+imag(f)*real(v))
			}
			to[p] = -f
		}
		for c := range row {
			row[c] = complex(real(row[c])*inverse, imag(row[c])*inverse)
		}
		row[p] = complex(inverse, 0)
	}
	return true
}

// ratio returns by what factor a move changes the determinants of a block; 0 when one of
// its matrices is no longer positive definite.
func (c *complexKernel) ratio(b *block, vectors []arcVector, m *move) float64 {
	c.project(b.below, vectors)
	ratio := c.eliminate(m, 1)
	if ratio > 0 {
		c.project(b.above, vectors)
		ratio *= c.eliminate(m, -1)
	}
	return ratio
}

// project writes u*·inverse·v for all pairs of vectors to gram.
func (c *complexKernel) project(inverse []complex128, vectors []arcVector) {
	k := c.orbits
	g := &c.gram
	for i := range vectors {
		u := &vectors[i]
		rowA := inverse[u.a*k : u.a*k+k]
		rowB := inverse[u.b*k : u.b*k+k]
		for j := range i + 1 {
			v := &vectors[j]
			x := rowA[v.a]
			re, im := u.at*v.at*real(x), u.at*v.at*imag(x)
			if v.a != v.b {
				x := rowA[v.b]
				re += u.at * (real(x)*real(v.to) - imag(x)*imag(v.to))
				im += u.at * (real(x)*imag(v.to) + imag(x)*real(v.to))
			}
			if u.a != u.b {
				x := rowB[v.a]
				yr, yi := v.at*real(x), v.at*imag(x)
				if v.a != v.b {
					x := rowB[v.b]
					yr += real(x)*real(v.to) - imag(x)*imag(v.to)
					yi += real(x)*imag(v.to) + imag(x)*real(v.to)
				}
				re += real(u.to)*yr + imag(u.to)*yi
				im += real(u.to)*yi - imag(u.to)*yr
			}
			g[i*mostChanges+j] = complex(re, im)
		}
	}
}

// eliminate returns the determinant of inverse⁻¹ + sign·Σ weight·vv* relative to the determinant of inverse⁻¹, and 0
// when the sum is not positive definite. Positive terms are eliminated first, so the low end takes the changes in order
// and the high end backwards: positive terms cannot hurt, and if the sum is definite so is every partial sum on the way
// to it.
func (c *complexKernel) eliminate(m *move, sign float64) float64 {
	q, g := m.count, &c.gram
	product := 1.0
	for step := range q {
		p := step
		if sign < 0 {
			p = q - 1 - step
		}
		weight := sign * m.changes[p].weight
		pivot := 1 + weight*real(g[p*mostChanges+p])
		if !(pivot > tiny) {
			return 0
		}
		product *= pivot
		f := weight / pivot
		lo, hi := p+1, q
		if sign < 0 {
			lo, hi = 0, p
		}
		for i := lo; i < hi; i++ {
			x := c.entry(i, p)
			for j := lo; j <= i; j++ {
				y := c.entry(j, p) // g[i][j] −= f·g[i][p]·g[p][j]
				g[i*mostChanges+j] -= complex(f*(real(x)*real(y)+imag(x)*imag(y)), f*(imag(x)*real(y)-real(x)*imag(y)))
			}
		}
	}
	return product
}

func (c *complexKernel) entry(i, j int) complex128 {
	if i >= j {
		return c.gram[i*mostChanges+j]
	}
	return cmplx.Conj(c.gram[j*mostChanges+i])
}

// update replaces inverse by the inverse of inverse⁻¹ + weight·vv*.
func (c *complexKernel) update(inverse []complex128, v arcVector, weight float64) {
	k := c.orbits
	y := c.column // inverse·v
	for i := range y {
		x := inverse[i*k+v.a]
		y[i] = complex(v.at*real(x), v.at*imag(x))
		if v.a != v.b {
			x := inverse[i*k+v.b]
			y[i] += complex(real(x)*real(v.to)-imag(x)*imag(v.to), real(x)*imag(v.to)+imag(x)*real(v.to))
		}
	}
	across := v.at * real(y[v.a])
	if v.a != v.b {
		across += real(v.to)*real(y[v.b]) + imag(v.to)*imag(y[v.b])
	}
	f := weight / (1 + weight*across)
	for i, x := range y {
		re, im := f*real(x), f*imag(x)
		row := inverse[i*k : i*k+k]
		for j, z := range y {
			row[j] -= complex(re*real(z)+im*imag(z), im*real(z)-re*imag(z))
		}
	}
}
