package report

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"slices"
)

// A Spectrum is the eigenvalues of one mixing matrix, including the 1 of the mean.
type Spectrum struct {
	Name   string
	Values []complex128
	Strong bool
}

// A SpectrumChart compares spectra, one row each: every eigenvalue is a dot between −1 and 1, those of directed
// matrices at their real part, raised by their imaginary part. The shaded band is ±r_asym: within it lies all
// but the eigenvalue 1, and the narrower it is the faster disagreement fades.
type SpectrumChart struct {
	Text
	Spectra []Spectrum
}

const spectrumRow = 46.0

// Draw lays out the chart.
func (c SpectrumChart) Draw() (*Figure, error) {
	if len(c.Spectra) == 0 {
		return nil, errors.New("report: a spectrum chart needs at least one spectrum")
	}
	lo, names := -1.0, 0.0
	for _, s := range c.Spectra {
		if len(s.Values) == 0 {
			return nil, fmt.Errorf("report: spectrum %q has no eigenvalues", s.Name)
		}
		for _, v := range s.Values {
			if !(cmplx.Abs(v) <= 2) { // also NaN
				return nil, fmt.Errorf("report: spectrum %q holds %v; "+
					"a mixing matrix has eigenvalues of modulus at most 1", s.Name, v)
			}
			lo = min(lo, real(v))
		}
		names = max(names, min(legendName, textWidth(s.Name, textSize, s.Strong)))
	}
	f := &frame{Figure: newFigure(chartWidth, c.Text), x: Axis{Label: "eigenvalue of W", Min: lo - 0.03, Max: 1.03}}
	f.left, f.top, f.right = margin+names+14, f.height+20, chartWidth-margin-110
	f.bottom = f.top + float64(len(c.Spectra))*spectrumRow
	for _, t := range f.x.ticks(int((f.right - f.left) / 65)) {
		f.stroke(polyline(point{f.px(t.value), f.top}, point{f.px(t.value), f.bottom}), rule, 1)
	}
	for k, s := range c.Spectra {
		f.spectrum(s, f.top+(float64(k)+0.5)*spectrumRow)
	}
	f.drawX()
	return f.Figure, nil
}

// rate returns the largest modulus after one eigenvalue 1 is set aside.
func (s Spectrum) rate() float64 {
	one := 0
	for k, v := range s.Values {
		if cmplx.Abs(v-1) < cmplx.Abs(s.Values[one]-1) {
			one = k
		}
	}
	rate := 0.0
	for k, v := range s.Values {
		if k != one {
			rate = max(rate, cmplx.Abs(v))
		}
	}
	return rate
}

func (f *frame) spectrum(s Spectrum, mid float64) {
	rate := s.rate()
	blue, low, high := okabeIto[0], f.px(max(-rate, f.x.Min)), f.px(min(rate, f.x.Max))
	shapes := []shape{
		rectangle(low, mid-15, high-low, 30).shape(style{fill: blue.faded(0.12)}),
		polyline(point{f.left, mid}, point{f.right, mid}).shape(style{stroke: rule, width: 1}),
	}
	// Equal eigenvalues would hide each other: draw each place once, larger with multiplicity.
	for _, d := range pile(s.Values) {
		r := min(9, 3.2*math.Sqrt(float64(d.count)))
		at := point{f.px(real(d.value)), mid - 15*imag(d.value)}
		shapes = append(shapes, circle(at, r, style{fill: blue.faded(0.55), stroke: blue, width: 1}))
	}
	name := label{text: shorten(s.Name, legendName, textSize, s.Strong), at: point{f.left - 12, lowered(mid, textSize)},
		anchor: "end", size: textSize, bold: s.Strong, paint: ink}
	value := label{text: "r_asym " + plain(rate, 4), at: point{f.right + 10, name.at.y},
		size: textSize, bold: s.Strong, paint: ink}
	hover := fmt.Sprintf("%s: %d eigenvalues, r_asym %s", s.Name, len(s.Values), plain(rate, 6))
	f.group("spectrum", hover, append(shapes, name.shape(), value.shape())...)
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
