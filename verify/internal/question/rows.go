package question

import "math"

// rounding is what a trace may be off, per row, when numbers are of size 1. A trace has to
// exceed its limit by more, or an argument that only just fails would seem to succeed.
const rounding = 1e-14

// rows turns what one row of W contributes to a trace into what all of them do, whatever the degrees.
type rows struct {
	classes []class                  // by limit, ascending
	ends    float64                  // 2r: all degrees together are at most that
	row     func(degree int) float64 // R(d): least contribution of a row with d neighbours; +Inf: there is none
	least   float64                  // no row contributes less
	known   []float64                // R(1), R(2), …, as far as they were needed
}

// A class is all nodes with the same limit on their degree.
type class struct{ limit, nodes int }

func (l Limits) newRows(row func(degree int) float64, least float64) *rows {
	r := &rows{ends: 2 * float64(l.Edges), row: row, least: least}
	for _, d := range l.Degrees {
		if k := len(r.classes); k == 0 || r.classes[k-1].limit < d {
			r.classes = append(r.classes, class{limit: d})
		}
		r.classes[len(r.classes)-1].nodes++
	}
	return r
}

func (r *rows) at(degree int) float64 {
	for len(r.known) < degree {
		r.known = append(r.known, r.row(len(r.known)+1))
	}
	return r.known[degree-1]
}

// fewestEnds adds up the smallest degrees with which a row is possible; +Inf where a node has none.
func (r *rows) fewestEnds() float64 {
	d, ends := 1, 0.0
	for _, c := range r.classes {
		for ; math.IsInf(r.at(d), 1); d++ {
			if d == c.limit {
				return math.Inf(1)
			}
		}
		ends += float64(c.nodes * d)
	}
	return ends
}

// priced returns Σᵢ min {R(d) + price·d : 1 ≤ d ≤ cᵢ} − 2r·price, at most Σ R(dᵢ) for all degrees within
// the limits, and how fast it grows with the price.
func (r *rows) priced(price float64) (sum, slope float64) {
	best, at, d := math.Inf(1), 0.0, 1
	for _, c := range r.classes {
		for ; d <= c.limit && r.least+price*float64(d) <= best; d++ {
			if v := r.at(d) + price*float64(d); v < best || math.IsNaN(v) {
				best, at = v, float64(d) // a sum that is no number proves nothing
			}
		}
		sum += float64(c.nodes) * best
		slope += float64(c.nodes) * at
	}
	return sum - r.ends*price, slope - r.ends
}

// total returns the largest priced sum. The sum is concave and piecewise linear in the price: where the lines at
// a price too low and one too high meet, either both touch it, or a better pair of lines is found.
func (r *rows) total() float64 {
	if r.fewestEnds() > r.ends {
		return math.Inf(1) // no degrees are possible
	}
	const smallest = 0x1p-60
	low, high := 1.0, 1.0
	lowSum, lowSlope := r.priced(low)
	highSum, highSlope := lowSum, lowSlope
	for lowSlope <= 0 && low > smallest {
		low /= 8
		lowSum, lowSlope = r.priced(low)
	}
	for highSlope > 0 {
		high *= 8 // a high price makes the smallest possible degrees best
		highSum, highSlope = r.priced(high)
	}
	best := max(lowSum, highSum)
	for lowSlope > 0 && highSlope < 0 {
		price := (highSum - lowSum + lowSlope*low - highSlope*high) / (lowSlope - highSlope)
		top := lowSum + lowSlope*(price-low)
		sum, slope := r.priced(price)
		best = max(best, sum)
		if !(price > low && price < high) || sum >= top-1e-15*math.Abs(top) {
			break
		}
		if slope > 0 {
			low, lowSum, lowSlope = price, sum, slope
		} else {
			high, highSum, highSlope = price, sum, slope
		}
	}
	return best
}
