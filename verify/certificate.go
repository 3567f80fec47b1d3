package verify

import (
	"errors"
	"fmt"
	"math"

	"github.com/batopo/batopo/design"
)

// dual is a certificate met with a graph, every number with what rounding can have done to it.
type dual struct {
	upper, lower measured // traces t₁, t₂ on the complement of the all-ones vector
	prices       measured // Σ q over all nodes
	short        float64  // by how much q_i + q_j can fall short of d_k at worst
	sum          measured // of d_k over all edges
	sumAbs       float64  // no less than Σ |d_k|
}

// meet evaluates a valid certificate on the edges of a plan. It uses the definition of the columns, no symmetry
// of the graph: on the edge from (a, x) to (b, x+s) a column of block j has |u_i − u_j|² = |f_a − f_b ω^{js}|²/Size, so
// edges with the same a, b and s have the same d_k and are evaluated once.
func meet(c *design.Certificate, edges []design.PlanEdge) (dual, error) {
	scaled, err := unit(c)
	if err != nil {
		return dual{}, err
	}
	classes := classify(c, edges)
	if cost := float64(len(c.Upper)+len(c.Lower)) * float64(c.Orbits+len(classes)); cost > mostWork/4 {
		return dual{}, errTooLarge
	}
	upper, lower := scaled.side(c.Upper, classes), scaled.side(c.Lower, classes)
	length := upper.length + lower.length
	if !(upper.trace.value+lower.trace.value >= leastShare*length) {
		return dual{}, errors.New("its columns are constant up to rounding, and constants prove nothing")
	}
	d := dual{upper: upper.trace, lower: lower.trace}
	price := func(a int) float64 { return 0 }
	if len(c.Prices) > 0 {
		price = func(a int) float64 { return scaled.price(c.Prices[a]) }
		for a := range c.Prices {
			d.prices.value += price(a) * float64(c.Size)
		}
		d.prices.err = unitRoundoff * float64(c.Orbits+4) * d.prices.value
	}
	for k, class := range classes {
		plus, minus := upper.onEdge[k], lower.onEdge[k]
		value := plus.value - minus.value
		err := plus.err + minus.err + unitRoundoff*(plus.value+minus.value)
		count := float64(class.count)
		d.sum.value += count * value
		d.sum.err += count * err
		d.sumAbs += count * (math.Abs(value) + err)
		if len(c.Prices) > 0 {
			pays := price(class.a) + price(class.b)
			d.short = max(d.short, value+err-pays+4*unitRoundoff*(plus.value+minus.value+pays))
		}
	}
	// The sums over classes themselves.
	d.sum.err += unitRoundoff * float64(len(classes)+4) * d.sumAbs
	d.sumAbs *= 1 + unitRoundoff*float64(len(classes)+4)
	return d, nil
}

// proves returns a value that weak duality gives for any weights on the edges, rounding charged against it.
//
// For every W with weights g on them, ⟨Y₁ − Y₂, W⟩ on the complement of the all-ones vector is
// t₁ − t₂ − Σ g d. It is at most (t₁ + t₂)·r_asym, and at most t₁λ₂ − μt₂ under W ⪰ μI.
func (d dual) proves(c *design.Certificate, n int) float64 {
	nodes := float64(n)
	var above, below measured // the value is at least above/below
	switch mu := c.MinEigenvalue; {
	case c.Sign == design.NonNegative:
		// Σ g d ≤ Σ q; where prices are short of d_k they are raised at every node, Σ_k g_k ≤ n/2.
		charge := d.prices.plus(measured{value: d.short * nodes / 2})
		above, below = d.upper.minus(d.lower).minus(charge), d.upper.plus(d.lower)
		if mu != nil {
			above, below = d.upper.minus(d.lower.times(1-*mu)).minus(charge), d.upper
		}
	case mu == nil:
		// Free weights: |w_ij − (1 − (v+v₀)/2)/n| ≤ (1 − 1/n)(v − v₀)/2 where the spectrum lies in [v₀, v].
		spread := measured{value: (1 - 1/nodes) * d.sumAbs}
		above, below = d.upper.minus(d.lower).minus(d.sum.times(1/nodes)), d.upper.plus(d.lower).plus(spread)
	default:
		spread := measured{value: (1 - 1/nodes) * d.sumAbs}
		above = d.upper.minus(d.lower.times(1 - *mu)).minus(d.sum.times((1 - *mu/2) / nodes)).plus(spread.times(*mu / 2))
		below = d.upper.minus(d.sum.times(1 / (2 * nodes))).plus(spread.times(0.5))
	}
	return above.over(below)
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
	case !k.plan.Static() || k.plan.Directed:
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
	if c.Nodes() != k.plan.Nodes || !sameLimit || c.Sign == design.NonNegative && k.plan.Sign != design.NonNegative {
		k.holds(claim, false, "the certificate is about other weights: its size, setting or smallest "+
			"eigenvalue differ from the plan's")
		return
	}
	d, err := meet(c, k.plan.Edges())
	switch {
	case errors.Is(err, errTooLarge):
		k.unproved(claim, b.RAsym, fmt.Sprintf("%d columns on %d edges: %v",
			len(c.Upper)+len(c.Lower), len(k.plan.Edges()), err))
		k.notBelow(claim, b.RAsym)
		return
	case err != nil:
		k.holds(claim, false, err.Error())
		return
	}
	proved := d.proves(c, k.plan.Nodes)
	f := Finding{Claim: claim, Status: OK, Claimed: b.RAsym, Recomputed: proved, Tolerance: design.ClaimTolerance}
	if !(b.RAsym <= proved+design.ClaimTolerance) {
		f.Status, f.Detail = False, "the certificate proves less"
	}
	k.add(f)
	k.notBelow(claim, b.RAsym)
}
