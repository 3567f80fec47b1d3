package question

import (
	"math"

	"github.com/batopo/batopo/design"
)

// walk is the argument that plays tr f(W) ≤ f(1) against closed walks of W, for weights that are not negative.
// f is a polynomial that is not positive where the spectrum lies and has c₃, c₄ ≥ 0.
type walk struct {
	f     quartic
	tau   float64 // what self weights of neighbours are compared with; any number is a proof
	least float64 // what every row contributes, whatever its degree
}

// refutedByWalks reports whether no W within the limits has value v or less.
func (l Limits) refutedByWalks(b *design.Bound, v float64) bool {
	lower := -v
	if l.Lowest != nil {
		lower = *l.Lowest
	}
	w, ok := cubicWalk(lower, v, b.Eta)
	if b.Order == 4 {
		w, ok = quarticWalk(lower, v, b.Theta, b.Tau)
	}
	if !ok {
		return false
	}
	size := 0.0
	for _, c := range w.f {
		size += math.Abs(c)
	}
	return l.newRows(w.row, w.least).total() > w.f.at(1)+rounding*size*float64(l.Nodes)
}

// cubicWalk is the argument with f(t) = (t − lower)(t − v)(t + eta). It needs the last factor not to
// be negative on the spectrum, and c₂ not to be negative.
func cubicWalk(lower, v, eta float64) (w walk, ok bool) {
	sum, product := lower+v, lower*v
	w.f = quartic{eta * product, product - eta*sum, eta - sum, 1, 0}
	w.least = w.anyRow()
	return w, lower < v && eta >= -lower && eta >= sum
}

// quarticWalk is the argument with f(t) = (t − lower)(t − v)(t − theta)². It needs c₃ not to be negative.
func quarticWalk(lower, v, theta, tau float64) (w walk, ok bool) {
	sum, product := lower+v, lower*v
	w.f = quartic{theta * theta * product, -theta*theta*sum - 2*theta*product, theta*theta + 2*theta*sum + product,
		-2*theta - sum, 1}
	w.tau = tau
	w.least = w.anyRow()
	return w, lower < v && theta <= -sum/2
}

// coefficient is B(a), what multiplies Σ W_ij² in a row with self weight a.
func (w walk) coefficient() [3]float64 {
	c4 := w.f[4]
	return [3]float64{w.f[2] - 4*c4*w.tau*w.tau, 3*w.f[3] + 8*c4*w.tau, 2 * c4}
}

// row returns the least that a node with d neighbours contributes: with equal weights, which are
// worst where K is not negative, or what holds for any degree.
func (w walk) row(d int) float64 {
	if d > 1 && w.uneven(d) < 0 {
		return w.least
	}
	_, value := w.f.plus(spread(w.coefficient(), d), w.fourth(d)).lowest(0, 1)
	return value
}

// uneven is the least K(a) on [0, 1]: unequal weights of a node with d neighbours add at least K times their variance.
func (w walk) uneven(d int) float64 {
	degree, b := float64(d), w.coefficient()
	k := 4 * w.f[4] / (degree * degree) * (degree - 1.5 - (degree-2)*(degree-2)/(degree*degree-1))
	q := quartic{b[0] + k, b[1] - 2*k, b[2] + k}
	_, value := q.lowest(0, 1)
	return value
}

// anyRow returns the least f(a) + B(a)S + c₄S² over 0 ≤ a ≤ 1 and S ≥ 0.
func (w walk) anyRow() float64 {
	b, c4 := w.coefficient(), w.f[4]
	if c4 == 0 {
		_, value := w.f.lowest(0, 1) // B ≥ 0
		return value
	}
	// Where B is negative, between its roots, the best S makes that f − B²/4c₄.
	from, to := realRoots(b)
	from, to = min(max(from, 0), 1), min(max(to, 0), 1)
	_, value := w.f.lowest(0, from)
	_, after := w.f.lowest(to, 1)
	value = min(value, after)
	if from < to {
		charge := quartic{b[0] * b[0], 2 * b[0] * b[1], b[1]*b[1] + 2*b[0]*b[2], 2 * b[1] * b[2], b[2] * b[2]}
		q := w.f
		for k := range q {
			q[k] -= charge[k] / (4 * c4)
		}
		_, between := q.lowest(from, to)
		value = min(value, between)
	}
	return value
}

// fourth is c₄(1−a)⁴(2d−1)/d³, what d equal weights give by walks that go out twice.
func (w walk) fourth(d int) quartic {
	degree := float64(d)
	c := w.f[4] * (2*degree - 1) / (degree * degree * degree)
	return quartic{c, -4 * c, 6 * c, -4 * c, c}
}

// spread returns b(a)·(1−a)²/d.
func spread(b [3]float64, d int) quartic {
	degree := float64(d)
	return quartic{b[0] / degree, (b[1] - 2*b[0]) / degree, (b[2] - 2*b[1] + b[0]) / degree, (b[1] - 2*b[2]) / degree,
		b[2] / degree}
}
