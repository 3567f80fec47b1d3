package weights

import "gonum.org/v1/gonum/floats"

// assemble computes the Schur complement and the barrier's gradient.
func (w *interior) assemble() {
	w.h.Reset()
	clear(w.gradient)
	w.c.schur(w.h.Matrix)
	w.c.gradient(w.gradient)
	w.addLimits()
}

// newton solves for the step dx that aims at complementarity ν, and derives the
// steps of slacks and their multipliers. Linearised complementarity put into the dual
// constraints leaves
//
//	h·dx = −e_s + ν·gradient − second
//
// whatever the multipliers' present imbalance: a full step removes it. ν = 0 is the prediction, which has no
// second-order terms.
func (w *interior) newton(nu float64) {
	copy(w.dx, w.gradient)
	floats.Scale(nu, w.dx)
	w.dx[w.p.vars]--
	if nu > 0 {
		floats.Sub(w.dx, w.second)
	} else {
		clear(w.lowSecond)
		clear(w.priceSecond)
	}
	w.h.Solve(w.dx)
	for k, low := range w.low {
		w.dlow[k] = (nu-w.lowSecond[k]-low*w.dx[k])/w.x[k] - low
	}
	w.slackStep()
	for i, q := range w.price {
		w.dprice[i] = (nu-w.priceSecond[i]-q*w.dslack[i])/w.slack[i] - q
	}
}

// keepSecondOrder stores the products that the predicted step leaves out.
func (w *interior) keepSecondOrder() {
	clear(w.second)
	w.c.secondOrder(w.second)
	for k := range w.low {
		w.lowSecond[k] = w.dlow[k] * w.dx[k]
		w.second[k] += w.lowSecond[k] / w.x[k]
	}
	p := w.p
	for i := range w.price {
		w.priceSecond[i] = w.dprice[i] * w.dslack[i]
		for e := p.start[i]; e < p.start[i+1]; e++ {
			w.second[p.index[e]] -= p.coef[e] * w.priceSecond[i] / w.slack[i]
		}
	}
}

// addLimits adds what the linear limits contribute to Newton's matrix and to the gradient of the barrier.
func (w *interior) addLimits() {
	for k, low := range w.low {
		w.h.Add(k, k, low/w.x[k])
		w.gradient[k] += 1 / w.x[k]
	}
	p := w.p
	for i, q := range w.price {
		ratio := q / w.slack[i]
		for e := p.start[i]; e < p.start[i+1]; e++ {
			k := p.index[e]
			w.gradient[k] -= p.coef[e] / w.slack[i]
			for f := e; f < p.start[i+1]; f++ {
				l := p.index[f]
				w.h.Add(min(k, l), max(k, l), ratio*p.coef[e]*p.coef[f])
			}
		}
	}
}

// slackStep derives dslack from dx.
func (w *interior) slackStep() {
	p := w.p
	for i := range w.dslack {
		sum := 0.0
		for e := p.start[i]; e < p.start[i+1]; e++ {
			sum -= p.coef[e] * w.dx[p.index[e]]
		}
		w.dslack[i] = sum
	}
}

// longest returns the longest steps that keep x and slacks, and their multipliers, from becoming negative.
func (w *interior) longest() (primal, dual float64) {
	primal = min(ratioTest(w.x[:len(w.low)], w.dx), ratioTest(w.slack, w.dslack))
	return primal, min(ratioTest(w.low, w.dlow), ratioTest(w.price, w.dprice))
}
