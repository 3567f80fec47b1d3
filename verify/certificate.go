package verify

import (
	"math"

	"batopo/design"
)

// dual is a certificate met with a graph.
type dual struct {
	upper, lower float64   // traces t₁, t₂ on the complement of the all-ones vector
	edge         []float64 // d_k per edge of the plan
	prices       float64   // Σ q over all nodes
	short        float64   // by how much q_i + q_j falls short of d_k at worst
	sum, sumAbs  float64   // of d_k
}

// meet evaluates the certificate's vectors on every edge of the plan. It uses the
// definition of the columns only, no symmetry of the graph.
func meet(c *design.Certificate, edges []design.PlanEdge) dual {
	d := dual{edge: make([]float64, len(edges))}
	n, root := c.Nodes(), math.Sqrt(float64(c.Size))
	u := make([]complex128, n)
	add := func(columns []design.Column, sign float64) (trace float64) {
		for _, column := range columns {
			var mean complex128
			norm := 0.0
			for i := range u {
				a, x := i/c.Size, i%c.Size
				f := complex(column.Re[a]/root, 0)
				if len(column.Im) > 0 {
					f += complex(0, column.Im[a]/root)
				}
				sin, cos := math.Sincos(2 * math.Pi * float64(column.Block*x%c.Size) / float64(c.Size))
				u[i] = f * complex(cos, sin)
				mean += u[i]
				norm += square(u[i])
			}
			trace += norm - square(mean)/float64(n)
			for k, e := range edges {
				d.edge[k] += sign * square(u[e.I]-u[e.J])
			}
		}
		return trace
	}
	d.upper, d.lower = add(c.Upper, 1), add(c.Lower, -1)
	for _, q := range c.Prices {
		d.prices += q * float64(c.Size)
	}
	for k, e := range edges {
		d.sum += d.edge[k]
		d.sumAbs += math.Abs(d.edge[k])
		if len(c.Prices) > 0 {
			d.short = max(d.short, d.edge[k]-c.Prices[e.I/c.Size]-c.Prices[e.J/c.Size])
		}
	}
	return d
}

func square(z complex128) float64 { return real(z)*real(z) + imag(z)*imag(z) }

// proves returns the value that weak duality gives for any weights on the edges.
//
// For every W with weights g on them, ⟨Y₁ − Y₂, W⟩ on the complement of the all-ones vector is
// t₁ − t₂ − Σ g d. It is at most (t₁ + t₂)·r_asym, and at most t₁λ₂ − μt₂ under W ⪰ μI.
func (d dual) proves(c *design.Certificate, n int) float64 {
	nodes := float64(n)
	if c.Setting == design.FMMC {
		// Σ g d ≤ Σ q; where prices are short of d_k they are raised at every node, Σ_k g_k ≤ n/2.
		charge := d.prices + d.short*nodes/2 + certificateSlack*(d.upper+d.lower)
		if c.MinEigenvalue == nil {
			return (d.upper - d.lower - charge) / (d.upper + d.lower)
		}
		return (d.upper - (1-*c.MinEigenvalue)*d.lower - charge) / d.upper
	}
	// Free weights: |w_ij − (1 − (v+v₀)/2)/n| ≤ (1 − 1/n)(v − v₀)/2 where the spectrum lies in [v₀, v].
	spread := (1 - 1/nodes) * d.sumAbs
	slack := certificateSlack * (d.upper + d.lower)
	if c.MinEigenvalue == nil {
		return (d.upper - d.lower - d.sum/nodes - slack) / (d.upper + d.lower + spread)
	}
	mu := *c.MinEigenvalue
	return (d.upper - (1-mu)*d.lower - (1-mu/2)*d.sum/nodes + spread*mu/2 - slack) / (d.upper - d.sum/(2*nodes) + spread/2)
}

// weightsBound checks that the plan's weights are as good as it says they provably are.
func (k *check) weightsBound() {
	b := k.plan.WeightsBound
	if b == nil {
		return
	}
	const claim = "weights_bound"
	c := b.Certificate
	switch {
	case c == nil:
		k.holds(claim, false, "it has no certificate, so nothing is proved")
		return
	case len(k.plan.Rounds) > 0 || k.plan.Directed:
		k.holds(claim, false, "certificates are for static undirected plans")
		return
	}
	if err := c.Validate(); err != nil {
		k.holds(claim, false, err.Error())
		return
	}
	sameLimit := (c.MinEigenvalue == nil) == (k.plan.MinEigenvalue == nil) &&
		(c.MinEigenvalue == nil || *c.MinEigenvalue == *k.plan.MinEigenvalue)
	// A proof for free weights holds for non-negative ones too, not the other way round.
	if c.Nodes() != k.plan.Nodes || !sameLimit || c.Setting == design.FMMC && k.plan.Setting != design.FMMC {
		k.holds(claim, false, "the certificate is about other weights: its size, setting or smallest eigenvalue differ from the plan's")
		return
	}
	proved := meet(c, k.plan.Edges).proves(c, k.plan.Nodes)
	f := Finding{Claim: claim, Status: OK, Claimed: b.RAsym, Recomputed: proved, Tolerance: boundTolerance}
	if !(b.RAsym <= proved+boundTolerance) {
		f.Status, f.Detail = False, "the certificate proves less"
	}
	k.report = append(k.report, f)
	k.notBelow(claim, b.RAsym)
}
