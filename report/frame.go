package report

import "errors"

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

// header writes title and subtitle and returns the y below them.
func (f *Figure) header(t Text) float64 {
	y := margin
	if t.Title != "" {
		y += titleSize * 0.9
		title := shorten(t.Title, f.width-2*margin, titleSize, true)
		f.write(label{text: title, at: point{margin, y}, size: titleSize, bold: true, paint: ink})
	}
	for _, line := range wrap(t.Subtitle, f.width-2*margin, textSize, false) {
		y += textSize * lineHeight
		f.write(label{text: line, at: point{margin, y}, size: textSize, paint: muted})
	}
	return y
}

// headerHeight returns how much room header will take on a figure of the given width.
func headerHeight(t Text, width float64) float64 {
	h := margin + float64(len(wrap(t.Subtitle, width-2*margin, textSize, false)))*textSize*lineHeight
	if t.Title != "" {
		h += titleSize * 0.9
	}
	return h
}

// A frame is the plot area of a chart, with its axes.
type frame struct {
	*Figure
	x, y                     Axis
	left, top, right, bottom float64
	busy                     []point // places that curves pass through, for labels to avoid
}

// newFrame lays out a chart whose plot area is body high, with side units of room on its right
// for a legend. The axes must be fitted.
func newFrame(t Text, x, y Axis, body, side float64) (*frame, error) {
	if x.Label == "" || y.Label == "" {
		return nil, errors.New("report: a chart needs a label on both axes")
	}
	head := headerHeight(t, chartWidth)
	f := &frame{x: x, y: y, top: head + 2.9*textSize, right: chartWidth - margin - side}
	f.bottom = f.top + body
	f.Figure = newFigure(chartWidth, f.bottom+4.4*textSize, t.Title)
	f.header(t)

	ticks := y.ticks(int(body / 40))
	widest := 0.0
	for _, tk := range ticks {
		widest = max(widest, textWidth(tk.text, tickSize, false))
	}
	f.left = margin + widest + 8
	caption := shorten(y.caption(), f.right-margin, textSize, false)
	f.write(label{text: caption, at: point{margin, f.top - 1.05*textSize}, size: textSize, paint: muted})
	for _, tk := range ticks {
		at := f.py(tk.value)
		if tk.text == "" {
			continue
		}
		f.stroke(polyline(point{f.left, at}, point{f.right, at}), rule, 1)
		f.write(label{text: tk.text, at: point{f.left - 8, at + capHeight*tickSize/2}, anchor: end, size: tickSize, paint: muted})
	}
	f.drawX()
	return f, nil
}

func (f *frame) drawX() {
	f.stroke(polyline(point{f.left, f.bottom}, point{f.right, f.bottom}), muted, 1)
	for _, tk := range f.x.ticks(int((f.right - f.left) / 65)) {
		at := f.px(tk.value)
		long := 6.0
		if tk.text == "" {
			long = 3
		}
		f.stroke(polyline(point{at, f.bottom}, point{at, f.bottom + long}), muted, 1)
		if tk.text != "" {
			f.write(label{text: tk.text, at: point{at, f.bottom + 7 + tickSize}, anchor: middle, size: tickSize, paint: muted})
		}
	}
	caption := shorten(f.x.caption(), f.right-f.left, textSize, false)
	below := point{(f.left + f.right) / 2, f.bottom + 3.1*textSize}
	f.write(label{text: caption, at: below, anchor: middle, size: textSize, paint: muted})
}

// px and py place data values on the figure.
func (f *frame) px(v float64) float64 { return f.left + f.x.fraction(v)*(f.right-f.left) }
func (f *frame) py(v float64) float64 { return f.bottom - f.y.fraction(v)*(f.bottom-f.top) }
