package search

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// A realBlock belongs to a real character: the trivial one, and the alternating one when
// the size is even. Graphs without symmetry are one such block.
type realBlock struct {
	below, above blas64.General // inverses at the low and at the high end
}

func newRealBlock(orbits int) *realBlock {
	square := func() blas64.General {
		return blas64.General{Rows: orbits, Cols: orbits, Stride: orbits, Data: make([]float64, orbits*orbits)}
	}
	return &realBlock{square(), square()}
}

// A realKernel does the arithmetic of real blocks; complexKernel explains it.
type realKernel struct {
	orbits int
	gram   [mostChanges * mostChanges]float64
	column []float64
}

func (c *realKernel) init(orbits int) { c.orbits, c.column = orbits, make([]float64, orbits) }

func (c *realKernel) start(b *realBlock, low, high, middle float64) {
	for i := range b.below.Data {
		b.below.Data[i], b.above.Data[i] = middle, 0
	}
	for i := range c.orbits {
		b.below.Data[i*c.orbits+i] -= low
		b.above.Data[i*c.orbits+i] = high
	}
}

func (c *realKernel) join(b *realBlock, v arcVector, weight float64) {
	k := c.orbits
	add := func(i, j int, x float64) {
		b.below.Data[i*k+j] += x
		b.above.Data[i*k+j] -= x
	}
	add(v.a, v.a, weight*v.at*v.at)
	if v.a != v.b {
		cross := weight * real(v.to)
		add(v.b, v.b, weight)
		add(v.b, v.a, cross)
		add(v.a, v.b, cross)
	}
}

// invert replaces both matrices by their inverses; false when one is not positive definite.
func (c *realKernel) invert(b *realBlock) bool {
	for _, a := range []blas64.General{b.below, b.above} {
		t, ok := lapack64.Potrf(blas64.Symmetric{Uplo: blas.Upper, N: c.orbits, Stride: a.Stride, Data: a.Data})
		if !ok {
			return false
		}
		lapack64.Potri(t)
		for i := range c.orbits {
			for j := range i {
				a.Data[i*a.Stride+j] = a.Data[j*a.Stride+i]
			}
		}
	}
	return true
}

func (c *realKernel) ratio(b *realBlock, vectors []arcVector, m *move) float64 {
	c.project(b.below, vectors)
	ratio := c.eliminate(m, 1)
	if ratio > 0 {
		c.project(b.above, vectors)
		ratio *= c.eliminate(m, -1)
	}
	return ratio
}

func (c *realKernel) project(inverse blas64.General, vectors []arcVector) {
	for i := range vectors {
		u := &vectors[i]
		rowA := inverse.Data[u.a*inverse.Stride : u.a*inverse.Stride+inverse.Cols]
		rowB := inverse.Data[u.b*inverse.Stride : u.b*inverse.Stride+inverse.Cols]
		uTo := real(u.to) // 0 inside an orbit, where a = b
		for j := range i + 1 {
			v := &vectors[j]
			vTo := real(v.to)
			c.gram[i*mostChanges+j] = u.at*(v.at*rowA[v.a]+vTo*rowA[v.b]) + uTo*(v.at*rowB[v.a]+vTo*rowB[v.b])
		}
	}
}

func (c *realKernel) eliminate(m *move, sign float64) float64 {
	q, g := m.count, &c.gram
	product := 1.0
	for step := range q {
		p, lo, hi := step, step+1, q
		if sign < 0 {
			p, lo, hi = q-1-step, 0, q-1-step
		}
		weight := sign * m.changes[p].weight
		pivot := 1 + weight*g[p*mostChanges+p]
		if !(pivot > tiny) {
			return 0
		}
		product *= pivot
		f := weight / pivot
		for i := lo; i < hi; i++ {
			x := f * g[max(i, p)*mostChanges+min(i, p)]
			for j := lo; j <= i; j++ {
				g[i*mostChanges+j] -= x * g[max(j, p)*mostChanges+min(j, p)]
			}
		}
	}
	return product
}

func (c *realKernel) update(inverse blas64.General, v arcVector, weight float64) {
	to := real(v.to)
	y := c.column // inverse·v; rows are columns by symmetry
	rowA := inverse.Data[v.a*inverse.Stride : v.a*inverse.Stride+inverse.Cols]
	rowB := inverse.Data[v.b*inverse.Stride : v.b*inverse.Stride+inverse.Cols]
	for i := range y {
		y[i] = v.at*rowA[i] + to*rowB[i]
	}
	across := v.at*y[v.a] + to*y[v.b]
	x := blas64.Vector{N: c.orbits, Inc: 1, Data: y}
	blas64.Ger(-weight/(1+weight*across), x, x, inverse)
}
