package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// An Axis says what is measured and on which scale.
type Axis struct {
	Label string // "time to target"
	Unit  string // "ms"; empty for pure numbers
	Log   bool   // logarithmic; then values ≤ 0 cannot be shown
	// Min and Max are the shown range. Where they are equal, the data decide.
	Min, Max float64
	// At lists where the labels go; without it, at round numbers.
	At []float64
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

// fraction returns where v lies between Min (0) and Max (1).
func (a Axis) fraction(v float64) float64 {
	if a.Log {
		return math.Log(v/a.Min) / math.Log(a.Max/a.Min)
	}
	return (v - a.Min) / (a.Max - a.Min)
}

// fit returns the axis with its range set to cover the values that it can show; pad is the room
// to leave on both sides, as a fraction. A range the caller chose is kept.
func (a Axis) fit(values []float64, pad float64) (Axis, error) {
	if a.Min != a.Max {
		if !a.shows(a.Min) || !a.shows(a.Max) || a.Min > a.Max {
			return a, fmt.Errorf("report: axis %q cannot run from %g to %g", a.Label, a.Min, a.Max)
		}
		return a, nil
	}
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
	case a.Log && lo == hi:
		lo, hi = lo/2, hi*2
	case a.Log:
		grow := math.Pow(hi/lo, pad)
		lo, hi = lo/grow, hi*grow
	case lo == 0 && hi == 0:
		hi = 1
	case lo == hi:
		lo, hi = lo-max(1, math.Abs(lo))/2, hi+max(1, math.Abs(hi))/2
	default:
		grow := (hi - lo) * pad
		if lo >= 0 && lo < grow {
			grow = lo // do not suggest that a time or an error can be negative
		}
		lo, hi = lo-grow, hi+(hi-lo)*pad
	}
	a.Min, a.Max = lo, hi
	return a, nil
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
			if a.Min <= v && v <= a.Max {
				out = append(out, tick{v, Number(v)})
			}
		}
		return out
	}
	if a.Log {
		ticks := logTicks(a.Min, a.Max, want)
		if named := slices.DeleteFunc(slices.Clone(ticks), func(t tick) bool { return t.text == "" }); len(named) >= 2 {
			return ticks
		}
		// So little of a decade is nearly linear.
	}
	step := niceStep((a.Max - a.Min) / float64(want))
	digits := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	if m := step * math.Pow10(digits); math.Abs(m-math.Round(m)) > 1e-6 {
		digits++ // a step of 2.5
	}
	var out []tick
	for k := math.Ceil(a.Min/step - 1e-9); k*step <= a.Max+step*1e-9; k++ {
		out = append(out, tick{k * step, plain(k*step, digits)})
	}
	if len(out) < 2 { // an unlucky range: one label says nothing about the scale
		return a.ticks(2 * want)
	}
	return out
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

func logTicks(lo, hi float64, want int) []tick {
	first, last := int(math.Floor(math.Log10(lo)+1e-9)), int(math.Ceil(math.Log10(hi)-1e-9))
	decades := math.Log10(hi / lo)
	every := max(1, int(math.Ceil(decades/float64(want))))
	asPowers := (first < -3 || last > 4) && decades >= 2.2 // beside 2 and 5 a power would look odd
	var out []tick
	for e := first; e <= last; e++ {
		for m := 1; m <= 9; m++ {
			v := float64(m) * math.Pow(10, float64(e))
			if v < lo*(1-1e-9) || v > hi*(1+1e-9) {
				continue
			}
			t := tick{value: v}
			named := m == 1 && e%every == 0
			if decades < 2.2 {
				named = m == 1 || m == 2 || m == 5
			}
			if decades < 0.7 {
				named = true
			}
			switch {
			case named && asPowers && m == 1:
				t.text = "10" + raised(e)
			case named:
				t.text = plain(v, max(0, -e))
			case every > 1 && m > 1:
				continue // decades are the fine structure then
			}
			out = append(out, t)
		}
	}
	return out
}

// raised spells an exponent in superscript; 10⁰ is 1 and needs no exponent, but stays in line.
func raised(e int) string {
	var b strings.Builder
	for _, r := range strconv.Itoa(e) {
		if r == '-' {
			b.WriteRune('⁻')
		} else {
			b.WriteRune([]rune(superscript)[r-'0'])
		}
	}
	return b.String()
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
