package report

import (
	"encoding/xml"
	"io"
	"math"
	"strconv"
	"strings"
)

// A Figure is a finished picture: SVG elements in drawing order. One unit is a CSS pixel, the
// origin is the top left corner and y grows downwards.
type Figure struct {
	width, height float64
	title         string // what a screen reader says
	body          strings.Builder
}

// Write writes the figure as an SVG document.
func (f *Figure) Write(w io.Writer) error {
	_, err := io.WriteString(w, f.svg())
	return err
}

// svg returns the figure as a document of its own. It names nothing by id, so several
// can live in one HTML page, and refers to nothing outside itself.
func (f *Figure) svg() string {
	width, height := number(f.width), number(f.height)
	paper := rectangle(0, 0, f.width, f.height).shape(style{fill: paper})
	return `<svg xmlns="http://www.w3.org/2000/svg" width="` + width + `" height="` + height +
		`" viewBox="0 0 ` + width + " " + height + `" role="img" fill="none" stroke-linejoin="round"` +
		` font-family="'Liberation Sans',Arial,Helvetica,sans-serif">` + "\n" +
		"<title>" + escape(f.title) + "</title>\n" + string(paper) + f.body.String() + "</svg>\n"
}

// A shape is one SVG element.
type shape string

// add draws shapes without a meaning of their own.
func (f *Figure) add(shapes ...shape) {
	for _, s := range shapes {
		f.body.WriteString(string(s))
	}
}

// group draws what belongs together under one hover text: one edge, one node, one curve. The class says what it
// stands for.
func (f *Figure) group(class, hover string, shapes ...shape) {
	f.add(shape(`<g class="` + class + `">`))
	if hover != "" {
		f.add(shape("<title>" + escape(hover) + "</title>"))
	}
	f.add(shapes...)
	f.add("</g>\n")
}

// stroke draws a line without a meaning of its own.
func (f *Figure) stroke(p path, c paint, width float64, dash ...float64) {
	f.add(p.shape(style{stroke: c, width: width, dash: dash}))
}

// A style is how an outline is painted. The zero paint draws nothing.
type style struct {
	fill, stroke paint
	width        float64
	dash         []float64
}

// attributes spells the style. The names of paints become classes, for an HTML page to repaint.
func (s style) attributes() string {
	var attributes string
	var classes []string
	colour := func(kind string, p paint) {
		if p.alpha == 0 {
			return
		}
		attributes += attribute(kind, p.hex)
		if p.alpha < 1 {
			attributes += attribute(kind+"-opacity", number(p.alpha))
		}
		if p.name != "" {
			classes = append(classes, kind+"-"+p.name)
		}
	}
	colour("fill", s.fill)
	colour("stroke", s.stroke)
	if s.stroke.alpha > 0 && s.width != 1 {
		attributes += attribute("stroke-width", number(s.width))
	}
	return attributes + attribute("stroke-dasharray", numbers(s.dash...)) + attribute("class", strings.Join(classes, " "))
}

// attribute spells an attribute that has a value.
func attribute(name, value string) string {
	if value == "" {
		return ""
	}
	return " " + name + `="` + value + `"`
}

type point struct{ x, y float64 }

func (p point) plus(q point) point       { return point{p.x + q.x, p.y + q.y} }
func (p point) minus(q point) point      { return point{p.x - q.x, p.y - q.y} }
func (p point) times(k float64) point    { return point{k * p.x, k * p.y} }
func (p point) left() point              { return point{p.y, -p.x} } // a quarter turn
func (p point) distance(q point) float64 { return math.Hypot(p.x-q.x, p.y-q.y) }

// towards returns the point a share of the way to q.
func (p point) towards(q point, share float64) point { return p.plus(q.minus(p).times(share)) }

// A path is an outline as SVG spells it.
type path string

func (p path) shape(s style) shape {
	return shape(`<path d="` + string(p) + `"` + s.attributes() + "/>\n")
}

func polyline(points ...point) path {
	var b strings.Builder
	for i, p := range points {
		b.WriteString("ML"[min(i, 1):][:1] + numbers(p.x, p.y))
	}
	return path(b.String())
}

func polygon(points ...point) path { return polyline(points...) + "Z" }

func rectangle(x, y, w, h float64) path {
	return polygon(point{x, y}, point{x + w, y}, point{x + w, y + h}, point{x, y + h})
}

func circle(center point, radius float64, s style) shape {
	return shape("<circle" + attribute("cx", number(center.x)) + attribute("cy", number(center.y)) +
		attribute("r", number(radius)) + s.attributes() + "/>\n")
}

// A curve is a cubic Bézier curve: its start, two control points and its end.
type curve [4]point

func (c curve) at(t float64) point {
	first, second := c[0].towards(c[1], t), c[1].towards(c[2], t)
	return first.towards(second, t).towards(second.towards(c[2].towards(c[3], t), t), t)
}

// smooth returns the path along a curve.
func smooth(c curve) path {
	return polyline(c[0]) + path("C"+numbers(c[1].x, c[1].y, c[2].x, c[2].y, c[3].x, c[3].y))
}

// number spells v to 1/100 of a unit, which no eye resolves, without trailing zeros.
func number(v float64) string {
	r := math.Round(v*100) / 100
	if r == 0 {
		return "0" // also for −0
	}
	return strconv.FormatFloat(r, 'f', -1, 64)
}

func numbers(values ...float64) string {
	spelled := make([]string, len(values))
	for i, v := range values {
		spelled[i] = number(v)
	}
	return strings.Join(spelled, " ")
}

func escape(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		panic(err) // a strings.Builder does not fail
	}
	return b.String()
}
