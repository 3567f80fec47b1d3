package weights

import (
	"github.com/batopo/batopo/internal/solve/weights/internal/matrix"
	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/blas/blas64"
)

// pairWith adds ⟨A_k, m⟩ of a block to w.
func (d *dense) pairWith(k *denseBlock, m blas64.General, w []float64) {
	for e, edge := range d.edges {
		w[e] += k.sign * across(m, edge)
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
	for k, e := range d.edges {
		d.tabulate(e)
		cross0, cross1 := 0.0, 0.0
		for _, g := range d.gather {
			cross0 += g[0] * g[1]
			cross1 += g[2] * g[3]
		}
		h.Data[k*h.Stride+d.vars] += v0*cross0 - v1*cross1
		d.schurRow(h.Data[k*h.Stride+k:k*h.Stride+d.vars], d.edges[k:])
	}
}

// tabulate writes row I minus row J of Y₁, Z₁⁻¹, Y₂, Z₂⁻¹ to the gather table.
func (d *dense) tabulate(e topology.Edge) {
	y0, q0, y1, q1 := &d.blocks[0].y, &d.blocks[0].inv, &d.blocks[1].y, &d.blocks[1].inv
	a0, b0, a1, b1 := matrix.Row(*y0, e.I), matrix.Row(*q0, e.I), matrix.Row(*y1, e.I), matrix.Row(*q1, e.I)
	c0, d0, c1, d1 := matrix.Row(*y0, e.J), matrix.Row(*q0, e.J), matrix.Row(*y1, e.J), matrix.Row(*q1, e.J)
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
