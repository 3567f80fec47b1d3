package bound

import (
	"math"

	"github.com/batopo/batopo/design"
)

// raise returns the largest value above start, less design.BoundSlack, for which proved holds; ok is
// false when there is none worth telling.
func raise(start float64, proved func(value float64) bool) (value float64, ok bool) {
	low, high := start+2*design.BoundSlack, 1.0
	if !(low < high) || !proved(low) {
		return 0, false
	}
	for high-low > design.BoundSlack/16 {
		if middle := (low + high) / 2; proved(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low - design.BoundSlack, true
}

// climbSteps shrinks the interval of a parameter by 4·10⁻⁹.
const climbSteps = 40

// climb looks for a place where a function with one peak on [low, high] is positive. It stops at the first one, so x
// is the last place where f was called.
func climb(low, high float64, f func(x float64) float64) (x float64, ok bool) {
	x, most := golden(low, high, 0, f)
	return x, most > 0
}

// lowest returns where a function with one valley on [low, high] is least.
func lowest(low, high float64, f func(x float64) float64) (x, least float64) {
	x, most := golden(low, high, math.Inf(1), func(x float64) float64 { return -f(x) })
	return x, -most
}

// golden returns where a function with one peak on [low, high] is highest, by golden sections, or the first place
// where it is more than enough.
func golden(low, high, enough float64, f func(x float64) float64) (x, most float64) {
	shrink := (math.Sqrt(5) - 1) / 2
	left, right := high-shrink*(high-low), low+shrink*(high-low)
	fLeft := f(left)
	if fLeft > enough {
		return left, fLeft
	}
	fRight := f(right)
	for steps := climbSteps; steps > 0 && !(fLeft > enough) && !(fRight > enough); steps-- {
		if fLeft > fRight {
			high, right, fRight = right, left, fLeft
			left = high - shrink*(high-low)
			fLeft = f(left)
		} else {
			low, left, fLeft = left, right, fRight
			right = low + shrink*(high-low)
			fRight = f(right)
		}
	}
	if fLeft > fRight || fLeft > enough {
		return left, fLeft
	}
	return right, fRight
}
