package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/batopo/batopo/mixing"
)

// A fabric is hardware as it is drawn: the nodes in a row and, above them, levels of boxes. Wires lead from a box
// down to what it joins, and edges are bows below the row.
type fabric struct {
	Text
	nodes  []string
	levels []level // the lowest first
	matrix *mixing.Matrix
}

// On a level no node has more than one box.
type level struct {
	name  string
	edges string // what edges between nodes that first meet here are called
	boxes []fabricBox
}

type fabricBox struct {
	name, note string
	nodes      []int // all that it joins, through boxes of lower levels or directly
	x, width   float64
	wires      []point // their lower ends
}

// FabricNodes is how many nodes a drawing of hardware has room for in a row; more would be a picture many screens wide.
const FabricNodes = 256

const (
	levelStep = 84.0
	boxHeight = 36.0
	nodeSize  = 26.0
)

func (h fabric) draw() (*Figure, error) {
	n := len(h.nodes)
	if n > FabricNodes {
		return nil, fmt.Errorf("report: %d nodes are too many for a hardware drawing; at most %d fit", n, FabricNodes)
	}
	var links []link
	if h.matrix != nil {
		links = linksOf(h.matrix)
		if err := drawable(n, len(links)); err != nil {
			return nil, err
		}
		h.Subtitle = cmp.Or(h.Subtitle, weightRange(links))
	}
	entries := h.classify(links)

	names := 0.0
	for _, l := range h.levels {
		names = max(names, min(legendName, textWidth(l.name, textSize, false)))
	}
	left := margin + names + 24
	pitch := h.pitch()
	chip := min(nodeSize, pitch-3)
	width := max(left+float64(n)*pitch+margin, 560)
	f := newFigure(width, h.Text)
	row := f.height + 20 + float64(len(h.levels))*levelStep
	center := func(i int) point { return point{left + (float64(i)+0.5)*pitch, row + nodeSize/2} }
	h.place(left, float64(n)*pitch, center)
	h.boxes(f, row)
	below := row + nodeSize
	if len(links) > 0 {
		depth := min(240, 40+float64(n)*pitch*0.28)
		below += depth
		b := newBrush(links, len(links))
		for _, l := range bows(links, n, center, chip, depth) {
			f.group("edge", l.describe(h.nodes, true), b.shapes(l.link, []curve{l.line}, 1)...)
		}
	}
	f.chips(h.nodes, center, chip)
	f.height = f.legendLines(entries, point{left, below + 1.4*margin}, width-left) + 0.6*margin
	return f, nil
}

// pitch is the room per node: enough for what is written in the boxes, unless the picture
// would become wider than two screens.
func (h fabric) pitch() float64 {
	widest := max(17, 2000/float64(len(h.nodes)))
	pitch := min(46, max(17, 1100/float64(len(h.nodes))))
	for _, l := range h.levels {
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

// place wires each box and centres it over the wires, unless boxes would overlap; then the level is spread evenly.
func (h fabric) place(left, width float64, center func(int) point) {
	row := center(0).y - nodeSize/2
	for k := range h.levels {
		boxes := h.levels[k].boxes
		room := width / float64(len(boxes))
		fits := true
		for j := range boxes {
			b := &boxes[j]
			b.width = min(b.textWidth(), max(room-6, 20))
			b.wires = h.wires(k, b.nodes, row, center)
			for _, w := range b.wires {
				b.x += w.x / float64(len(b.wires))
			}
			fits = fits && (j == 0 || b.x-b.width/2 >= boxes[j-1].x+boxes[j-1].width/2+6)
		}
		if !fits {
			for j := range boxes {
				boxes[j].x = left + (float64(j)+0.5)*room
			}
		}
	}
}

// wires returns where a box of level k that joins the given nodes is wired to: the highest boxes below that join
// nothing else, and the nodes that are in none of them.
func (h fabric) wires(k int, nodes []int, row float64, center func(int) point) []point {
	var ends []point
	open := slices.Clone(nodes)
	for j := k - 1; j >= 0; j-- {
		for _, b := range h.levels[j].boxes {
			others := slices.DeleteFunc(slices.Clone(open), func(i int) bool { return slices.Contains(b.nodes, i) })
			if len(others)+len(b.nodes) == len(open) {
				ends, open = append(ends, point{b.x, h.top(row, j)}), others
			}
		}
	}
	for _, i := range open {
		ends = append(ends, point{center(i).x, row})
	}
	return ends
}

// top returns the y of the upper edge of level k.
func (h fabric) top(row float64, k int) float64 { return row - float64(k+1)*levelStep }

// boxes draws the wires first, so that they end under the boxes.
func (h fabric) boxes(f *Figure, row float64) {
	for k, l := range h.levels {
		for _, b := range l.boxes {
			from := point{b.x, h.top(row, k) + boxHeight}
			for _, to := range b.wires {
				bend := 0.5 * (to.y - from.y)
				line := smooth(curve{from, {from.x, from.y + bend}, {to.x, to.y - bend}, to})
				f.group("wire", "", line.shape(style{stroke: penOf(k).paint.faded(0.45), width: 1.4}))
			}
		}
	}
	for k, l := range h.levels {
		y := h.top(row, k)
		name := shorten(l.name, legendName, textSize, false)
		f.add(caption(name, point{margin, lowered(y+boxHeight/2, textSize)}).shape())
		for _, b := range l.boxes {
			b.draw(f, y, penOf(k).paint)
		}
	}
}

func (b fabricBox) draw(f *Figure, y float64, colour paint) {
	outline := rectangle(b.x-b.width/2, y, b.width, boxHeight)
	shapes := []shape{
		outline.shape(style{fill: paper}),
		outline.shape(style{fill: colour.faded(0.14), stroke: colour, width: 1.4}),
	}
	hover := b.name
	name, note := fitted(b.name, b.width-6, tickSize, true), fitted(b.note, b.width-4, 11, false)
	name.at, name.paint = point{b.x, lowered(y+boxHeight/2, name.size)}, ink
	if note.text != "" {
		name.at.y, note.at, note.paint = y+15, point{b.x, y + 29}, muted
		shapes = append(shapes, note.shape())
	}
	if name.text != "" {
		shapes = append(shapes, name.shape())
	}
	if b.note != "" {
		hover += "\n" + b.note
	}
	f.group("box", hover, shapes...)
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

// classify gives the links the pens of the lowest levels at which their ends meet, and returns the legend.
func (h fabric) classify(links []link) []legendEntry {
	var classes []string
	homes := make([][]int, len(h.levels)) // the box of each node, or −1
	for k, l := range h.levels {
		classes = append(classes, l.edges)
		homes[k] = slices.Repeat([]int{-1}, len(h.nodes))
		for at, b := range l.boxes {
			for _, i := range b.nodes {
				homes[k][i] = at
			}
		}
	}
	classes = append(classes, "relayed: no shared switch")
	count := make([]int, len(classes))
	for i, l := range links {
		meet := slices.IndexFunc(homes, func(home []int) bool { return home[l.from] >= 0 && home[l.from] == home[l.to] })
		if meet < 0 {
			meet = len(h.levels)
		}
		links[i].pen, links[i].note = meet, classes[meet]
		count[meet]++
	}
	var entries []legendEntry
	for k, edges := range count {
		if edges > 0 {
			entries = append(entries, legendEntry{name: classes[k], note: strconv.Itoa(edges), swatch: lineSwatch(k)})
		}
	}
	return entries
}
