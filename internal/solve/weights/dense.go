package weights

import (
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/weights/internal/matrix"
	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// dense is the cone of a graph without symmetry: two n × n blocks.
type dense struct {
	n      int
	edges  []topology.Edge
	vars   int
	blocks [2]denseBlock
	gather [][4]float64 // differences of two rows of Y₁, Z₁⁻¹, Y₂, Z₂⁻¹, side by side
	ritz   *matrix.SmallestRitz
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

// newDense prepares the cone of a graph whose edge k carries the weight of variable k.
func newDense(g *topology.Graph, p *program) *dense {
	n := g.Nodes()
	d := &dense{n: n, edges: g.Edges(), vars: p.vars, gather: make([][4]float64, n),
		ritz: matrix.NewSmallestRitz(n)}
	for half := range d.blocks {
		k := &d.blocks[half]
		k.shape, k.edges, k.weight = p.shape(half), d.edges, make([]float64, len(d.edges))
		for _, m := range []*blas64.General{&k.factor, &k.root, &k.inv, &k.y, &k.yroot, &k.dy, &k.second, &k.image,
			&k.double} {
			*m = matrix.Square(n)
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

func (d *dense) evaluate(x []float64) bool {
	for b := range d.blocks {
		k := &d.blocks[b]
		copy(k.weight, x)
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
	if !matrix.Cholesky(k.factor) {
		return false
	}
	matrix.CopyUpper(k.yroot, k.y)
	if !matrix.Cholesky(k.yroot) {
		return false
	}
	matrix.CopyUpper(k.root, k.factor)
	matrix.InvertTriangle(k.root)
	matrix.Gram(k.inv, k.root)
	return true
}

// fill writes the upper triangle of diagonal·I + sign·L(weight) + shift·J.
func (k *denseBlock) fill(a blas64.General, diagonal float64) {
	n := a.Rows
	each := k.shift / float64(n)
	for i := range n {
		r := matrix.Row(a, i)
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
		total += floats.Sum(matrix.Row(y, i))
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

func dotAll(a, b blas64.General) float64 {
	sum := 0.0
	for i := range a.Rows {
		sum += floats.Dot(matrix.Row(a, i), matrix.Row(b, i))
	}
	return sum
}

func (d *dense) columns(half int, drop float64) []design.Column {
	y := d.blocks[half].y
	return factorColumns(0, d.n, drop, func(i, j int) complex128 { return complex(y.Data[i*y.Stride+j], 0) })
}
