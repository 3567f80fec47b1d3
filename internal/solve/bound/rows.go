package bound

import "math"

// rows bounds what a row of W contributes to a trace from below, by its number d of neighbours.
type rows struct {
	table []float64           // for d < len(table); table[0] is +Inf, as are degrees that cannot occur
	tail  func(d int) float64 // for d ≥ len(table); concave in d
}

// leastTotal returns a lower bound on the sum of rows over all nodes and all degree sequences within the limits:
//
//	max over ℓ ≥ 0 of Σ_i min {row(d) + ℓd : d ≤ limit of i} − ℓ·(edge ends).
//
// Every price ℓ gives a proof; the best is found by bisection, since the degrees chosen fall as it rises.
func (q *question) leastTotal(r rows) float64 {
	value, ends := q.priced(r, 0)
	if ends <= q.ends {
		return value
	}
	best := value
	low, high := 0.0, 0x1p-40
	for {
		value, ends = q.priced(r, high)
		best = max(best, value)
		if ends <= q.ends {
			break
		}
		low, high = high, 4*high
		if high > 0x1p40 {
			return math.Inf(1) // even the smallest possible degrees need more edges than there are
		}
	}
	for range priceSteps {
		price := (low + high) / 2
		value, ends = q.priced(r, price)
		best = max(best, value)
		if ends > q.ends {
			low = price
		} else {
			high = price
		}
	}
	return best
}

// priceSteps halves the interval of prices to the last bits of its width.
const priceSteps = 48

// priced returns Σ_i min {row(d) + price·d} − price·(edge ends there can be), and the edge ends that are chosen.
func (q *question) priced(r rows, price float64) (value float64, ends int) {
	least, at := math.Inf(1), 0
	d := 0
	for _, c := range q.classes {
		for ; d < len(r.table) && d <= c.most; d++ {
			if v := r.table[d] + price*float64(d); v < least {
				least, at = v, d
			}
		}
		here, chosen := least, at
		if c.most >= len(r.table) { // a concave function is least at an end
			for _, e := range [2]int{len(r.table), c.most} {
				if v := r.tail(e) + price*float64(e); v < here {
					here, chosen = v, e
				}
			}
		}
		value += float64(c.nodes) * here
		ends += c.nodes * chosen
	}
	return value - price*float64(q.ends), ends
}
