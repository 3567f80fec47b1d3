package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// An Axis says what is measured and on which scale.
type Axis struct {
	Label string // "time to target"
	Unit  string // "ms"; empty for pure numbers
	Log   bool   // logarithmic; then values ≤ 0 cannot be shown
	Whole bool   // counts things: no label lies between two whole numbers
	// At lists where the labels go; without it, at round numbers.
	At []float64

	lo, hi float64 // the shown range; see fit
}

func (a Axis) caption() string {
	if a.Unit == "" {
		return a.Label
	}
	return a.Label + " (" + a.Unit + ")"
}

// shows reports whether v has a place on the axis at all.
func (a Axis) shows(v float64) bool {
	return !math.IsNaN(v) && !math.IsInf(v, 0) && (!a.Log || v > 0)
}

// reaches reports whether v can be drawn, if only at the edge: 0 on a logarithmic axis.
func (a Axis) reaches(v float64) bool { return a.shows(v) || v == 0 }

// fraction returns where v lies between lo (0) and hi (1).
func (a Axis) fraction(v float64) float64 {
	switch {
	case a.Log && v == 0:
		return 0 // the edge
	case a.Log:
		return (math.Log(v) - math.Log(a.lo)) / (math.Log(a.hi) - math.Log(a.lo))
	}
	return (v/2 - a.lo/2) / (a.hi/2 - a.lo/2) // halves, because the range may be wider than a number can say
}

// fit returns the axis with its range set to cover the values that it can show; pad is the room
// to leave on both sides, as a fraction.
func (a Axis) fit(values []float64, pad float64) (Axis, error) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range values {
		if a.shows(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if lo > hi {
		kind := "finite"
		if a.Log {
			kind = "positive"
		}
		return a, fmt.Errorf("report: axis %q has no %s value to show", a.Label, kind)
	}
	switch {
	case a.Log:
		grow := pad * (math.Log(hi) - math.Log(lo))
		if lo == hi {
			grow = math.Ln2
		}
		lo, hi = lo/math.Exp(grow), hi*math.Exp(grow)
	case lo == 0 && hi == 0:
		hi = 1
	case lo == hi:
		lo, hi = lo-max(1, math.Abs(lo))/2, hi+max(1, math.Abs(hi))/2
	default:
		grow := hi*pad - lo*pad
		if lo >= 0 {
			lo = max(lo, grow) // do not suggest that a time or an error can be negative
		}
		lo, hi = lo-grow, hi+grow
	}
	a.lo, a.hi = lo, hi
	return a.widened(), nil
}

// widened returns the axis with ends that are finite, and so far apart that places between them have different labels.
func (a Axis) widened() Axis {
	const apart, smallest = 1e-9, 1e-300
	if a.Log {
		a.lo = max(a.lo, math.SmallestNonzeroFloat64)
	}
	a.lo, a.hi = max(a.lo, -math.MaxFloat64), min(a.hi, math.MaxFloat64)
	need := max(smallest, apart*max(math.Abs(a.lo), math.Abs(a.hi)))
	if a.hi/2-a.lo/2 >= need/2 {
		return a
	}
	if a.lo < 0 || a.lo > need { // a time or an error cannot become negative
		a.lo -= need
	}
	a.hi = min(a.hi+need, math.MaxFloat64)
	return a
}

// A tick is a labelled place on an axis, or an unlabelled one on a logarithmic axis.
type tick struct {
	value float64
	text  string
}

// ticks returns about want ticks for the range.
func (a Axis) ticks(want int) []tick {
	want = max(want, 2)
	if len(a.At) > 0 {
		var out []tick
		for _, v := range a.At {
			if a.lo <= v && v <= a.hi {
				out = append(out, tick{v, Number(v)})
			}
		}
		return out
	}
	if a.Log {
		least := a.lo
		if a.Whole {
			least = min(max(least, 1), a.hi)
		}
		ticks, labelled := logTicks(least, a.hi, want)
		if labelled >= 2 {
			return ticks
		}
		// So little of a decade is nearly linear.
	}
	// An unlucky range has one round number or none, which says nothing about the scale.
	for ; ; want *= 2 {
		step := niceStep(a.hi/float64(want) - a.lo/float64(want))
		if a.Whole {
			step = max(1, math.Ceil(step)) // 2.5 is the one nice step above 1 that is no whole number
		}
		out := linearTicks(a.lo, a.hi, step)
		if len(out) >= 2 || want > 1000 {
			return out
		}
	}
}

func linearTicks(lo, hi, step float64) []tick {
	digits := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	if m := step * math.Pow10(min(digits, 300)); math.Abs(m-math.Round(m)) > 1e-6 {
		digits++ // a step of 2.5
	}
	var out []tick
	for k := math.Ceil(lo/step - 1e-9); k*step-hi <= step*1e-9; k++ {
		out = append(out, tick{k * step, tickText(k*step, digits)})
	}
	return out
}

// tickText spells a value with that many decimals, or with a power of ten where that would be a long row of digits.
func tickText(v float64, digits int) string {
	if a := math.Abs(v); digits <= 9 && a < 1e15 || v == 0 {
		return plain(v, min(digits, 9))
	}
	return strings.Replace(strconv.FormatFloat(v, 'g', 10, 64), "-", "−", 1)
}

// niceStep returns the smallest of 1, 2, 2.5, 5, 10 times a power of ten that is at least raw.
func niceStep(raw float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if m*power >= raw*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// logTicks also returns how many of the ticks are labelled.
func logTicks(lo, hi float64, want int) (ticks []tick, labelled int) {
	first, last := int(math.Floor(math.Log10(lo)+1e-9)), int(math.Ceil(math.Log10(hi)-1e-9))
	decades := math.Log10(hi) - math.Log10(lo)
	every := max(1, int(math.Ceil(decades/float64(want))))
	asPowers := (first < -3 || last > 4) && decades >= 2.2 // beside 2 and 5 a power would look odd
	for e := first; e <= last; e++ {
		for m := 1; m <= 9; m++ {
			v := float64(m) * math.Pow(10, float64(e))
			if v/lo < 1-1e-9 || v/hi > 1+1e-9 {
				continue
			}
			named := m == 1 && e%every == 0
			if decades < 2.2 {
				named = decades < 0.7 || m == 1 || m == 2 || m == 5
			}
			text := ""
			switch {
			case named && asPowers:
				text = "10" + raised(e)
			case named:
				text = tickText(v, max(0, -e))
			case every > 1 && m > 1:
				continue // decades are the fine structure then
			}
			if named {
				labelled++
			}
			ticks = append(ticks, tick{v, text})
		}
	}
	return ticks, labelled
}

// raised spells an exponent in superscript.
func raised(e int) string {
	return strings.Map(func(r rune) rune {
		if r == '-' {
			return '⁻'
		}
		return superscript[r-'0']
	}, strconv.Itoa(e))
}

// plain spells v with a true minus sign and thin groups of thousands.
func plain(v float64, digits int) string {
	s := strconv.FormatFloat(math.Abs(v), 'f', digits, 64)
	whole, frac, found := strings.Cut(s, ".")
	if len(whole) > 4 {
		for at := len(whole) - 3; at > 0; at -= 3 {
			whole = whole[:at] + " " + whole[at:]
		}
	}
	if found {
		whole += "." + frac
	}
	if v < 0 && strings.Trim(s, "0.") != "" {
		whole = "−" + whole
	}
	return whole
}
