package admm

import (
	"errors"
	"fmt"

	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/mat"
)

// closedForm projects on the equations by formulas instead of solving (27), (31).
//
// Put S, T, y (and ν, w) as functions of g and λ̃ (and z) into ½‖X − V‖² and differentiate.
// With L*(Z)ᵢⱼ = Zᵢᵢ + Zⱼⱼ − 2Zᵢⱼ, the adjoint of L, and L*L = |A|ᵀ|A| + 2I:
//
//	(1 + 2n) λ̃ = v_λ + tr(α11ᵀ/n + V_S) − tr(V_T) + 2n
//	H g = v_g − L*(V_S) − L*(V_T − 2I) + |A|ᵀ(1 − v_y) =: r₁          without limits, H = 5I + 3|A|ᵀ|A|
//
// g and λ̃ do not meet. H is inverted by Woodbury's formula through an n × n matrix:
//
//	H⁻¹ = (1/h) (I − |A|ᵀ (h/3·I + |A||A|ᵀ)⁻¹ |A|)
//
// which on all pairs is (h/3 + n − 2) I + 11ᵀ. With limits, H = 5.5 I + 3|A|ᵀ|A| and with the
// multiplier η of M z (+ w) = e:
//
//	r₂ = r₁ − v_ν + ½(v_z + v_ν)
//	K η = M(v_z + v_ν) + M H⁻¹ r₂ − 2e (+ 2v_w),   K = M Mᵀ + ½ M H⁻¹ Mᵀ (+ 2I)
//	g = H⁻¹(r₂ − ½ Mᵀη),   z = ½(v_z + v_ν + g − Mᵀη),   w = v_w − η
type closedForm struct {
	p        *problem
	h        float64      // 5, or 5.5 with limits
	complete bool         // all pairs are candidates: the n × n matrix needs no factor
	nodes    mat.Cholesky // of h/3·I + |A||A|ᵀ otherwise
	limits   mat.Cholesky // of K

	perEdge   []float64 // right-hand side, then g
	selection []float64 // v_z + v_ν − Mᵀη
	pull      []float64 // Mᵀη/2, then H⁻¹ of it
	perNode   *mat.VecDense
	eta       *mat.VecDense
}

func newClosedForm(p *problem) (*closedForm, error) {
	c := &closedForm{p: p, h: 5, complete: p.m == topology.Pairs(p.n), perEdge: make([]float64, p.m),
		perNode: mat.NewVecDense(p.n, nil)}
	if p.selecting {
		c.h = 5.5
	}
	if !c.complete {
		sum := mat.NewSymDense(p.n, nil)
		for i := range p.n {
			sum.SetSym(i, i, c.h/3)
		}
		for _, e := range p.edges {
			sum.SetSym(e.I, e.I, sum.At(e.I, e.I)+1)
			sum.SetSym(e.J, e.J, sum.At(e.J, e.J)+1)
			sum.SetSym(e.I, e.J, 1)
		}
		if !c.nodes.Factorize(sum) {
			return nil, errors.New("admm: h/3·I + |A||A|ᵀ is not positive definite")
		}
	}
	if !p.selecting {
		return c, nil
	}
	c.selection, c.pull, c.eta = make([]float64, p.m), make([]float64, p.m), mat.NewVecDense(p.q, nil)
	if !c.limits.Factorize(c.limitMatrix()) {
		return nil, fmt.Errorf("admm: the matrix K of the %d limits is not positive definite", p.q)
	}
	return c, nil
}

// limitMatrix returns K. It costs O(q (n² + edges)).
func (c *closedForm) limitMatrix() *mat.SymDense {
	p := c.p
	k := mat.NewSymDense(p.q, nil)
	column := make([]float64, p.m)
	for a := range p.q {
		clear(column)
		for _, e := range p.rows[a] {
			column[e] = 1
		}
		c.applyInverse(column) // H⁻¹ Mᵀ, one column
		for b := a; b < p.q; b++ {
			sum := 0.0
			for _, e := range p.rows[b] {
				sum += column[e]
			}
			k.SetSym(a, b, sum/2)
		}
		if p.slack {
			k.SetSym(a, a, k.At(a, a)+2)
		}
	}
	for _, limits := range p.uses {
		for x, a := range limits {
			for _, b := range limits[x:] {
				k.SetSym(a, b, k.At(a, b)+1)
			}
		}
	}
	return k
}

// update computes x = Proj(v). It does not allocate.
func (c *closedForm) update(x, v *point) error {
	x.lambda[0] = c.rate(v)
	c.rightHandSide(v)
	if c.p.selecting {
		if err := c.choose(x, v); err != nil {
			return err
		}
	} else {
		c.applyInverse(c.perEdge)
		copy(x.g, c.perEdge)
	}
	c.p.satisfy(x)
	return nil
}

// rate returns λ̃.
func (c *closedForm) rate(v *point) float64 {
	n := float64(c.p.n)
	sum := v.lambda[0] + c.p.alpha + 2*n // tr(α11ᵀ/n) = α
	for _, at := range c.p.diagonal {
		sum += v.s[at] - v.t[at]
	}
	return sum / (1 + 2*n)
}

// rightHandSide puts r₁ into perEdge.
func (c *closedForm) rightHandSide(v *point) {
	node := c.perNode.RawVector().Data
	for i, at := range c.p.diagonal {
		node[i] = 3 - v.y[i] - v.s[at] - v.t[at] // of L* of 2I, half at either end
	}
	for k, e := range c.p.edges {
		at := c.p.entry[k]
		c.perEdge[k] = v.g[k] + 2*(v.s[at]+v.t[at]) + node[e.I] + node[e.J]
	}
}

// choose computes g and z under the limits; ν and w follow in satisfy.
func (c *closedForm) choose(x, v *point) error {
	p := c.p
	for k := range c.perEdge { // r₂
		c.selection[k] = v.z[k] + v.nu[k]
		c.perEdge[k] += c.selection[k]/2 - v.nu[k]
	}
	c.applyInverse(c.perEdge)
	eta := c.eta.RawVector().Data
	for a, row := range p.rows {
		sum := -2 * p.capacity[a]
		for _, k := range row {
			sum += c.selection[k] + c.perEdge[k]
		}
		if p.slack {
			sum += 2 * v.w[a]
		}
		eta[a] = sum
	}
	if err := c.limits.SolveVecTo(c.eta, c.eta); err != nil {
		return fmt.Errorf("admm: limits: %w", err)
	}
	for k, limits := range p.uses {
		sum := 0.0
		for _, a := range limits {
			sum += eta[a]
		}
		c.selection[k] -= sum
		c.pull[k] = sum / 2
	}
	c.applyInverse(c.pull)
	for k := range x.g {
		x.g[k] = c.perEdge[k] - c.pull[k]
		x.z[k] = (c.selection[k] + x.g[k]) / 2
	}
	return nil
}

// applyInverse overwrites r with H⁻¹ r.
func (c *closedForm) applyInverse(r []float64) {
	node := c.perNode.RawVector().Data
	clear(node)
	for k, e := range c.p.edges {
		node[e.I] += r[k]
		node[e.J] += r[k]
	}
	if c.complete {
		c.solveComplete(node)
	} else if err := c.nodes.SolveVecTo(c.perNode, c.perNode); err != nil {
		panic(err) // the factor is well conditioned: h/3 ≤ eigenvalues ≤ h/3 + 2n
	}
	for k, e := range c.p.edges {
		r[k] = (r[k] - node[e.I] - node[e.J]) / c.h
	}
}

// solveComplete solves ((h/3 + n − 2) I + 11ᵀ) u = node in place.
func (c *closedForm) solveComplete(node []float64) {
	d := c.h/3 + float64(c.p.n-2)
	mean := 0.0
	for _, v := range node {
		mean += v
	}
	mean /= d + float64(c.p.n)
	for i := range node {
		node[i] = (node[i] - mean) / d
	}
}
