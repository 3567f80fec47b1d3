package question

import "math"

// quartic is a polynomial c₀ + c₁t + … + c₄t⁴.
type quartic [5]float64

func (q quartic) at(t float64) float64 {
	return q[0] + t*(q[1]+t*(q[2]+t*(q[3]+t*q[4])))
}

func (q quartic) slope(t float64) float64 {
	return q[1] + t*(2*q[2]+t*(3*q[3]+t*4*q[4]))
}

func (q quartic) plus(others ...quartic) quartic {
	for _, o := range others {
		for k := range q {
			q[k] += o[k]
		}
	}
	return q
}

// lowest returns where on [from, to] the quartic is least, and how low. Between the turning
// points of the slope, the slope is monotone, so halving finds every place where it changes from falling to rising.
func (q quartic) lowest(from, to float64) (at, value float64) {
	at, value = from, q.at(from)
	try := func(t float64) {
		if v := q.at(t); v < value {
			at, value = t, v
		}
	}
	try(to)
	first, second := realRoots([3]float64{2 * q[2], 6 * q[3], 12 * q[4]})
	a := from
	for _, b := range [3]float64{min(max(first, from), to), min(max(second, from), to), to} {
		if q.slope(a) < 0 && q.slope(b) > 0 {
			low, high := a, b
			// The value at a minimum is off by the square of the place's error.
			for high-low > 1e-9 {
				if middle := (low + high) / 2; q.slope(middle) < 0 {
					low = middle
				} else {
					high = middle
				}
			}
			try((low + high) / 2)
		}
		a = b
	}
	return at, value
}

// realRoots returns the real roots of c₀ + c₁t + c₂t², ascending; +Inf, or both +Inf, where there are fewer.
func realRoots(c [3]float64) (first, second float64) {
	none := math.Inf(1)
	if c[2] == 0 {
		if c[1] == 0 {
			return none, none
		}
		return -c[0] / c[1], none
	}
	square := c[1]*c[1] - 4*c[0]*c[2]
	if square < 0 {
		return none, none
	}
	// The larger of the two sums loses no digits; the other root follows from the product.
	half := -(c[1] + math.Copysign(math.Sqrt(square), c[1])) / 2
	if half == 0 {
		return 0, 0
	}
	r, s := half/c[2], c[0]/half
	return min(r, s), max(r, s)
}
