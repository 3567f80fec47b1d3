package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/batopo/batopo/mixing"
)

// A HardwareDrawing shows the nodes of a cluster in a row and, above them, layers of what joins them: PCIe switches
// and sockets, leaves and a spine, the switches of a BCube. Below the row are the edges of a mixing matrix, coloured
// by the lowest layer at which the two ends meet.
type HardwareDrawing struct {
	Text    // an empty Subtitle is filled with the number of edges and the range of weights
	Nodes   []string
	Layers  []Layer        // the lowest first
	Matrix  *mixing.Matrix // nil: only the hardware
	Traffic bool           // the matrix holds traffic; see GraphDrawing
}

// A Layer is hardware of one kind. In it no node has more than one part.
type Layer struct {
	Name  string
	Parts []Part
}

// A Part joins nodes, through parts of lower layers or directly.
type Part struct {
	Name  string
	Note  string // second line in its box, such as "4.88 GB/s"
	Nodes []int
}

// A hardwareBox is a part with its place.
type hardwareBox struct {
	Part
	x, width float64
	wires    []point // their lower ends
}

// FabricNodes is how many nodes a drawing of hardware has room for in a row; more would be a picture many screens wide.
const FabricNodes = 256

const (
	layerStep = 84.0
	boxHeight = 36.0
	nodeSize  = 26.0
)

// Draw lays out the hardware. It refuses more than 256 nodes.
func (h HardwareDrawing) Draw() (*Figure, error) {
	n := len(h.Nodes)
	if n > FabricNodes {
		return nil, fmt.Errorf("report: %d nodes are too many for a hardware drawing; at most %d fit", n, FabricNodes)
	}
	var links []link
	var entries []legendEntry
	if h.Matrix != nil {
		links = linksOf(h.Matrix, h.Traffic)
		entries = h.classify(links)
		h.Subtitle = cmp.Or(h.Subtitle, widthText(links, h.Traffic))
	}
	if err := drawable(n, len(links)); err != nil {
		return nil, err
	}

	names := 0.0
	for _, l := range h.Layers {
		names = max(names, min(legendName, textWidth(l.Name, textSize, false)))
	}
	left := margin + names + 24
	pitch := h.pitch()
	chip := chipSize(h.Nodes, pitch)
	width := max(left+float64(n)*pitch+margin, 560)
	f := newFigure(width, h.Text)
	row := f.height + 20 + float64(len(h.Layers))*layerStep
	center := func(i int) point { return point{left + (float64(i)+0.5)*pitch, row + nodeSize/2} }
	h.drawBoxes(f, h.place(left, float64(n)*pitch, center), row)
	below := row + nodeSize
	if len(links) > 0 {
		depth := min(240, 40+float64(n)*pitch*0.28)
		below += depth
		b := newBrush(links)
		for _, l := range bows(links, n, center, chip, depth) {
			f.group("edge", l.describe(h.Nodes), b.shapes(l.link, l.line, 1)...)
		}
	}
	f.chips(h.Nodes, center, chip)
	f.height = f.legendLines(entries, point{left, below + 1.4*margin}, width-left) + 0.6*margin
	return f, nil
}

// pitch is the room per node: enough for what is written in the boxes, unless the picture
// would become wider than two screens.
func (h HardwareDrawing) pitch() float64 {
	widest := max(17, 2000/float64(len(h.Nodes)))
	pitch := min(46, max(17, 1100/float64(len(h.Nodes))))
	for _, l := range h.Layers {
		room := 0.0
		for _, p := range l.Parts {
			room += p.textWidth() + 16
		}
		pitch = max(pitch, min(90, widest, room/float64(len(h.Nodes))))
	}
	return pitch
}

func (p Part) textWidth() float64 {
	return max(textWidth(p.Name, tickSize, true), textWidth(p.Note, 11, false)) + 14
}

// place wires each part and centres it over the wires, unless boxes would overlap; then the layer is spread evenly.
func (h HardwareDrawing) place(left, width float64, center func(int) point) [][]hardwareBox {
	row := center(0).y - nodeSize/2
	placed := make([][]hardwareBox, len(h.Layers))
	for k, l := range h.Layers {
		room := width / float64(len(l.Parts))
		fits, edge := true, math.Inf(-1)
		for _, p := range l.Parts {
			b := hardwareBox{Part: p, width: min(p.textWidth(), max(room-6, 20)), wires: wires(placed[:k], p.Nodes, row, center)}
			for _, w := range b.wires {
				b.x += w.x / float64(len(b.wires))
			}
			fits = fits && b.x-b.width/2 >= edge
			edge = b.x + b.width/2 + 6
			placed[k] = append(placed[k], b)
		}
		for j := range placed[k] {
			if !fits {
				placed[k][j].x = left + (float64(j)+0.5)*room
			}
		}
	}
	return placed
}

// wires returns where a part that joins the given nodes is wired to: the highest boxes below that join nothing else,
// and the nodes that are in none of them.
func wires(below [][]hardwareBox, nodes []int, row float64, center func(int) point) []point {
	var ends []point
	open := slices.Clone(nodes)
	for j, boxes := range slices.Backward(below) {
		for _, b := range boxes {
			others := slices.DeleteFunc(slices.Clone(open), func(i int) bool { return slices.Contains(b.Nodes, i) })
			if len(others)+len(b.Nodes) == len(open) {
				ends, open = append(ends, point{b.x, layerTop(row, j)}), others
			}
		}
	}
	for _, i := range open {
		ends = append(ends, point{center(i).x, row})
	}
	return ends
}

// layerTop returns the y of the upper edge of layer k.
func layerTop(row float64, k int) float64 { return row - float64(k+1)*layerStep }

// drawBoxes draws the wires first, so that they end under the boxes.
func (h HardwareDrawing) drawBoxes(f *Figure, placed [][]hardwareBox, row float64) {
	for k, boxes := range placed {
		for _, b := range boxes {
			from := point{b.x, layerTop(row, k) + boxHeight}
			for _, to := range b.wires {
				bend := 0.5 * (to.y - from.y)
				line := smooth(curve{from, {from.x, from.y + bend}, {to.x, to.y - bend}, to})
				f.group("wire", "", line.shape(style{stroke: penOf(k).paint.faded(0.45), width: 1.4}))
			}
		}
	}
	for k, boxes := range placed {
		y := layerTop(row, k)
		name := shorten(h.Layers[k].Name, legendName, textSize, false)
		f.add(caption(name, point{margin, lowered(y+boxHeight/2, textSize)}).shape())
		for _, b := range boxes {
			b.draw(f, y, penOf(k).paint)
		}
	}
}

func (b hardwareBox) draw(f *Figure, y float64, colour paint) {
	outline := rectangle(b.x-b.width/2, y, b.width, boxHeight)
	shapes := []shape{
		outline.shape(style{fill: paper}),
		outline.shape(style{fill: colour.faded(0.14), stroke: colour, width: 1.4}),
	}
	name, note := fitted(b.Name, b.width-6, tickSize, true), fitted(b.Note, b.width-4, 11, false)
	name.at, name.paint = point{b.x, lowered(y+boxHeight/2, name.size)}, ink
	if note.text != "" {
		name.at.y, note.at, note.paint = y+15, point{b.x, y + 29}, muted
		shapes = append(shapes, note.shape())
	}
	if name.text != "" {
		shapes = append(shapes, name.shape())
	}
	f.group("box", strings.TrimSuffix(b.Name+"\n"+b.Note, "\n"), shapes...)
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

// classify gives the links the pens of the lowest layers at which their ends meet, and returns the legend.
func (h HardwareDrawing) classify(links []link) []legendEntry {
	var classes []string
	for _, l := range h.Layers {
		classes = append(classes, "meet at "+l.Name)
	}
	classes = append(classes, "relayed: no shared switch")
	count := make([]int, len(classes))
	for i, l := range links {
		joins := func(p Part) bool { return slices.Contains(p.Nodes, l.from) && slices.Contains(p.Nodes, l.to) }
		meet := slices.IndexFunc(h.Layers, func(layer Layer) bool { return slices.ContainsFunc(layer.Parts, joins) })
		if meet < 0 {
			meet = len(h.Layers)
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
