package bound

import (
	"fmt"
	"math"

	"github.com/batopo/batopo/design"
)

// twoStep bounds r_asym for weights of any sign by tr(W⁴ − ρ²W²) ≤ 1 − ρ², which holds when the spectrum besides the
// constant vector lies in [−ρ, ρ]. The entries of W² sum to 1 in every row and lie within two steps, and a node of
// degree d leads to at most d(d−1) pairs at distance two, so tr W⁴ is large unless degrees are. start is a bound on
// what is asked for that is already known.
func (q *question) twoStep(start float64) (b design.Bound, ok bool) {
	gamma := 0.0 // of the last value that was proved, which is the one returned
	rho, ok := raise(q.toContraction(start), func(rho float64) bool {
		widest := 2 / (q.average() * q.average())
		level, proved := climb(0, widest, func(level float64) float64 {
			return q.leastTotal(newTwoStep(q, rho, level).rows(q)) - (1 - rho*rho)
		})
		if proved {
			gamma = level
		}
		return proved
	})
	if !ok {
		return b, false
	}
	return design.Bound{
		RAsym: q.fromContraction(rho), Kind: design.TwoStepBound, Order: 2, Gamma: gamma,
		Detail: fmt.Sprintf("%s: the entries of W² sum to 1 in each row and lie within two steps, "+
			"which makes tr(W⁴ − ρ²W²) too large for a smaller value whatever the degrees and weights are", q.allowed()),
	}, true
}

// toContraction is the inverse of fromContraction.
func (q *question) toContraction(v float64) float64 {
	if !q.limited {
		return v
	}
	return max(0, (v-q.mu)/(2-q.mu-v))
}

// A twoStep holds the parameters of one attempt: the value ρ to be refuted and the
// level γ at which the entries of W² are compared, x² ≥ 2γx − γ².
type twoStep struct {
	rho2, level float64
	most        float64 // of Σ_j W_ij² at any node, by the ball argument with k = 1
}

func newTwoStep(q *question, rho, level float64) twoStep {
	return twoStep{rho2: rho * rho, level: level, most: rho*rho + (1-rho*rho)/float64(q.n)}
}

func (t twoStep) rows(q *question) rows {
	// Beyond this degree the second piece below applies without saturation, which the tail relies on. The tail
	// is looser than the table by about 1/size, so the table is made longer than it must be.
	const longer = 8
	long := 2*q.average() + 8 + t.most/t.level + math.Sqrt(2/t.level)
	size := int(min(float64(q.largest()), longer*long)) + 1
	r := rows{table: make([]float64, size)}
	r.table[0] = math.Inf(1)
	for d := 1; d < size; d++ {
		r.table[d] = t.row(d)
	}
	r.tail = func(d int) float64 { return t.tail(d, size-1) }
	return r
}

// row returns the least of
//
//	s² − (ρ² + 2γ)s + 2γ − γ²d − C(L(s))
//
// over the possible sums of squares s of a row with d neighbours. L(s) bounds what the pairs of neighbours with
// weights of the same sign add up to, and C what that can take from tr W⁴.
func (t twoStep) row(d int) float64 {
	least := 1 / float64(d+1)
	if least > t.most {
		return math.Inf(1)
	}
	degree := float64(d)
	if d < 4 {
		return t.piece(degree, degree-1, 0, least, t.most)
	}
	// Two bounds on L; the first is the smaller one up to the corner.
	offset := 0.5 + 0.5/(degree-3)
	corner := 2 * offset / degree
	return min(
		t.piece(degree, degree-1, 0, least, min(corner, t.most)),
		t.piece(degree, degree/2-1, offset, max(corner, least), t.most))
}

// piece is row for s in [from, to], where L(s) = slope·s + offset. C(L) is 2γL − L²/(d(d−1)) up to
// L = γd(d−1) and constant from there.
func (t twoStep) piece(d, slope, offset, from, to float64) float64 {
	g, pairs := t.level, d*(d-1)
	linear, constant := -(t.rho2 + 2*g), 2*g-g*g*d
	if pairs == 0 {
		return leastQuadratic(1, linear, constant, from, to)
	}
	full := (g*pairs - offset) / slope
	return min(
		leastQuadratic(1+slope*slope/pairs, linear-2*g*slope+2*slope*offset/pairs, constant-2*g*offset+offset*offset/pairs,
			from, min(full, to)),
		leastQuadratic(1, linear, constant-g*g*pairs, max(full, from), to))
}

// tail bounds row(d) for every d > known, with known as long as rows makes it: the
// square of L(s) is taken without its offset and with the smallest slope.
func (t twoStep) tail(d, known int) float64 {
	g, degree, shortest := t.level, float64(d), float64(known)
	half := 0.5 - 1/shortest
	return leastQuadratic(1+half*half, -(t.rho2 + 2*g + g*(degree-2)), 2*g-g*g*degree-g-g/(shortest-3), 0, t.most)
}

// leastQuadratic returns the least value of the convex function ax² + bx + c on [from, to],
// which is +Inf when that is empty.
func leastQuadratic(a, b, c, from, to float64) float64 {
	if from > to {
		return math.Inf(1)
	}
	x := min(max(-b/(2*a), from), to)
	return (a*x+b)*x + c
}
