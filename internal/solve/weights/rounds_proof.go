package weights

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/batopo/batopo/topology"
)

// A roundsProof is the best lower limit on N that was met in a minimisation, and where.
type roundsProof struct {
	bound   float64
	weights []float64
	prices  []float64
	floor   float64 // strength of the multiplier of the smallest eigenvalue

	trial, pull []float64
}

func (r *roundsProof) prepare(p *program, l topology.Lift) {
	r.weights, r.pull = make([]float64, p.vars), make([]float64, p.vars)
	if p.limited {
		r.prices, r.trial = make([]float64, l.Orbits), make([]float64, l.Orbits)
	}
}

// prove computes what the weights and multipliers at hand prove: with Y = (W₀ − J)^{p−1} at dual norm 1, Hölder's
// inequality gives
//
//	N(W) ≥ ⟨Y, W − J⟩ ≥ tr Y − (1−μ) tr Z − Σ g_k d_k,   d_k = aₖᵀ(Y − Z)aₖ
//
// for every W on the edges, with any Z ⪰ 0 where W ⪰ μI, and Σ g_k d_k ≤ Σ q once q_i + q_j ≥ d_k.
func (w *roundsMethod) prove() {
	r, s := &w.proof, w.norm
	bound := s.Trace()
	strength := 0.0
	if w.p.floored {
		strength = w.strength
		bound -= (1 - w.p.floor) * strength * s.InverseTrace(w.p.floor)
	}
	for k := range r.pull {
		r.pull[k] = (w.descent[k] - w.resist[k]) / s.Edges[k]
	}
	if w.p.limited {
		for a, q := range w.price {
			r.trial[a] = q / float64(w.lift.Size)
		}
		raisePrices(r.trial, w.lift.Arcs, r.pull)
		bound -= floats.Sum(r.trial) * float64(w.lift.Size)
	} else {
		n, radius := float64(w.lift.Nodes()), w.aim
		if radius == 0 {
			radius = w.value
		}
		for k, d := range r.pull {
			bound -= s.Edges[k] * (d/n + radius*(1-1/n)*math.Abs(d))
		}
	}
	if bound > r.bound {
		r.bound, r.floor = bound, strength
		copy(r.weights, w.x)
		copy(r.prices, r.trial)
	}
}
