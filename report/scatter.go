package report

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// A Point is one choice in a trade-off.
type Point struct {
	Name string // short, written beside it where there is room: "r = 24"
	Note string // hover text
	X, Y float64
	// Group gives points of one kind the same colour and marker. Optional.
	Group string
	// Strong marks the recommended choice; at most a few should be.
	Strong bool
}

// A Path is a line through given places, such as a front or a lower bound.
type Path struct {
	Name   string
	X, Y   []float64
	Dashed bool
	Steps  bool // horizontal first, then vertical: the shape of a Pareto front
}

// Front returns the Pareto front of the points: those that no other beats or equals in both
// coordinates, smaller being better, from left to right.
func Front(name string, points []Point) Path {
	sorted := slices.Clone(points)
	slices.SortStableFunc(sorted, func(a, b Point) int {
		return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y))
	})
	front := Path{Name: name, Steps: true}
	for _, p := range sorted {
		if k := len(front.Y); k == 0 || p.Y < front.Y[k-1] {
			front.X, front.Y = append(front.X, p.X), append(front.Y, p.Y)
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
	Paths  []Path
}

// Draw lays out the chart.
func (c ScatterChart) Draw() (*Figure, error) {
	if len(c.Points) == 0 {
		return nil, errors.New("report: a scatter chart needs at least one point")
	}
	var xs, ys []float64
	for _, p := range c.Points {
		if !c.X.shows(p.X) || !c.Y.shows(p.Y) {
			return nil, fmt.Errorf("report: point %q at (%g, %g) cannot be drawn; values must be finite, and positive on a logarithmic axis", p.Name, p.X, p.Y)
		}
		xs, ys = append(xs, p.X), append(ys, p.Y)
	}
	for _, p := range c.Paths {
		if len(p.X) != len(p.Y) {
			return nil, fmt.Errorf("report: line %q has %d x values and %d y values", p.Name, len(p.X), len(p.Y))
		}
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
	groups := c.groups()
	entries := c.entries(groups)
	side := 0.0
	if len(entries) > 0 {
		side = legendWidth(entries) + 20
	}
	f, err := newFrame(c.Text, x, y, max(chartBody, float64(len(entries))*legendRow), side)
	if err != nil {
		return nil, err
	}
	for k, p := range c.Paths {
		f.line(p, k)
	}
	f.points(c.Points, groups)
	f.legend(entries, f.right+20, f.top)
	return f.Figure, nil
}

func (c ScatterChart) groups() []string {
	var groups []string
	for _, p := range c.Points {
		if !slices.Contains(groups, p.Group) {
			groups = append(groups, p.Group)
		}
	}
	return groups
}

func (c ScatterChart) entries(groups []string) []legendEntry {
	var entries []legendEntry
	if slices.ContainsFunc(c.Points, func(p Point) bool { return p.Strong }) {
		entries = append(entries, legendEntry{name: "recommended", strong: true, swatch: func(at point) []shape {
			return []shape{halo(at), marker(0, at, markerSize+1, penOf(0).paint)}
		}})
	}
	for k, g := range groups {
		if g != "" {
			entries = append(entries, legendEntry{name: g, swatch: func(at point) []shape {
				return []shape{marker(penOf(k).marker, at, markerSize+1, penOf(k).paint)}
			}})
		}
	}
	for k, p := range c.Paths {
		entries = append(entries, legendEntry{name: p.Name, swatch: func(at point) []shape {
			return []shape{p.shape(polyline(point{at.x - swatchWidth/2, at.y}, point{at.x + swatchWidth/2, at.y}), k)}
		}})
	}
	return entries
}

// halo is the ring around a recommended point.
func halo(at point) shape {
	return shape{center: at, radius: 10, stroke: ink, width: 2}
}

func (p Path) shape(line path, k int) shape {
	s := shape{path: line, stroke: muted, width: 1.5}
	if p.Dashed {
		s.dash = dashes[1+k%(len(dashes)-1)]
	}
	return s
}

func (f *frame) line(p Path, k int) {
	var corners []point
	for i := range p.X {
		if !f.x.shows(p.X[i]) || !f.y.shows(p.Y[i]) {
			continue
		}
		at := point{f.px(p.X[i]), f.py(p.Y[i])}
		if p.Steps && len(corners) > 0 {
			corners = append(corners, point{at.x, corners[len(corners)-1].y})
		}
		corners = append(corners, at)
	}
	var line path
	for i := 1; i < len(corners); i++ {
		if a, b, ok := f.clip(corners[i-1], corners[i]); ok {
			line.move(a)
			line.line(b)
			f.busy = append(f.busy, a, b)
			for t := 0.1; t < 1; t += 0.1 {
				f.busy = append(f.busy, point{a.x + t*(b.x-a.x), a.y + t*(b.y-a.y)})
			}
		}
	}
	f.add("path", p.Name, p.shape(line, k))
}

func rank(strong bool) int {
	if strong {
		return 1
	}
	return 0
}

// points draws the markers, the strong ones last, and then the names that find room.
func (f *frame) points(points []Point, groups []string) {
	order := slices.Clone(points)
	slices.SortStableFunc(order, func(a, b Point) int { return cmp.Compare(rank(a.Strong), rank(b.Strong)) })
	var places []placed
	for _, p := range order {
		at := point{f.px(p.X), f.py(p.Y)}
		if !f.inside(at) {
			continue
		}
		pen := penOf(slices.Index(groups, p.Group))
		shapes := []shape{marker(pen.marker, at, markerSize+1, pen.paint)}
		if p.Strong {
			shapes = append(shapes, halo(at))
		}
		hover := p.Name
		if p.Note != "" {
			hover += "\n" + p.Note
		}
		f.add("point", hover, shapes...)
		places = append(places, placed{at, p.Name, p.Strong})
	}
	slices.Reverse(places) // the strong ones choose their places first
	f.nameAll(places)
}
