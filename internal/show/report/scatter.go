package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A Point is one choice in a trade-off.
type Point struct {
	Name string // short, written beside it where there is room: "r = 24"
	Note string // hover text
	X, Y float64
	// Strong marks the choice; at most a few should be.
	Strong bool
}

// A Path is a line through given places, such as a front or a lower bound.
type Path struct {
	Name   string
	X, Y   []float64 // of equal length
	Dashed bool
}

// Front returns the Pareto front of the points: those that no other beats or equals in both
// coordinates, smaller being better, from left to right in steps: horizontal first, then vertical.
func Front(name string, points []Point) Path {
	sorted := slices.Clone(points)
	slices.SortStableFunc(sorted, func(a, b Point) int {
		return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y))
	})
	front := Path{Name: name}
	for _, p := range sorted {
		if k := len(front.Y); k == 0 {
			front.X, front.Y = []float64{p.X}, []float64{p.Y}
		} else if p.Y < front.Y[k-1] {
			front.X, front.Y = append(front.X, p.X, p.X), append(front.Y, front.Y[k-1], p.Y)
		}
	}
	return front
}

// A ScatterChart shows choices in the plane of two quantities, the smaller the better:
// time per iteration against r_asym, time to target against the number of edges.
type ScatterChart struct {
	Text
	X, Y   Axis
	Points []Point
	Chosen string // what the strong points are called
	Paths  []Path
}

// Draw lays out the chart.
func (c ScatterChart) Draw() (*Figure, error) {
	var xs, ys []float64
	for _, p := range c.Points {
		if !c.X.shows(p.X) || !c.Y.shows(p.Y) {
			return nil, fmt.Errorf("report: point %q at (%g, %g) cannot be drawn; "+
				"values must be finite, and positive on a logarithmic axis", p.Name, p.X, p.Y)
		}
		xs, ys = append(xs, p.X), append(ys, p.Y)
	}
	for _, p := range c.Paths {
		xs, ys = append(xs, p.X...), append(ys, p.Y...)
	}
	x, err := c.X.fit(xs, 0.06)
	if err != nil {
		return nil, err
	}
	y, err := c.Y.fit(ys, 0.08)
	if err != nil {
		return nil, err
	}
	f := newFrame(c.Text, x, y, c.entries())
	for _, p := range c.Paths {
		f.line(p)
	}
	f.points(c.Points)
	return f.Figure, nil
}

func (c ScatterChart) entries() []legendEntry {
	var entries []legendEntry
	if slices.ContainsFunc(c.Points, func(p Point) bool { return p.Strong }) {
		entries = append(entries, legendEntry{name: c.Chosen, strong: true, swatch: func(at point) []shape {
			return dot(at, true)
		}})
	}
	for _, p := range c.Paths {
		entries = append(entries, legendEntry{name: p.Name, swatch: func(at point) []shape {
			return []shape{p.pen().sample(at, pathWidth)}
		}})
	}
	return entries
}

// dot is the marker of a point; the chosen one has a ring around it.
func dot(at point, strong bool) []shape {
	shapes := []shape{penOf(0).mark(at, markerSize+1)}
	if strong {
		shapes = append(shapes, circle(at, 10, style{stroke: ink, width: 2}))
	}
	return shapes
}

const pathWidth = 1.5

func (p Path) pen() pen {
	if p.Dashed {
		return pen{paint: muted, dash: dashes[2]}
	}
	return pen{paint: muted}
}

func (f *frame) line(p Path) {
	strokes, _, _ := f.place(Series{X: p.X, Y: p.Y})
	f.group("path", p.Name, f.trace(strokes).shape(style{stroke: muted, width: pathWidth, dash: p.pen().dash}))
}

// points draws the markers, the strong ones last, and then the names that find room.
func (f *frame) points(points []Point) {
	var places []placed
	for _, strong := range []bool{false, true} {
		for _, p := range points {
			at := point{f.px(p.X), f.py(p.Y)}
			if p.Strong != strong || !f.inside(at) {
				continue
			}
			f.group("point", strings.TrimSuffix(p.Name+"\n"+p.Note, "\n"), dot(at, p.Strong)...)
			places = append(places, placed{at, p.Name, p.Strong})
		}
	}
	slices.Reverse(places) // the strong ones choose their places first
	f.nameAll(places)
}
