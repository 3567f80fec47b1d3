package weights

import (
	"math"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/weights/internal/matrix"
	"github.com/batopo/batopo/topology"
)

// asLift returns a plain graph in the terms of a certificate: orbits of one node each.
func asLift(g *topology.Graph) topology.Lift {
	arcs := make([]topology.Arc, len(g.Edges()))
	for k, e := range g.Edges() {
		arcs[k] = topology.Arc{A: e.I, B: e.J}
	}
	return topology.Lift{Orbits: g.Nodes(), Size: 1, Arcs: arcs}
}

// tension returns d of every arc: Σ ±|u_i − u_j|² over the columns, at one of its edges.
func tension(c *design.Certificate, arcs []topology.Arc) []float64 {
	d := make([]float64, len(arcs))
	root := matrix.Phases(c.Size)
	add := func(columns []design.Column, sign float64) {
		scale := sign / float64(c.Size)
		for _, f := range columns {
			for k, arc := range arcs {
				w := root[f.Block*arc.S%c.Size]
				re, im := entry(f, arc.A)
				br, bi := entry(f, arc.B)
				re -= br*real(w) - bi*imag(w)
				im -= br*imag(w) + bi*real(w)
				d[k] += scale * (re*re + im*im)
			}
		}
	}
	add(c.Upper, 1)
	add(c.Lower, -1)
	return d
}

func entry(f design.Column, a int) (re, im float64) {
	if f.Im == nil {
		return f.Re[a], 0
	}
	return f.Re[a], f.Im[a]
}

// mass returns the trace on the complement of the all-ones vector.
func mass(columns []design.Column, orbits int) float64 {
	total := 0.0
	for _, f := range columns {
		var re, im float64
		for a := range orbits {
			x, y := entry(f, a)
			total += x*x + y*y
			re, im = re+x, im+y
		}
		if f.Block == 0 { // other characters are orthogonal to it
			total -= (re*re + im*im) / float64(orbits)
		}
	}
	return total
}

// raisePrices lifts prices until q_i + q_j ≥ d on every arc, half of what is missing at each end.
func raisePrices(prices []float64, arcs []topology.Arc, d []float64) {
	for k, arc := range arcs {
		if short := d[k] - prices[arc.A] - prices[arc.B]; short > 0 {
			if arc.A == arc.B {
				prices[arc.A] += short / 2
				continue
			}
			prices[arc.A] += short / 2
			prices[arc.B] = max(prices[arc.B], d[k]-prices[arc.A])
		}
	}
}

// prove returns the bound that a certificate gives for weights on the arcs, by
// weak duality alone. Prices must be high enough for d.
func prove(c *design.Certificate, l topology.Lift, d []float64) float64 {
	upper, lower := mass(c.Upper, c.Orbits), mass(c.Lower, c.Orbits)
	if c.Sign == design.NonNegative {
		charge := 0.0
		for _, q := range c.Prices {
			charge += q * float64(c.Size)
		}
		if c.MinEigenvalue == nil {
			return (upper - lower - charge) / (upper + lower)
		}
		return (upper - (1-*c.MinEigenvalue)*lower - charge) / upper
	}
	n := float64(l.Nodes())
	sum, spread := 0.0, 0.0
	for k, arc := range l.Arcs {
		edges := float64(l.EdgesOf(arc))
		sum += edges * d[k] / n
		spread += edges * math.Abs(d[k]) * (1 - 1/n)
	}
	if c.MinEigenvalue == nil {
		return (upper - lower - sum) / (upper + lower + spread)
	}
	mu := *c.MinEigenvalue
	return (upper - (1-mu)*lower - (1-mu/2)*sum + mu/2*spread) / (upper - sum/2 + spread/2)
}

// certify turns the multipliers at hand into a certificate, as small as it can
// be without losing much of the bound, and returns what it proves. For lifts the multipliers are
// as symmetric as the weights, so per-edge conditions hold as the per-arc ones do.
func (w *interior) certify(l topology.Lift, s Settings) (*design.Certificate, float64) {
	// Dropping a trace of ε costs a small multiple of ε. The last round keeps everything.
	const lossAllowed = 5e-9
	var best *design.Certificate
	proved := math.Inf(-1)
	for _, drop := range []float64{1e-8, 1e-9, 1e-10, 1e-11, 0} {
		c := &design.Certificate{Sign: s.Sign, MinEigenvalue: copied(s.MinEigenvalue), Orbits: l.Orbits, Size: l.Size,
			Upper: w.c.columns(0, drop), Lower: w.c.columns(1, drop)}
		tidy(c.Upper)
		tidy(c.Lower)
		d := tension(c, l.Arcs)
		if s.Sign == design.NonNegative {
			c.Prices = make([]float64, l.Orbits)
			for a, q := range w.price {
				c.Prices[a] = q / float64(l.Size)
			}
			raisePrices(c.Prices, l.Arcs, d)
		}
		if value := prove(c, l, d); value > proved {
			best, proved = c, value
		}
		if proved >= w.bound-lossAllowed {
			break
		}
	}
	return best, proved
}

// copied returns a pointer to a copy, since the caller's variable may change.
func copied(v *float64) *float64 {
	if v == nil {
		return nil
	}
	c := *v
	return &c
}
