package train

import (
	"github.com/batopo/batopo/design"

	"gonum.org/v1/gonum/floats"
)

// chunk is how many parameters are updated at a time, at all nodes: few enough that those of sixteen nodes stay in a
// processor's cache.
const chunk = 1024

// update takes the step of one chunk of parameters from the gradients: momentum, move and average.
func (r *Run) update(item int) {
	lo := item * chunk
	hi := min(lo+chunk, r.params)
	if decay := r.settings.WeightDecay; decay > 0 {
		for i := range r.nodes {
			floats.AddScaled(r.part(r.gradient, i, lo, hi), decay, r.part(r.x, i, lo, hi))
		}
	}
	direction := r.direction(lo, hi)
	r.move(direction, lo, hi)
	switch {
	case r.settings.Momentum == QuasiGlobal:
		r.lookBack(lo, hi)
	case r.settings.Momentum == Mixed && r.mixes && r.settings.Order == design.AdaptThenCombine:
		r.average(r.gradient, r.momentum, lo, hi) // gradients are no longer needed
		for i := range r.nodes {
			copy(r.part(r.momentum, i, lo, hi), r.part(r.gradient, i, lo, hi))
		}
	}
}

// direction computes d and says where it is kept: in the momentum or in place of the gradient.
func (r *Run) direction(lo, hi int) []float64 {
	beta := r.settings.Beta
	if r.settings.Momentum == QuasiGlobal {
		for i := range r.nodes {
			floats.AddScaled(r.part(r.gradient, i, lo, hi), beta, r.part(r.momentum, i, lo, hi))
		}
		return r.gradient
	}
	past := r.momentum
	if r.settings.Momentum == Mixed && r.mixes && r.settings.Order == design.CombineThenAdapt {
		past = r.next // not used yet
		r.average(past, r.momentum, lo, hi)
	}
	for i := range r.nodes {
		floats.AddScaledTo(r.part(r.momentum, i, lo, hi),
			r.part(r.gradient, i, lo, hi), beta, r.part(past, i, lo, hi))
	}
	return r.momentum
}

// move writes the new models into next.
func (r *Run) move(direction []float64, lo, hi int) {
	rate := r.settings.Rate
	switch {
	case !r.mixes:
		for i := range r.nodes {
			floats.AddScaledTo(r.part(r.next, i, lo, hi),
				r.part(r.x, i, lo, hi), -rate, r.part(direction, i, lo, hi))
		}
	case r.settings.Order == design.AdaptThenCombine:
		for i := range r.nodes {
			floats.AddScaledTo(r.part(r.gradient, i, lo, hi),
				r.part(r.x, i, lo, hi), -rate, r.part(direction, i, lo, hi))
		}
		r.average(r.next, r.gradient, lo, hi)
	default:
		r.average(r.next, r.x, lo, hi)
		for i := range r.nodes {
			floats.AddScaled(r.part(r.next, i, lo, hi), -rate, r.part(direction, i, lo, hi))
		}
	}
}

// lookBack updates quasi-global momentum by the way that the model went.
func (r *Run) lookBack(lo, hi int) {
	beta := r.settings.Beta
	share := (1 - beta) / r.settings.Rate
	for i := range r.nodes {
		u := r.part(r.momentum, i, lo, hi)
		floats.Scale(beta, u)
		floats.AddScaled(u, share, r.part(r.x, i, lo, hi))
		floats.AddScaled(u, -share, r.part(r.next, i, lo, hi))
	}
}

// average computes dst = W src for the parameters lo … hi−1 of all nodes.
func (r *Run) average(dst, src []float64, lo, hi int) {
	if r.round == nil {
		mean := r.part(dst, 0, lo, hi)
		copy(mean, r.part(src, 0, lo, hi))
		for i := 1; i < r.nodes; i++ {
			floats.Add(mean, r.part(src, i, lo, hi))
		}
		floats.Scale(1/float64(r.nodes), mean)
		for i := 1; i < r.nodes; i++ {
			copy(r.part(dst, i, lo, hi), mean)
		}
		return
	}
	self := r.round.Self()
	for i := range r.nodes {
		sum := r.part(dst, i, lo, hi)
		floats.ScaleTo(sum, self[i], r.part(src, i, lo, hi))
		from, weight := r.round.Row(i)
		for k, j := range from {
			floats.AddScaled(sum, weight[k], r.part(src, j, lo, hi))
		}
	}
}

func (r *Run) part(of []float64, node, lo, hi int) []float64 {
	return of[node*r.params+lo : node*r.params+hi]
}
