package weights

import (
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/topology"
)

// dense is the cone of a graph without symmetry: two n × n blocks.
type dense struct {
	n      int
	edges  []topology.Edge
	orbit  []int // variable of every edge
	vars   int
	blocks [2]denseBlock
	gather [][4]float64 // differences of two rows of Y₁, Z₁⁻¹, Y₂, Z₂⁻¹, side by side
	ritz   *smallestRitz
}

// denseBlock is one of Z₁, Z₂ with its multiplier Y.
type denseBlock struct {
	shape
	edges   []topology.Edge
	weight  []float64 // per edge: of L in Z, then of L in dZ
	ds      float64   // of dZ = ds·I + sign·L(weight)
	pairing float64   // ⟨Y, Z⟩

	factor blas64.General // Cholesky factor of Z, upper
	root   blas64.General // its inverse, zero below the diagonal
	inv    blas64.General // Z⁻¹
	y      blas64.General
	yroot  blas64.General // Cholesky factor of Y, upper
	dy     blas64.General // predicted, then corrected
	second blas64.General // transposed dZ·dY of the predicted step
	image  blas64.General // scratch: dZ·Y
	double blas64.General // scratch: Z⁻¹·dZ·Y

	applyZ, applyY func(dst, x []float64) // products with dZ and dY
}

// newDense prepares the cone of a graph whose edge k carries the weight of variable orbit[k].
func newDense(g *topology.Graph, orbit []int, p *program) *dense {
	n := g.Nodes()
	d := &dense{n: n, edges: g.Edges(), orbit: orbit, vars: p.vars, gather: make([][4]float64, n),
		ritz: newSmallestRitz(n)}
	for half := range d.blocks {
		k := &d.blocks[half]
		k.shape, k.edges, k.weight = p.shape(half), d.edges, make([]float64, len(d.edges))
		for _, m := range []*blas64.General{&k.factor, &k.root, &k.inv, &k.y, &k.yroot, &k.dy, &k.second, &k.image,
			&k.double} {
			*m = square(n)
		}
		k.applyZ, k.applyY = k.timesPrimal, k.timesDual
	}
	return d
}

func (d *dense) order() int { return 2 * d.n }

func (d *dense) begin() {
	share := 1 / (float64(d.n) * (d.blocks[0].value + d.blocks[1].value))
	for b := range d.blocks {
		y := d.blocks[b].y
		clear(y.Data)
		for i := range d.n {
			y.Data[i*y.Stride+i] = share
		}
	}
}

// spread copies the weights of the variables to the edges.
func (d *dense) spread(dst, x []float64) {
	for k, v := range d.orbit {
		dst[k] = x[v]
	}
}

func (d *dense) evaluate(x []float64) bool {
	for b := range d.blocks {
		k := &d.blocks[b]
		d.spread(k.weight, x)
		if !k.evaluate(x[d.vars]) {
			return false
		}
	}
	return true
}

func (k *denseBlock) evaluate(s float64) bool {
	diagonal := k.value*s + k.constant
	k.fill(k.factor, diagonal)
	k.pairing = k.pair(diagonal)
	if !cholesky(k.factor) {
		return false
	}
	copyUpper(k.yroot, k.y)
	if !cholesky(k.yroot) {
		return false
	}
	copyUpper(k.root, k.factor)
	invertTriangle(k.root)
	gram(k.inv, k.root)
	return true
}

// fill writes the upper triangle of diagonal·I + sign·L(weight) + shift·J.
func (k *denseBlock) fill(a blas64.General, diagonal float64) {
	n := a.Rows
	each := k.shift / float64(n)
	for i := range n {
		r := row(a, i)
		for j := i; j < n; j++ {
			r[j] = each
		}
		r[i] += diagonal
	}
	for e, edge := range k.edges {
		w := k.sign * k.weight[e]
		a.Data[edge.I*a.Stride+edge.J] -= w
		a.Data[edge.I*a.Stride+edge.I] += w
		a.Data[edge.J*a.Stride+edge.J] += w
	}
}

// pair returns ⟨Y, diagonal·I + sign·L(weight) + shift·J⟩.
func (k *denseBlock) pair(diagonal float64) float64 {
	y := k.y
	trace, total, laplacian := 0.0, 0.0, 0.0
	for i := range y.Rows {
		trace += y.Data[i*y.Stride+i]
		total += floats.Sum(row(y, i))
	}
	for e, edge := range k.edges {
		laplacian += k.weight[e] * across(y, edge)
	}
	return diagonal*trace + k.sign*laplacian + k.shift*total/float64(y.Rows)
}

// across returns aᵀ m a for the incidence vector a = e_I − e_J and symmetric m.
func across(m blas64.General, e topology.Edge) float64 {
	return m.Data[e.I*m.Stride+e.I] + m.Data[e.J*m.Stride+e.J] - 2*m.Data[e.I*m.Stride+e.J]
}

func (d *dense) complementarity() float64 { return d.blocks[0].pairing + d.blocks[1].pairing }

func (d *dense) gradient(w []float64) {
	for b := range d.blocks {
		d.pairWith(&d.blocks[b], d.blocks[b].inv, w)
	}
}

func (d *dense) balance(w []float64) {
	for b := range d.blocks {
		d.pairWith(&d.blocks[b], d.blocks[b].y, w)
	}
}

// pairWith adds ⟨A_k, m⟩ of a block to w.
func (d *dense) pairWith(k *denseBlock, m blas64.General, w []float64) {
	for e, edge := range d.edges {
		w[d.orbit[e]] += k.sign * across(m, edge)
	}
	for i := range d.n {
		w[d.vars] += k.value * m.Data[i*m.Stride+i]
	}
}

// schur uses that A_k = ±aaᵀ has rank one: ⟨A_k, Y A_l Z⁻¹⟩ = (aₖᵀ Y aₗ)(aₖᵀ Z⁻¹ aₗ), and both
// factors are differences of entries of two rows.
func (d *dense) schur(h blas64.General) {
	y0, q0, y1, q1 := d.blocks[0].y, d.blocks[0].inv, d.blocks[1].y, d.blocks[1].inv
	v0, v1 := d.blocks[0].value, d.blocks[1].value
	corner := v0*dotAll(y0, q0) + v1*dotAll(y1, q1)
	h.Data[d.vars*h.Stride+d.vars] += corner
	single := d.vars == len(d.edges)
	for k, e := range d.edges {
		d.tabulate(e)
		cross0, cross1 := 0.0, 0.0
		for _, g := range d.gather {
			cross0 += g[0] * g[1]
			cross1 += g[2] * g[3]
		}
		v := d.orbit[k]
		h.Data[v*h.Stride+d.vars] += v0*cross0 - v1*cross1
		if single {
			d.schurRow(h.Data[k*h.Stride+k:k*h.Stride+d.vars], d.edges[k:])
			continue
		}
		d.schurOrbits(h, k)
	}
}

// tabulate writes row I minus row J of Y₁, Z₁⁻¹, Y₂, Z₂⁻¹ to the gather table.
func (d *dense) tabulate(e topology.Edge) {
	y0, q0, y1, q1 := &d.blocks[0].y, &d.blocks[0].inv, &d.blocks[1].y, &d.blocks[1].inv
	a0, b0, a1, b1 := row(*y0, e.I), row(*q0, e.I), row(*y1, e.I), row(*q1, e.I)
	c0, d0, c1, d1 := row(*y0, e.J), row(*q0, e.J), row(*y1, e.J), row(*q1, e.J)
	for i := range d.gather {
		d.gather[i] = [4]float64{a0[i] - c0[i], b0[i] - d0[i], a1[i] - c1[i], b1[i] - d1[i]}
	}
}

func (d *dense) schurRow(h []float64, edges []topology.Edge) {
	gather := d.gather
	for l, e := range edges {
		a, b := &gather[e.I], &gather[e.J]
		h[l] += (a[0]-b[0])*(a[1]-b[1]) + (a[2]-b[2])*(a[3]-b[3])
	}
}

// schurOrbits adds the pairs (k, l), l ≥ k, to the entries of their variables.
func (d *dense) schurOrbits(h blas64.General, k int) {
	v := d.orbit[k]
	for l := k; l < len(d.edges); l++ {
		a, b := &d.gather[d.edges[l].I], &d.gather[d.edges[l].J]
		term := (a[0]-b[0])*(a[1]-b[1]) + (a[2]-b[2])*(a[3]-b[3])
		u := d.orbit[l]
		if u == v && l > k {
			term *= 2 // (k, l) and (l, k) meet in one entry
		}
		h.Data[min(u, v)*h.Stride+max(u, v)] += term
	}
}

func dotAll(a, b blas64.General) float64 {
	sum := 0.0
	for i := range a.Rows {
		sum += floats.Dot(row(a, i), row(b, i))
	}
	return sum
}

func copyUpper(dst, src blas64.General) {
	for i := range src.Rows {
		copy(row(dst, i)[i:], row(src, i)[i:])
	}
}

func (d *dense) columns(half int, drop float64) []design.Column {
	y := d.blocks[half].y
	return factorColumns(0, d.n, drop, func(i, j int) complex128 { return complex(y.Data[i*y.Stride+j], 0) })
}
