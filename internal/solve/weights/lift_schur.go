package weights

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/batopo/batopo/internal/solve/weights/internal/matrix"
)

// pairWith adds ⟨A_k, m⟩ of block b to w.
func (c *lifted) pairWith(b int, m []complex128, w []float64) {
	k, u, vectors := c.k, &c.blocks[b], c.vectorsOf(b)
	for e, arc := range c.arcs {
		v := &vectors[e]
		sum := v.At * v.At * real(m[arc.A*k+arc.A])
		if arc.A != arc.B {
			x := m[arc.A*k+arc.B]
			sum += real(m[arc.B*k+arc.B]) + 2*(real(x)*real(v.To)-imag(x)*imag(v.To))
		}
		w[e] += u.sign * sum
	}
	for i := 0; i < len(m); i += k + 1 {
		w[len(c.arcs)] += u.value * real(m[i])
	}
}

// leftRows writes v*m of all arcs to rows.
func (c *lifted) leftRows(rows, m []complex128, vectors []matrix.ArcVector) {
	k := c.k
	for e, arc := range c.arcs {
		v := &vectors[e]
		out := rows[e*k : e*k+k]
		from := m[arc.A*k : arc.A*k+k][:len(out)]
		if arc.A == arc.B {
			for i, x := range from {
				out[i] = complex(v.At*real(x), v.At*imag(x))
			}
			continue
		}
		re, im := real(v.To), -imag(v.To)
		to := m[arc.B*k : arc.B*k+k][:len(out)]
		for i, x := range from {
			y := to[i]
			out[i] = complex(real(x)+re*real(y)-im*imag(y), imag(x)+re*imag(y)+im*real(y))
		}
	}
}

// schur uses ⟨vₖvₖ*, Y vₗvₗ* Z⁻¹⟩ = Re (vₖ*Y vₗ)(vₗ*Z⁻¹vₖ).
func (c *lifted) schur(h blas64.General) {
	k, vars := c.k, len(c.arcs)
	for _, b := range c.working {
		u, vectors := &c.blocks[b], c.vectorsOf(b)
		c.leftRows(c.rows, u.y, vectors)
		matrix.Resize(&u.invRows, len(c.rows))
		c.leftRows(u.invRows, u.inv, vectors)
		h.Data[vars*h.Stride+vars] += u.value * matrix.InnerHermitian(u.y, u.inv)
		for e := range c.arcs {
			y, q := c.rows[e*k:e*k+k], u.invRows[e*k:e*k+k]
			out := h.Data[e*h.Stride : e*h.Stride+vars+1]
			out[vars] += u.value * u.sign * matrix.InnerHermitian(y, q)
			c.schurRow(out[:vars], y, q, vectors, e)
		}
	}
}

// schurRow adds the pairs of arc e with itself and all later arcs.
func (c *lifted) schurRow(out []float64, y, q []complex128, vectors []matrix.ArcVector, e int) {
	for f := e; f < len(c.arcs); f++ {
		arc, v := &c.arcs[f], &vectors[f]
		ya, qa := y[arc.A], q[arc.A]
		if arc.A == arc.B {
			out[f] += v.At * v.At * (real(ya)*real(qa) + imag(ya)*imag(qa))
			continue
		}
		yb, qb := y[arc.B], q[arc.B]
		re, im := real(v.To), imag(v.To)
		yr, yi := real(ya)+re*real(yb)-im*imag(yb), imag(ya)+re*imag(yb)+im*real(yb)
		qr, qi := real(qa)+re*real(qb)-im*imag(qb), imag(qa)+re*imag(qb)+im*real(qb)
		out[f] += yr*qr + yi*qi
	}
}
