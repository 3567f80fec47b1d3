package report

// A network is a graph with a place for every node, ready to be drawn.
type network struct {
	names []string
	notes []string // further hover text per node
	links []link

	width, height float64
	places        []point // relative to the top left of the network
	center        point   // of the circle
	radius        float64 // of the nodes
	spacing       float64 // between neighbouring nodes
	inside        bool    // names are written into the nodes
	rim           float64 // radius of the circle that the nodes stand on
}

const (
	nameSize    = 12.0
	longestName = 130.0 // longer names are cut; hovering shows them whole
)

// namesFitInside reports whether all names can be read inside their circles.
func (n *network) namesFitInside() bool {
	return n.radius >= 8 && widest(n.names, n.insideSize()) <= 1.75*n.radius
}

func (n *network) insideSize() float64  { return min(nameSize, 0.95*n.radius) }
func (n *network) outsideSize() float64 { return min(nameSize, 0.85*n.spacing) }

func nodeCircle(at point, radius float64) shape {
	if radius < 2.5 {
		return circle(at, radius, style{fill: ink})
	}
	return circle(at, radius, style{fill: paper, stroke: ink, width: min(1.5, 0.2*radius)})
}

// draw puts the network on a circle under its header, with a legend on the right when there are entries.
func (n *network) draw(t Text, entries []legendEntry) *Figure {
	n.circle()
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
		n.places[i] = p.plus(shift)
	}
	n.center = n.center.plus(shift)
	b := newBrush(n.links)
	for _, l := range n.links {
		f.group("edge", l.describe(n.names), b.shapes(l, n.chord(l), n.radius+1)...)
	}
	for i := range n.places {
		n.node(f, i)
	}
	f.legend(entries, point{n.width, head + margin})
	return f
}

func (n *network) node(f *Figure, i int) {
	at := n.places[i]
	shapes := []shape{nodeCircle(at, n.radius)}
	switch {
	case n.inside:
		size := n.insideSize()
		name := label{text: n.names[i], at: point{at.x, lowered(at.y, size)}, anchor: "middle", size: size, paint: ink}
		shapes = append(shapes, name.shape())
	case len(n.names) <= mostNamed:
		shapes = append(shapes, n.besideCircle(i, n.outsideSize()).shape())
	}
	f.group("node", "node "+n.names[i]+n.notes[i], shapes...)
}
