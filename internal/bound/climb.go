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

// climb looks for a place where a function with one peak on [low, high] is positive, by
// golden sections. It stops at the first one, so x is the last place where f was called.
func climb(low, high float64, f func(x float64) float64) (x float64, ok bool) {
	shrink := (math.Sqrt(5) - 1) / 2
	left, right := high-shrink*(high-low), low+shrink*(high-low)
	fLeft := f(left)
	if fLeft > 0 {
		return left, true
	}
	fRight := f(right)
	if fRight > 0 {
		return right, true
	}
	for range climbSteps {
		if fLeft > fRight {
			high, right, fRight = right, left, fLeft
			left = high - shrink*(high-low)
			fLeft = f(left)
			if fLeft > 0 {
				return left, true
			}
		} else {
			low, left, fLeft = left, right, fRight
			right = low + shrink*(high-low)
			fRight = f(right)
			if fRight > 0 {
				return right, true
			}
		}
	}
	return 0, false
}
