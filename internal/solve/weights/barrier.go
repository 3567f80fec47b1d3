package weights

import "github.com/batopo/batopo/internal/solve/weights/internal/matrix"

// A barrier is what the interior-point methods share: a point within the linear limits of a program, the multipliers
// of those limits, the step at work and Newton's system.
type barrier struct {
	p *program

	x          []float64 // weights, then whatever else the method minimises over
	slack      []float64 // 1 − rows·x
	low, price []float64 // multipliers of weights ≥ 0 and of the rows

	dx, dslack, dlow, dprice []float64 // a step

	h        matrix.System // Newton's matrix
	gradient []float64     // of the barrier
}

// prepare takes over a program with extra variables besides its weights; memory of an earlier one is used again.
func (b *barrier) prepare(p *program, others int) {
	b.p = p
	limits := 0
	if p.limited {
		limits = p.vars
	}
	for _, f := range []*[]float64{&b.x, &b.dx, &b.gradient} {
		matrix.Resize(f, p.vars+others)
	}
	for _, f := range []*[]float64{&b.slack, &b.price, &b.dslack, &b.dprice} {
		matrix.Resize(f, p.rows())
	}
	for _, f := range []*[]float64{&b.low, &b.dlow} {
		matrix.Resize(f, limits)
	}
	b.h.Resize(p.vars + others)
}

// addLimits adds what the linear limits contribute to Newton's matrix and to the gradient of the barrier.
func (b *barrier) addLimits() {
	for k, low := range b.low {
		b.h.Add(k, k, low/b.x[k])
		b.gradient[k] += 1 / b.x[k]
	}
	p := b.p
	for i, q := range b.price {
		ratio := q / b.slack[i]
		for e := p.start[i]; e < p.start[i+1]; e++ {
			k := p.index[e]
			b.gradient[k] -= p.coef[e] / b.slack[i]
			for f := e; f < p.start[i+1]; f++ {
				l := p.index[f]
				b.h.Add(min(k, l), max(k, l), ratio*p.coef[e]*p.coef[f])
			}
		}
	}
}

// slackStep derives dslack from dx.
func (b *barrier) slackStep() {
	p := b.p
	for i := range b.dslack {
		sum := 0.0
		for e := p.start[i]; e < p.start[i+1]; e++ {
			sum -= p.coef[e] * b.dx[p.index[e]]
		}
		b.dslack[i] = sum
	}
}

// longest returns the longest steps that keep x and slacks, and their multipliers, from becoming negative.
func (b *barrier) longest() (primal, dual float64) {
	primal = min(ratioTest(b.x[:len(b.low)], b.dx), ratioTest(b.slack, b.dslack))
	return primal, min(ratioTest(b.low, b.dlow), ratioTest(b.price, b.dprice))
}
