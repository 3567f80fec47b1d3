package report

import "image/color"

// A Figure is a finished picture: outlines and texts in drawing order. The origin is the
// top left corner and y grows downwards.
type Figure struct {
	width, height float64
	title         string // what a screen reader says
	marks         []mark
}

// Size returns width and height in units of one CSS pixel.
func (f *Figure) Size() (width, height float64) { return f.width, f.height }

// A mark is what belongs together under one hover text: one edge, one node, one bar.
type mark struct {
	class  string // what it stands for: edge, node, series …; empty for scaffolding
	hover  string
	shapes []shape
}

// A shape is an outline, a circle (radius > 0) or a text.
type shape struct {
	path   path
	center point
	radius float64
	text   *label

	fill, stroke paint // the zero paint draws nothing
	width        float64
	dash         []float64
}

type point struct{ x, y float64 }

// A path is a sequence of pen movements; see the methods.
type path []segment

type segment struct {
	verb byte // M, L, C or Z, as in SVG
	p    [3]point
}

func (p *path) move(a point)          { *p = append(*p, segment{'M', [3]point{a}}) }
func (p *path) line(a point)          { *p = append(*p, segment{'L', [3]point{a}}) }
func (p *path) curve(a, b, end point) { *p = append(*p, segment{'C', [3]point{a, b, end}}) }
func (p *path) close()                { *p = append(*p, segment{verb: 'Z'}) }

// points returns how many of a segment's points count.
func (s segment) points() []point {
	switch s.verb {
	case 'C':
		return s.p[:3]
	case 'Z':
		return nil
	}
	return s.p[:1]
}

func polyline(points ...point) path {
	var p path
	for i, a := range points {
		if i == 0 {
			p.move(a)
		} else {
			p.line(a)
		}
	}
	return p
}

func polygon(points ...point) path {
	p := polyline(points...)
	p.close()
	return p
}

func rectangle(x, y, w, h float64) path {
	return polygon(point{x, y}, point{x + w, y}, point{x + w, y + h}, point{x, y + h})
}

// A paint is a colour. An HTML page may replace a named one to follow the reader's light
// or dark setting.
type paint struct {
	name string
	rgba color.NRGBA
}

func (p paint) visible() bool { return p.rgba.A > 0 }

// faded returns p with the given opacity.
func (p paint) faded(alpha float64) paint {
	p.rgba.A = uint8(alpha*255 + 0.5)
	return p
}

func rgb(hex uint32) color.NRGBA {
	return color.NRGBA{R: uint8(hex >> 16), G: uint8(hex >> 8), B: uint8(hex), A: 255}
}

func solid(hex uint32) paint { return paint{rgba: rgb(hex)} }

// The paints of the page.
var (
	ink   = paint{"ink", rgb(0x1f2328)}
	muted = paint{"muted", rgb(0x59636e)}
	rule  = paint{"rule", rgb(0xe1e4e8)}
	paper = paint{"paper", rgb(0xffffff)}
)

// newFigure returns an empty figure on paper.
func newFigure(width, height float64, title string) *Figure {
	f := &Figure{width: width, height: height, title: title}
	f.add("", "", shape{path: rectangle(0, 0, width, height), fill: paper})
	return f
}

func (f *Figure) add(class, hover string, shapes ...shape) {
	f.marks = append(f.marks, mark{class, hover, shapes})
}

// stroke adds an unnamed line.
func (f *Figure) stroke(p path, c paint, width float64, dash ...float64) {
	f.add("", "", shape{path: p, stroke: c, width: width, dash: dash})
}

// write adds an unnamed text.
func (f *Figure) write(l label) { f.add("", "", shape{text: &l}) }
