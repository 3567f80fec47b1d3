package bound

import "math"

// A quartic is a polynomial of degree at most 4: c₀ + c₁t + … + c₄t⁴.
type quartic [5]float64

func (c quartic) at(t float64) float64 { return (((c[4]*t+c[3])*t+c[2])*t+c[1])*t + c[0] }

func (c quartic) slope(t float64) float64 { return ((4*c[4]*t+3*c[3])*t+2*c[2])*t + c[1] }

// leastOnUnit returns the least value on [0, 1] and where it is.
func (c quartic) leastOnUnit() (value, at float64) { return c.leastOn(0, 1) }

// leastOn returns the least value on [from, to] and where it is. Between the zeros of the
// second derivative the slope is monotone and has at most one zero, which bisection finds.
func (c quartic) leastOn(from, to float64) (value, at float64) {
	value, at = c.at(from), from
	left := from
	first, second := zeros(12*c[4], 6*c[3], 2*c[2])
	for _, right := range [3]float64{first, second, to} {
		right = min(max(right, left), to)
		t := right
		if c.slope(left) < 0 && c.slope(right) > 0 {
			t = c.stationary(left, right)
		}
		if v := c.at(t); v < value {
			value, at = v, t
		}
		left = right
	}
	return value, at
}

// stationary returns the zero of the slope between left, where it is negative, and right, where it is positive.
func (c quartic) stationary(left, right float64) float64 {
	for range 60 {
		t := (left + right) / 2
		if t == left || t == right {
			break
		}
		if c.slope(t) < 0 {
			left = t
		} else {
			right = t
		}
	}
	return (left + right) / 2
}

// zeros returns the real zeros of at² + bt + c in ascending order; what does not exist is +Inf.
func zeros(a, b, c float64) (first, second float64) {
	inf := math.Inf(1)
	if a == 0 {
		if b == 0 {
			return inf, inf
		}
		return -c / b, inf
	}
	discriminant := b*b - 4*a*c
	if discriminant < 0 {
		return inf, inf
	}
	half := -(b + math.Copysign(math.Sqrt(discriminant), b)) / 2
	first = half / a
	second = first
	if half != 0 {
		second = c / half
	}
	return min(first, second), max(first, second)
}
