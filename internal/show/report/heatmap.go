package report

import (
	"fmt"
	"math"

	"github.com/batopo/batopo/mixing"
)

// maxDrawn is the most edges or matrix entries that one picture shows. More would make
// files of many megabytes in which nobody sees anything.
const maxDrawn = 20_000

// A HeatMap shows W entry by entry: row i is what node i listens to. Zero entries stay
// empty, positive ones are blue, negative ones vermilion, and stronger colour means larger weight.
type HeatMap struct {
	Text
	Matrix *mixing.Matrix
}

// Draw lays out the map. It refuses matrices with more than 20 000 entries.
func (h HeatMap) Draw() (*Figure, error) {
	w := h.Matrix
	n := w.Nodes()
	if entries := n + w.Arcs(); entries > maxDrawn {
		return nil, fmt.Errorf("report: W has %d entries, more than the %d that a heat map shows", entries, maxDrawn)
	}
	const side, bar = 470.0, 90.0
	cell := min(40, side/float64(n))
	extent := cell * float64(n)
	left := margin + 46
	width := max(left+extent+bar+margin, min(side, 2*margin+textWidth(h.Title, titleSize, true)))
	f := newFigure(width, h.Text)
	top := f.height + 3.4*textSize
	f.height = top + max(extent, 80) + margin
	largest := 0.0
	each(w, func(_, _ int, v float64) { largest = max(largest, math.Abs(v)) })
	each(w, func(i, j int, v float64) {
		f.cell(point{left + float64(j)*cell, top + float64(i)*cell}, cell, n, i, j, v, largest)
	})
	f.stroke(rectangle(left, top, extent, extent), muted, 1)
	f.heatAxes(left, top, cell, n)
	f.colourBar(left+extent+24, top, max(80, min(extent, 220)), largest, !w.Nonnegative())
	return f, nil
}

// each calls yield with every nonzero entry, row by row.
func each(w *mixing.Matrix, yield func(i, j int, v float64)) {
	for i := range w.Nodes() {
		if v := w.Self()[i]; v != 0 {
			yield(i, i, v)
		}
		from, weight := w.Row(i)
		for k, j := range from {
			if weight[k] != 0 {
				yield(i, j, weight[k])
			}
		}
	}
}

// heat is the colour of a weight. It is transparent rather than pale, so that it works on dark pages too.
func heat(v, largest float64) paint {
	c := okabeIto[0]
	if v < 0 {
		c = okabeIto[1]
	}
	if largest == 0 {
		return c
	}
	return c.faded(0.08 + 0.92*math.Abs(v)/largest)
}

func (f *Figure) cell(at point, size float64, n, i, j int, v, largest float64) {
	const numbersUpTo = 12 // more nodes leave too little room for digits
	gap := 0.0
	if size > 6 {
		gap = 0.5
	}
	square := rectangle(at.x+gap, at.y+gap, size-2*gap, size-2*gap)
	shapes := []shape{square.shape(style{fill: heat(v, largest)})}
	if n <= numbersUpTo {
		text := ink
		if math.Abs(v) > 0.55*largest {
			text = paint{"", "#ffffff", 1}
		}
		digits := tickLabel(plain(v, 2), point{at.x + size/2, at.y + size/2 + 4}, "middle")
		digits.size, digits.paint = 11.5, text
		shapes = append(shapes, digits.shape())
	}
	hover := fmt.Sprintf("node %d gives %s to node %d", i, plain(v, 4), j)
	if i == j {
		hover = fmt.Sprintf("node %d gives %s to itself", i, plain(v, 4))
	}
	f.group("cell", hover, shapes...)
}

func (f *Figure) heatAxes(left, top, cell float64, n int) {
	every := 1
	for float64(every)*cell < 22 {
		every *= 2
	}
	for k := 0; k < n; k += every {
		at := (float64(k) + 0.5) * cell
		text := fmt.Sprint(k)
		f.add(tickLabel(text, point{left - 7, lowered(top+at, tickSize)}, "end").shape(),
			tickLabel(text, point{left + at, top - 7}, "middle").shape())
	}
	side := caption("to node", point{margin + 8, top})
	side.anchor, side.turn = "end", -90
	f.add(caption("from node", point{left, top - 7 - tickSize*lineHeight}).shape(), side.shape())
}

// colourBar explains the colours between −largest or 0 and largest.
func (f *Figure) colourBar(x, y, height, largest float64, negative bool) {
	const steps = 40
	lo := 0.0
	if negative {
		lo = -largest
	}
	f.add(caption("weight", point{x, y - 12}).shape()) // above a tick at the upper end
	for k := range steps {
		v := largest - (float64(k)+0.5)/steps*(largest-lo)
		f.add(rectangle(x, y+float64(k)*height/steps, 14, height/steps).shape(style{fill: heat(v, largest)}))
	}
	f.stroke(rectangle(x, y, 14, height), muted, 1)
	scale := Axis{Min: lo, Max: largest}
	if largest <= lo {
		return
	}
	for _, t := range scale.ticks(int(height / 45)) {
		at := y + (1-scale.fraction(t.value))*height
		f.stroke(polyline(point{x + 14, at}, point{x + 19, at}), muted, 1)
		f.add(tickLabel(t.text, point{x + 23, lowered(at, tickSize)}, "").shape())
	}
}
