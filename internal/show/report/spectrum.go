package report

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"slices"
)

// A SpectrumChart shows the eigenvalues of a mixing matrix, including the 1 of the mean: each is a dot between
// −1 and 1, those of directed matrices at their real part, raised by their imaginary part. The shaded band is
// ±r_asym: within it lie all but the eigenvalue 1, and the narrower it is the faster the consensus error shrinks.
type SpectrumChart struct {
	Text
	Values []complex128
}

// Draw lays out the chart.
func (c SpectrumChart) Draw() (*Figure, error) {
	if len(c.Values) == 0 {
		return nil, errors.New("report: a spectrum chart needs at least one eigenvalue")
	}
	lo := -1.0
	for _, v := range c.Values {
		if !(cmplx.Abs(v) <= 2) { // also NaN
			return nil, fmt.Errorf("report: %v is no eigenvalue of a mixing matrix; those have modulus at most 1", v)
		}
		lo = min(lo, real(v))
	}
	f := &frame{Figure: newFigure(chartWidth, c.Text), x: Axis{Label: "eigenvalue of W", Min: lo - 0.03, Max: 1.03}}
	f.box = box{margin, f.height + 20, chartWidth - margin - 110, f.height + 66}
	for _, t := range f.x.ticks(int((f.right - f.left) / 65)) {
		f.stroke(polyline(point{f.px(t.value), f.top}, point{f.px(t.value), f.bottom}), rule, 1)
	}
	f.spectrum(c.Values, (f.top+f.bottom)/2)
	f.drawX()
	return f.Figure, nil
}

// rateOf returns the largest modulus after one eigenvalue 1 is set aside.
func rateOf(values []complex128) float64 {
	one := 0
	for k, v := range values {
		if cmplx.Abs(v-1) < cmplx.Abs(values[one]-1) {
			one = k
		}
	}
	rate := 0.0
	for k, v := range values {
		if k != one {
			rate = max(rate, cmplx.Abs(v))
		}
	}
	return rate
}

func (f *frame) spectrum(values []complex128, mid float64) {
	const up = 15 // for an imaginary part of 1
	rate := rateOf(values)
	blue, left, right := okabeIto[0], f.px(max(-rate, f.x.Min)), f.px(min(rate, f.x.Max))
	shapes := []shape{
		rectangle(left, mid-up, right-left, 2*up).shape(style{fill: blue.faded(0.12)}),
		polyline(point{f.left, mid}, point{f.right, mid}).shape(style{stroke: rule, width: 1}),
	}
	// Equal eigenvalues would hide each other: draw each place once, larger with multiplicity.
	for _, d := range pile(values) {
		r := min(9, 3.2*math.Sqrt(float64(d.count)))
		at := point{f.px(real(d.value)), mid - up*imag(d.value)}
		shapes = append(shapes, circle(at, r, style{fill: blue.faded(0.55), stroke: blue, width: 1}))
	}
	where := point{f.right + 10, lowered(mid, textSize)}
	shapes = append(shapes, label{text: "r_asym " + plain(rate, 4), at: where, size: textSize, paint: ink}.shape())
	f.group("spectrum", fmt.Sprintf("%d eigenvalues, r_asym %s", len(values), plain(rate, 6)), shapes...)
}

// A spot is a place in the spectrum and how many eigenvalues lie there.
type spot struct {
	value complex128
	count int
}

// pile merges eigenvalues that would be drawn on the same spot.
func pile(values []complex128) []spot {
	const near = 0.004 // about one unit of the figure
	sorted := slices.Clone(values)
	slices.SortFunc(sorted, func(a, b complex128) int {
		return cmp.Or(cmp.Compare(real(a), real(b)), cmp.Compare(imag(a), imag(b)))
	})
	var spots []spot
next:
	for _, v := range sorted {
		for k := len(spots) - 1; k >= 0 && real(v)-real(spots[k].value) < near; k-- {
			if cmplx.Abs(v-spots[k].value) < near {
				spots[k].count++
				continue next
			}
		}
		spots = append(spots, spot{v, 1})
	}
	return spots
}
