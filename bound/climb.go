package bound

import "math"

// valueSlack is what a searched bound stays below the largest value that could be proved. It
// leaves rechecking by other arithmetic, and by another search for the free parameter, an open door.
const valueSlack = 1e-8

// raise returns the largest value above start, less valueSlack, for which proved holds; ok is
// false when there is none worth telling.
func raise(start float64, proved func(value float64) bool) (value float64, ok bool) {
	low, high := start+2*valueSlack, 1.0
	if !(low < high) || !proved(low) {
		return 0, false
	}
	for high-low > valueSlack/16 {
		if middle := (low + high) / 2; proved(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low - valueSlack, true
}

// climbSteps shrinks the interval of a parameter by 4·10⁻⁹.
const climbSteps = 40

// climb looks for a positive value of a function with one peak on [low, high] by
// golden sections.
func climb(low, high float64, f func(x float64) float64) bool {
	shrink := (math.Sqrt(5) - 1) / 2
	left, right := high-shrink*(high-low), low+shrink*(high-low)
	fLeft, fRight := f(left), f(right)
	for range climbSteps {
		if fLeft > 0 || fRight > 0 {
			return true
		}
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
	return fLeft > 0 || fRight > 0
}
