package report

import (
	"io"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

const (
	pngScale = 2            // pixels per unit
	unit     = vg.Inch / 96 // of SVG and PDF
)

func (f *Figure) writePNG(w io.Writer) error {
	c := vgimg.NewWith(vgimg.UseWH(vg.Length(f.width)*unit, vg.Length(f.height)*unit), vgimg.UseDPI(96*pngScale))
	for _, m := range f.marks {
		for _, s := range m.shapes {
			f.paintShape(c, s)
		}
	}
	_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(w)
	return err
}

// at turns a place on the figure into one on a canvas, whose y grows upwards.
func (f *Figure) at(p point) vg.Point {
	return vg.Point{X: vg.Length(p.x) * unit, Y: vg.Length(f.height-p.y) * unit}
}

func (f *Figure) paintShape(c vg.Canvas, s shape) {
	if s.text != nil {
		f.paintText(c, *s.text)
		return
	}
	var outline vg.Path
	if s.radius > 0 {
		outline.Arc(f.at(s.center), vg.Length(s.radius)*unit, 0, 2*math.Pi)
		outline.Close()
	}
	for _, seg := range s.path {
		switch seg.verb {
		case 'M':
			outline.Move(f.at(seg.p[0]))
		case 'L':
			outline.Line(f.at(seg.p[0]))
		case 'C':
			outline.CubeTo(f.at(seg.p[0]), f.at(seg.p[1]), f.at(seg.p[2]))
		case 'Z':
			outline.Close()
		}
	}
	if s.fill.visible() {
		c.SetColor(s.fill.rgba)
		c.Fill(outline)
	}
	if s.stroke.visible() {
		c.SetColor(s.stroke.rgba)
		c.SetLineWidth(vg.Length(s.width) * unit)
		dash := make([]vg.Length, len(s.dash))
		for i, d := range s.dash {
			dash[i] = vg.Length(d) * unit
		}
		c.SetLineDash(dash, 0)
		c.Stroke(outline)
	}
}

func (f *Figure) paintText(c vg.Canvas, l label) {
	c.Push()
	defer c.Pop()
	c.SetColor(l.paint.rgba)
	c.Translate(f.at(l.at))
	c.Rotate(-l.turn * math.Pi / 180)
	x := -l.offset()
	for _, r := range runs(l.text) {
		at := vg.Point{X: vg.Length(x) * unit, Y: vg.Length(r.rise*l.size) * unit}
		c.FillString(face(l.size*r.scale*float64(unit), l.bold), at, inFont(r.text))
		x += r.width(l.size, l.bold)
	}
}
