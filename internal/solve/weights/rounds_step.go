package weights

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// step does one Newton step; false when none gets anywhere.
func (w *roundsMethod) step() bool {
	p := w.p
	w.h.Reset()
	floorStrength := 0.0
	if p.floored {
		floorStrength = w.strength
	}
	if !w.norm.Curvature(w.h.Matrix, w.descent, p.floor, floorStrength) {
		return false
	}
	clear(w.gradient)
	w.addLimits()
	if !w.h.Factorise() {
		return false
	}
	for k, d := range w.descent {
		w.dx[k] = d - w.resist[k] + w.strength*w.gradient[k]
	}
	w.h.Solve(w.dx)
	if floats.HasNaN(w.dx) {
		return false
	}
	w.follow()
	primal, dual := w.longest()
	dual = min(1, boundary*dual)
	primal, ok := w.search(min(1, boundary*primal))
	floats.AddScaled(w.low, dual, w.dlow)
	floats.AddScaled(w.price, dual, w.dprice)
	w.taken = min(primal, dual)
	return ok
}

// follow derives the steps of slacks and multipliers from dx.
func (w *roundsMethod) follow() {
	for k, low := range w.low {
		w.dlow[k] = (w.strength-low*w.dx[k])/w.x[k] - low
	}
	w.slackStep()
	for i, q := range w.price {
		w.dprice[i] = (w.strength-q*w.dslack[i])/w.slack[i] - q
	}
}

// barrierValue is the function that a step must lower, at the weights that were evaluated last.
func (w *roundsMethod) barrierValue() float64 {
	sum := 0.0
	for _, v := range w.x[:len(w.low)] {
		sum += math.Log(v)
	}
	for _, v := range w.slack {
		sum += math.Log(v)
	}
	if w.p.floored {
		sum += w.norm.LogDistance(w.p.floor)
	}
	return w.value - w.strength*sum
}

// search moves along dx, at most step, until the barrier function falls. Where the fall promised is lost in rounding
// any step will do.
func (w *roundsMethod) search(step float64) (taken float64, ok bool) {
	const (
		shorten  = 0.5
		enough   = 1e-3
		rounding = 1e-13
		smallest = 1e-6
	)
	before := w.barrierValue()
	slope := 0.0
	for k, d := range w.descent {
		slope -= w.dx[k] * (d - w.resist[k] + w.strength*w.gradient[k])
	}
	w.decrement = -slope / w.strength
	copy(w.trial, w.x)
	for ; step >= smallest; step *= shorten {
		floats.AddScaledTo(w.x, w.trial, step, w.dx)
		w.p.room(w.slack, w.x)
		if w.evaluate() && w.barrierValue() <= before+enough*step*slope+rounding*w.value {
			return step, true
		}
	}
	copy(w.x, w.trial)
	w.p.room(w.slack, w.x)
	w.evaluate()
	return 0, false
}

// centred reports whether x minimises the barrier function of the present strength, so that nothing of the gradient
// is left to weaken the proof.
func (w *roundsMethod) centred() bool { return w.taken == 1 && w.decrement < 1e-7 }

// weaken lowers the barrier: fast after full steps, slowly after short ones. The floor's barrier has no multiplier that
// moves along, so with one the strength stays until x is centred.
func (w *roundsMethod) weaken() {
	if w.p.floored {
		if w.centred() {
			w.strength *= 0.1
			w.resistFloor()
		}
		return
	}
	count := len(w.low) + len(w.price)
	if count == 0 {
		return
	}
	mean := (floats.Dot(w.low, w.x[:len(w.low)]) + floats.Dot(w.price, w.slack)) / float64(count)
	factor := 0.5
	if w.taken > 0.9 {
		factor = 0.1
	}
	w.strength = factor * min(mean, 2*w.strength)
}
