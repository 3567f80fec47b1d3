package report

import (
	"math"
	"strings"
)

func lineWidth(strong bool) float64 {
	if strong {
		return 3.2
	}
	return 1.8
}

// series draws s with the k-th pen.
func (f *frame) series(s Series, k int) {
	p := penOf(k)
	strokes, samples, exact := f.place(s)
	shapes := []shape{f.trace(strokes).shape(style{stroke: p.paint, width: lineWidth(s.Strong), dash: p.dash})}
	for _, at := range spread(samples, k) {
		shapes = append(shapes, p.mark(at, markerSize))
	}
	for _, at := range exact {
		// An arrow head that points off the lower edge: the error is exactly 0.
		head := polygon(point{at.x - 5, at.y - 7}, point{at.x + 5, at.y - 7}, point{at.x, at.y + 3})
		shapes = append(shapes, head.shape(style{fill: p.paint}))
	}
	f.group("series", strings.TrimSuffix(s.Name+": "+s.Note, ": "), shapes...)
}

// place turns the data into unbroken strokes clipped to the plot area, the data points
// that are visible, and the places where the value became exactly 0 on a logarithmic axis.
func (f *frame) place(s Series) (strokes [][]point, samples, exact []point) {
	var last point
	drawing := false // last is valid
	for i := range s.X {
		if !f.x.reaches(s.X[i]) || !f.y.reaches(s.Y[i]) {
			drawing = false
			continue
		}
		zero := !f.y.shows(s.Y[i])
		at := point{f.px(s.X[i]), f.py(s.Y[i])}
		if f.inside(at) && !zero && f.x.shows(s.X[i]) {
			samples = append(samples, at)
		}
		if drawing {
			if a, b, ok := f.clip(last, at); ok {
				if n := len(strokes); n > 0 && strokes[n-1][len(strokes[n-1])-1] == a {
					strokes[n-1] = append(strokes[n-1], b)
				} else {
					strokes = append(strokes, []point{a, b})
				}
			}
		}
		if zero && f.inside(at) && drawing && f.inside(last) {
			exact = append(exact, at)
		}
		last, drawing = at, !zero // further zeros say nothing new
	}
	return strokes, samples, exact
}

// clip returns the part of the segment a–b inside the plot area (Liang and Barsky 1984).
func (f *frame) clip(a, b point) (from, to point, ok bool) {
	t0, t1 := 0.0, 1.0
	dx, dy := b.x-a.x, b.y-a.y
	edges := [4][2]float64{{-dx, a.x - f.left}, {dx, f.right - a.x}, {-dy, a.y - f.top}, {dy, f.bottom - a.y}}
	for _, edge := range edges {
		p, q := edge[0], edge[1]
		switch {
		case p == 0 && q < 0:
			return from, to, false
		case p < 0:
			t0 = max(t0, q/p)
		case p > 0:
			t1 = min(t1, q/p)
		}
	}
	if t0 > t1 {
		return from, to, false
	}
	return a.towards(b, t0), b.towards(a, 1-t1), true
}

// spread picks the samples that carry a marker: all of them when they are few and apart,
// otherwise some, and at other places for each series, so that markers of curves that run
// together do not hide each other.
func spread(samples []point, k int) []point {
	const gap, few, apart = 120.0, 12, 25.0
	var out []point
	walked, due := 0.0, math.Mod(30+float64(k)*47, gap)
	for i, at := range samples {
		if i > 0 {
			walked += at.distance(samples[i-1])
		}
		if walked >= due {
			out = append(out, at)
			due = walked + gap
		}
	}
	switch {
	case len(samples) <= few && walked >= apart*float64(len(samples)-1):
		return samples
	case len(out) == 0:
		return samples[len(samples)/2 : len(samples)/2+1]
	}
	return out
}

// trace returns the path along strokes and remembers where it passes.
func (f *frame) trace(strokes [][]point) path {
	const low, most = 6, 1000 // lower than letters, so that no line passes a name between two places
	var line path
	for _, stroke := range strokes {
		kept := thin(stroke)
		line += polyline(kept...)
		for i, b := range kept {
			a := kept[max(i-1, 0)]
			parts := min(max(10, math.Ceil(a.distance(b)/low)), most)
			for k := 1.0; k <= parts; k++ {
				f.busy = append(f.busy, a.towards(b, k/parts))
			}
		}
	}
	return line
}

// thin drops points closer than one unit to the one before, which bounds the size of the picture however many
// rounds were simulated.
func thin(points []point) []point {
	out := points[:1:1]
	for i, p := range points[1:] {
		if i == len(points)-2 || p.distance(out[len(out)-1]) >= 1 {
			out = append(out, p)
		}
	}
	return out
}
