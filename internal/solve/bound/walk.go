package bound

import (
	"fmt"
	"math"

	"github.com/batopo/batopo/design"
)

// walk bounds the value for weights that are not negative. A polynomial
//
//	f(t) = (t − lower)(t − v)·g(t),   g ≥ 0 on [lower, v]
//
// is not positive on a spectrum within [lower, v], so tr f(W) ≤ f(1); and the closed walks
// that go out and back over the same edges, which every graph has, bound tr f(W) from below row by row.
// start is a bound that is already known.
func (q *question) walk(start float64) (b design.Bound, ok bool) {
	if !q.fmmc {
		return b, false
	}
	for order := 3; order <= 4; order++ {
		from := max(start, 0)
		if order == 4 {
			from *= 0.95 // refine gains no more than that
		}
		var last walkProof // of the largest value that was proved, which is the one returned
		v, proved := raise(from, func(v float64) bool {
			w, proved := q.walkProves(v, order)
			if proved {
				last = w
			}
			return proved
		})
		if proved && order == 4 {
			v = q.refine(&last, v)
		}
		if proved && v > start {
			start, ok = v, true
			b = design.Bound{RAsym: v, Order: order, Eta: last.eta, Theta: last.theta, Tau: last.tau}
		}
	}
	b.Kind = design.WalkBound
	b.Detail = fmt.Sprintf("%s: the closed walks of up to %d steps that retrace their edges make tr f(W) too large for "+
		"a smaller value whatever the degrees and the weights, not negative, are", q.allowed(), b.Order)
	return b, ok
}

// walkProves looks for a polynomial of the order that refutes the value v.
func (q *question) walkProves(v float64, order int) (w walkProof, ok bool) {
	lower := q.lower(v)
	if !(lower < v) {
		return w, false
	}
	_, ok = climb(0, 1, func(x float64) float64 {
		w = newWalk(lower, v, x, order)
		if order == 4 {
			w.tau = w.balanced(math.Floor(q.average()))
		}
		return q.leastTotal(w.rows(q)) - w.f.at(1)
	})
	return w, ok
}

// lower returns what the spectrum is limited by from below when the value is v.
func (q *question) lower(v float64) float64 {
	if q.limited {
		return q.mu
	}
	return -v
}

// A walkProof holds the coefficients of f, the η or θ that gave them, and the self weight τ at
// which the product of two self weights is linearised; with order 3 there is no such product.
type walkProof struct {
	f          quartic
	eta, theta float64
	tau        float64
}

// newWalk builds f of order 3, with g(t) = t + η, or 4, with g(t) = (t − θ)². The parameter x in (0, 1) runs over the
// η ≥ max(−lower, lower + v) or the θ ≤ −(lower + v)/2, for which the coefficient of t³ is not negative.
func newWalk(lower, v, x float64, order int) walkProof {
	sum, product := lower+v, lower*v
	if order == 4 {
		return quarticWalk(lower, v, -sum/2-x)
	}
	eta := max(-lower, sum) + x/(1-x)
	return walkProof{f: quartic{eta * product, product - eta*sum, eta - sum, 1, 0}, eta: eta}
}

func quarticWalk(lower, v, theta float64) walkProof {
	sum, product := lower+v, lower*v
	return walkProof{theta: theta, f: quartic{
		theta * theta * product,
		-theta*theta*sum - 2*theta*product,
		theta*theta + 2*theta*sum + product,
		-2*theta - sum,
		1,
	}}
}

// square returns the coefficients of B(a), the factor of Σ_j w_ij² in a row with self weight a:
//
//	B(a) = c₄(2a² + 8τa − 4τ²) + 3c₃a + c₂.
func (w walkProof) square() (b2, b1, b0 float64) {
	c := w.f
	return 2 * c[4], 8*c[4]*w.tau + 3*c[3], c[2] - 4*c[4]*w.tau*w.tau
}

// equalRow returns, as a polynomial in the self weight a, what a row with d equal weights contributes:
//
//	f(a) + B(a)(1−a)²/d + c₄(1−a)⁴(2d−1)/d³.
func (w walkProof) equalRow(b2, b1, b0, d float64) quartic {
	p := w.f
	p[0] += b0 / d
	p[1] += (b1 - 2*b0) / d
	p[2] += (b2 - 2*b1 + b0) / d
	p[3] += (b1 - 2*b2) / d
	p[4] += b2 / d
	fourth := w.f[4] * (2*d - 1) / (d * d * d)
	for k, binomial := range [5]float64{1, -4, 6, -4, 1} {
		p[k] += fourth * binomial
	}
	return p
}

// balanced returns the self weight at which rows with d neighbours that are all alike contribute
// least: there the linearisation with τ should be exact.
func (w walkProof) balanced(d float64) float64 {
	c := w.f
	_, at := w.equalRow(6*c[4], 3*c[3], c[2], d).leastOnUnit()
	return at
}

func (w walkProof) rows(q *question) rows {
	size := min(q.largest(), int(4*q.average())+16) + 1
	r := rows{table: make([]float64, size)}
	r.table[0] = math.Inf(1)
	anything := w.anyRow()
	b2, b1, b0 := w.square()
	for d := 1; d < size; d++ {
		r.table[d] = anything
		if w.equalIsLeast(float64(d)) {
			r.table[d], _ = w.equalRow(b2, b1, b0, float64(d)).leastOnUnit()
		}
	}
	r.tail = func(int) float64 { return anything }
	return r
}

// equalIsLeast reports whether, for every self weight, equal weights on d edges contribute
// least. A spread V of their squares changes the row by at least V times
//
//	c₄(1−a)²·(4/d²)(d − 3/2 − (d−2)²/(d²−1)) + B(a).
func (w walkProof) equalIsLeast(d float64) bool {
	if d == 1 {
		return true
	}
	b2, b1, b0 := w.square()
	k := w.f[4] * 4 / (d * d) * (d - 1.5 - (d-2)*(d-2)/(d*d-1))
	return leastQuadratic(b2+k, b1-2*k, b0+k, 0, 1) >= 0
}

// anyRow bounds a row whatever its weights are: the least of f(a) + B(a)S + c₄S² over S ≥ 0.
func (w walkProof) anyRow() float64 {
	least, _ := w.f.leastOnUnit()
	if w.f[4] == 0 {
		return least // B(a) is not negative
	}
	b2, b1, b0 := w.square()
	if b0 >= 0 {
		return least
	}
	// B rises on [0, 1], from a negative value to one that may still be negative.
	zero := 1.0
	if b2+b1+b0 > 0 {
		zero = 2 * -b0 / (b1 + math.Sqrt(b1*b1-4*b2*b0))
	}
	p := w.f
	quarter := 1 / (4 * w.f[4])
	for k, square := range [5]float64{b0 * b0, 2 * b0 * b1, b1*b1 + 2*b0*b2, 2 * b1 * b2, b2 * b2} {
		p[k] -= quarter * square
	}
	low, _ := p.leastOn(0, zero)
	return min(least, low)
}
