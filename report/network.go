package report

import "fmt"

// A network is a graph with a place for every node, ready to be drawn.
type network struct {
	names  []string
	self   []float64 // self weights, for hover texts; nil when unknown
	notes  []string  // further hover text per node; nil for none
	links  []link
	colour []paint // fill of each node; nil: paper

	width, height float64
	places        []point // relative to the top left of the network
	center        point   // of the circle
	radius        float64 // of the nodes
	spacing       float64 // between neighbouring nodes
	inside        bool    // names are written into the nodes
	round         bool    // the nodes stand on a circle around center
	unnamed       bool    // names appear on hover only
	crowd         int     // how many links compete for the same room
	unweighted    bool    // the links' weights are not known
	rim           float64 // radius of a circle that stands for nodes left out; 0 for none
	route         func(l link, a, b point) []curve
}

const (
	nameSize    = 12.0
	longestName = 130.0 // longer names are cut; hovering shows them whole
)

// namesFitInside reports whether all names can be read inside their circles.
func (n *network) namesFitInside() bool {
	if n.radius < 8 || n.unnamed {
		return false
	}
	for _, name := range n.names {
		if textWidth(name, min(nameSize, 0.95*n.radius), false) > 1.75*n.radius {
			return false
		}
	}
	return true
}

// outsideSize is the size of names written outside, and of how many nodes one is named.
func (n *network) outsideSize() (size float64, every int) {
	const smallest = 7.0
	size, every = min(nameSize, 0.85*n.spacing), 1
	for size*float64(every) < smallest {
		every *= 2
	}
	return max(size, smallest), every
}

func (n *network) widestName() float64 {
	size, _ := n.outsideSize()
	widest := 0.0
	for _, name := range n.names {
		widest = max(widest, textWidth(name, size, false))
	}
	return min(widest, longestName)
}

func nodeCircle(at point, radius float64, fill paint) shape {
	if radius < 2.5 {
		return circle(at, radius, style{fill: ink})
	}
	return circle(at, radius, style{fill: fill, stroke: ink, width: min(1.5, 0.2*radius)})
}

// draw puts the network under its header, with a legend on the right when there are entries.
func (n *network) draw(t Text, entries []legendEntry) *Figure {
	width := n.width
	if len(entries) > 0 {
		width += legendWidth(entries) + margin
	}
	width = max(width, 300, min(chartWidth, 2*margin+textWidth(t.Title, titleSize, true)))
	f := newFigure(width, t)
	head := f.height
	f.height += max(n.height, float64(len(entries))*legendRow+2*margin)
	shift := point{0, head}
	if len(entries) == 0 {
		shift.x = (width - n.width) / 2
	}
	for i, p := range n.places {
		n.places[i] = point{p.x + shift.x, p.y + shift.y}
	}
	n.center = point{n.center.x + shift.x, n.center.y + shift.y}
	if n.rim > 0 {
		f.add(circle(n.center, n.rim, style{stroke: rule, width: 2}))
	}
	b := newBrush(n.links, n.crowd)
	for _, l := range n.links {
		line := n.route(l, n.places[l.from], n.places[l.to])
		f.group("edge", l.describe(n.names, !n.unweighted), b.shapes(l, line, n.radius+1)...)
	}
	for i := range n.places {
		n.node(f, i)
	}
	f.legend(entries, point{n.width, head + margin})
	return f
}

func (n *network) node(f *Figure, i int) {
	fill := paper
	if n.colour != nil {
		fill = n.colour[i]
	}
	shapes := []shape{nodeCircle(n.places[i], n.radius, fill)}
	if l, ok := n.name(i); ok {
		if b := l.box(); !n.inside && !n.round { // the name lies on the edge below
			back := rectangle(b.left-1, b.top, b.right-b.left+2, b.bottom-b.top)
			shapes = append(shapes, back.shape(style{fill: paper.faded(0.85)}))
		}
		shapes = append(shapes, l.shape())
	}
	hover := "node " + n.names[i]
	if n.self != nil {
		hover += fmt.Sprintf(", self weight %s", plain(n.self[i], 4))
	}
	if n.notes != nil && n.notes[i] != "" {
		hover += "\n" + n.notes[i]
	}
	f.group("node", hover, shapes...)
}

// name returns node i's name where it is to be written, if it is.
func (n *network) name(i int) (label, bool) {
	at := n.places[i]
	if n.inside {
		size := min(nameSize, 0.95*n.radius)
		at.y += capHeight * size / 2
		return label{text: n.names[i], at: at, anchor: "middle", size: size, paint: nameInk(n.colour, i)}, true
	}
	size, every := n.outsideSize()
	switch {
	case n.unnamed || len(n.names) > mostNamed || i%every != 0:
		return label{}, false
	case n.round:
		return n.besideCircle(i, size), true
	}
	text := shorten(n.names[i], 0.95*n.spacing, size, false)
	return label{text: text, at: point{at.x, at.y + n.radius + size}, anchor: "middle", size: size, paint: ink}, true
}

// nameInk is readable on the node's fill, also where the page swaps ink and paper.
func nameInk(colour []paint, i int) paint {
	if colour == nil || colour[i] == paper {
		return ink
	}
	return paint{"", ink.hex, 1}
}
