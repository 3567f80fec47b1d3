package paper

import (
	"math"
	"strconv"
	"strings"
)

// A Decimal is a number as printed, so that its last digit is known.
type Decimal string

// UnmarshalJSON keeps the digits of a JSON number.
func (d *Decimal) UnmarshalJSON(text []byte) error {
	*d = Decimal(text)
	_, err := strconv.ParseFloat(string(text), 64)
	return err
}

// Value returns the number.
func (d Decimal) Value() float64 {
	v, err := strconv.ParseFloat(string(d), 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// Unit returns one unit of the last digit.
func (d Decimal) Unit() float64 {
	_, digits, _ := strings.Cut(string(d), ".")
	return math.Pow(10, -float64(len(digits)))
}

// rounding of binary fractions must not decide.
const rounding = 1e-9

// Rounds reports whether v rounds to the printed number.
func (d Decimal) Rounds(v float64) bool { return math.Abs(v-d.Value()) <= d.Unit()/2+rounding }

// Prints reports whether v would be printed like this, rounded or cut off.
func (d Decimal) Prints(v float64) bool {
	above := v - d.Value()
	return d.Rounds(v) || above > 0 && above < d.Unit()-rounding
}
