package report

import "slices"

// Text says what a picture shows.
type Text struct {
	Title    string // one short line
	Subtitle string // setting and method, wrapped over as many lines as needed
}

const (
	margin     = 24.0
	chartWidth = 800.0
	chartBody  = 360.0 // usual height of the plot area
)

// newFigure returns a figure with title and subtitle at its top. Its height ends below them; who draws more
// sets it.
func newFigure(width float64, t Text) *Figure {
	f := &Figure{width: width, height: margin, title: t.Title}
	if t.Title != "" {
		f.height += titleSize * 0.9
		title := shorten(t.Title, width-2*margin, titleSize, true)
		f.add(label{text: title, at: point{margin, f.height}, size: titleSize, bold: true, paint: ink}.shape())
	}
	for _, line := range wrap(t.Subtitle, width-2*margin) {
		f.height += textSize * lineHeight
		f.add(caption(line, point{margin, f.height}).shape())
	}
	return f
}

// A frame is the plot area of a chart, with its axes.
type frame struct {
	*Figure
	x, y Axis
	box
	busy []point // places that curves pass through, for labels to avoid
}

// A box is an upright rectangle.
type box struct{ left, top, right, bottom float64 }

// holds reports whether p lies in b or closer to it than air.
func (b box) holds(p point, air float64) bool {
	return p.x >= b.left-air && p.x <= b.right+air && p.y >= b.top-air && p.y <= b.bottom+air
}

func (b box) overlaps(c box) bool {
	return b.left < c.right && c.left < b.right && b.top < c.bottom && c.top < b.bottom
}

// newFrame lays out a chart with the legend on its right. The axes must be fitted.
func newFrame(t Text, x, y Axis, legend []legendEntry) *frame {
	f := &frame{Figure: newFigure(chartWidth, t), x: x, y: y}
	body := max(chartBody, float64(len(legend))*legendRow)
	f.top, f.right = f.height+2.9*textSize, chartWidth-margin
	if len(legend) > 0 {
		f.right -= legendWidth(legend) + 20
		f.legend(legend, point{f.right + 20, f.top})
	}
	f.bottom = f.top + body

	ticks := slices.DeleteFunc(y.ticks(int(body/40)), func(t tick) bool { return t.text == "" })
	f.left = margin + 8
	for _, t := range ticks {
		f.left = max(f.left, margin+8+textWidth(t.text, tickSize, false))
	}
	above := shorten(y.caption(), f.right-margin, textSize, false)
	f.add(caption(above, point{margin, f.top - 1.05*textSize}).shape())
	for _, t := range ticks {
		at := f.py(t.value)
		f.across(at, rule, 1)
		f.add(tickLabel(t.text, point{f.left - 8, lowered(at, tickSize)}, "end").shape())
	}
	f.drawX()
	return f
}

// across draws a line from the left to the right of the plot area.
func (f *frame) across(y float64, c paint, width float64, dash ...float64) {
	f.stroke(polyline(point{f.left, y}, point{f.right, y}), c, width, dash...)
}

// drawX draws the x axis, below which the figure ends.
func (f *frame) drawX() {
	f.height = f.bottom + 4.4*textSize
	f.across(f.bottom, muted, 1)
	for _, tk := range f.x.ticks(int((f.right - f.left) / 65)) {
		at := f.px(tk.value)
		long := 3.0
		if tk.text != "" {
			long = 6
			f.add(tickLabel(tk.text, point{at, f.bottom + 7 + tickSize}, "middle").shape())
		}
		f.stroke(polyline(point{at, f.bottom}, point{at, f.bottom + long}), muted, 1)
	}
	text := shorten(f.x.caption(), f.right-f.left, textSize, false)
	below := caption(text, point{(f.left + f.right) / 2, f.bottom + 3.1*textSize})
	below.anchor = "middle"
	f.add(below.shape())
}

// px and py place data values on the figure.
func (f *frame) px(v float64) float64 { return f.left + f.x.fraction(v)*(f.right-f.left) }
func (f *frame) py(v float64) float64 { return f.bottom - f.y.fraction(v)*(f.bottom-f.top) }

// inside reports whether p lies in the plot area, up to rounding.
func (f *frame) inside(p point) bool { return f.holds(p, 1e-6) }
