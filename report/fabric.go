package report

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"batopo/mixing"
)

// A fabric is hardware as it is drawn: the nodes in a row, boxes in levels above them, and
// wires from each box down to nodes or to boxes of lower levels.
type fabric struct {
	Text
	nodes  []string
	levels []level // the lowest first
	matrix *mixing.Matrix
	// class tells the group of an edge: what the edge shares, in words, and the number of its pen.
	class func(i, j int) (string, int)
}

type level struct {
	name  string
	pen   int // colour of its boxes, that of the edges which meet there
	boxes []fabricBox
}

type fabricBox struct {
	name, note string
	wires      []wire
	x, width   float64
}

// A wire leads from a box to box `to` of a level below, or to a node when that level is −1.
type wire struct{ level, to int }

// FabricNodes is how many nodes a drawing of hardware has room for in a row; more would be a picture many screens wide.
const FabricNodes = 256

const (
	levelStep = 84.0
	boxHeight = 36.0
	nodeSize  = 26.0
)

func (h fabric) draw() (*Figure, error) {
	n := len(h.nodes)
	if n == 0 {
		return nil, errors.New("report: a hardware drawing needs at least one node")
	}
	if n > FabricNodes {
		return nil, fmt.Errorf("report: %d nodes are too many for a hardware drawing; at most %d fit", n, FabricNodes)
	}
	var links []link
	if h.matrix != nil {
		if h.matrix.Nodes() != n {
			return nil, fmt.Errorf("report: the matrix has %d nodes, the hardware %d", h.matrix.Nodes(), n)
		}
		if links = linksOf(h.matrix); len(links) > maxDrawn {
			return nil, drawable(n, len(links))
		}
		if h.Subtitle == "" {
			h.Subtitle = weightRange(links)
		}
	}
	entries := h.classify(links)

	names := 0.0
	for _, l := range h.levels {
		names = max(names, min(legendName, textWidth(l.name, textSize, false)))
	}
	left := margin + names + 24
	pitch := h.pitch()
	width := max(left+float64(n)*pitch+margin, 560)
	f := newFigure(width, h.Text)
	row := f.height + 20 + float64(len(h.levels))*levelStep
	depth := 0.0
	if len(links) > 0 {
		depth = min(240, 40+float64(n)*pitch*0.28)
	}
	center := func(i int) point { return point{left + (float64(i)+0.5)*pitch, row + nodeSize/2} }

	h.place(left, float64(n)*pitch, center)
	h.wires(f, row, center)
	h.boxes(f, row)
	b := newBrush(links, len(links))
	for _, l := range bows(links, n, center, min(nodeSize, pitch-3), depth) {
		f.group("edge", l.describe(h.nodes, true), b.shapes(l.link, []curve{l.line}, 1)...)
	}
	f.chips(h.nodes, center, min(nodeSize, pitch-3))
	f.height = f.legendLines(entries, point{left, row + nodeSize + depth + 1.4*margin}, width-left) + 0.6*margin
	return f, nil
}

// pitch is the room per node: enough for what is written in the boxes, unless the picture
// would become wider than two screens.
func (h fabric) pitch() float64 {
	widest := max(17, 2000/float64(len(h.nodes)))
	pitch := min(46, max(17, 1100/float64(len(h.nodes))))
	for _, l := range h.levels {
		if len(l.boxes) == 0 {
			continue
		}
		room := 0.0
		for _, b := range l.boxes {
			room += b.textWidth() + 16
		}
		pitch = max(pitch, min(90, widest, room/float64(len(h.nodes))))
	}
	return pitch
}

func (b fabricBox) textWidth() float64 {
	return max(textWidth(b.name, tickSize, true), textWidth(b.note, 11, false)) + 14
}

// place centres each box over what it is wired to, unless boxes would overlap; then the
// level is spread evenly.
func (h fabric) place(left, width float64, center func(int) point) {
	for k := range h.levels {
		boxes := h.levels[k].boxes
		room := width / float64(len(boxes))
		fits := true
		for j := range boxes {
			b := &boxes[j]
			b.width = min(b.textWidth(), max(room-6, 20))
			sum := 0.0
			for _, w := range b.wires {
				if w.level < 0 {
					sum += center(w.to).x
				} else {
					sum += h.levels[w.level].boxes[w.to].x
				}
			}
			b.x = sum / float64(len(b.wires))
			if j > 0 && b.x-b.width/2 < boxes[j-1].x+boxes[j-1].width/2+6 {
				fits = false
			}
		}
		if !fits {
			for j := range boxes {
				boxes[j].x = left + (float64(j)+0.5)*room
			}
		}
	}
}

// top returns the y of the upper edge of level k, and that of the nodes for −1.
func (h fabric) top(row float64, k int) float64 { return row - float64(k+1)*levelStep }

func (h fabric) wires(f *Figure, row float64, center func(int) point) {
	for k, l := range h.levels {
		colour := penOf(l.pen).paint.faded(0.45)
		for _, b := range l.boxes {
			from := point{b.x, h.top(row, k) + boxHeight}
			for _, w := range b.wires {
				to := point{y: row}
				if w.level < 0 {
					to.x = center(w.to).x
				} else {
					to = point{h.levels[w.level].boxes[w.to].x, h.top(row, w.level)}
				}
				bend := 0.5 * (to.y - from.y)
				line := smooth(curve{from, {from.x, from.y + bend}, {to.x, to.y - bend}, to})
				f.group("wire", "", line.shape(style{stroke: colour, width: 1.4}))
			}
		}
	}
}

func (h fabric) boxes(f *Figure, row float64) {
	for k, l := range h.levels {
		y := h.top(row, k)
		name := shorten(l.name, legendName, textSize, false)
		f.add(caption(name, point{margin, lowered(y+boxHeight/2, textSize)}).shape())
		colour := penOf(l.pen).paint
		for _, b := range l.boxes {
			outline := rectangle(b.x-b.width/2, y, b.width, boxHeight)
			shapes := []shape{
				outline.shape(style{fill: paper}),
				outline.shape(style{fill: colour.faded(0.14), stroke: colour, width: 1.4}),
			}
			name := fitted(b.name, b.width-6, tickSize, true)
			note := fitted(b.note, b.width-4, 11, false)
			name.at, name.paint = point{b.x, lowered(y+boxHeight/2, name.size)}, ink
			if note.text != "" {
				name.at.y, note.at, note.paint = y+15, point{b.x, y + 29}, muted
			}
			for _, l := range []label{name, note} {
				if l.text != "" {
					shapes = append(shapes, l.shape())
				}
			}
			hover := b.name
			if b.note != "" {
				hover += "\n" + b.note
			}
			f.group("box", hover, shapes...)
		}
	}
}

// fitted returns text, centred, at the largest size up to size that fits into width, or no text where
// that would be too small to read.
func fitted(text string, width, size float64, bold bool) label {
	const smallest = 9
	size = min(size, size*width/max(1, textWidth(text, size, bold)))
	if size < smallest {
		text, size = "", smallest
	}
	return label{text: text, anchor: "middle", size: size, bold: bold}
}

// classify gives the links their pens and returns the legend, in the order of the levels.
func (h fabric) classify(links []link) []legendEntry {
	type class struct {
		pen   int
		name  string
		edges int
	}
	var classes []class
	for k, l := range links {
		name, pen := h.class(l.from, l.to)
		links[k].pen, links[k].note = pen, name
		at := slices.IndexFunc(classes, func(c class) bool { return c.pen == pen })
		if at < 0 {
			classes, at = append(classes, class{pen: pen, name: name}), len(classes)
		}
		classes[at].edges++
	}
	slices.SortFunc(classes, func(a, b class) int { return a.pen - b.pen })
	var entries []legendEntry
	for _, c := range classes {
		entries = append(entries, legendEntry{name: c.name, note: strconv.Itoa(c.edges), swatch: lineSwatch(c.pen)})
	}
	return entries
}
