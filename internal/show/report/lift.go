package report

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/batopo/batopo/topology"
)

// A LiftDrawing shows a symmetric graph as what it is: turning the picture by one position
// of the cyclic group maps it onto itself. Nodes (0,x), (1,x), … stand side by side, and
// each arc has its colour.
type LiftDrawing struct {
	Text                  // an empty Subtitle is filled with the size of the lift
	Lift    topology.Lift // as NewLift returns it
	Weights []float64     // one per arc
}

// Draw lays out the lift. One that is too large to draw edge by edge is shown by the edges
// of the nodes (a, 0) alone, and the subtitle says so: all others are turned copies.
func (d LiftDrawing) Draw() (*Figure, error) {
	l := d.Lift
	canonical, err := topology.NewLift(l.Orbits, l.Size, l.Arcs)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(canonical.Arcs, l.Arcs) {
		return nil, errors.New("report: the arcs of a lift must be spelled and sorted as topology.NewLift does, " +
			"or weights would go astray")
	}
	if len(d.Weights) != len(l.Arcs) {
		return nil, fmt.Errorf("report: %d weights for the %d arcs of the lift", len(d.Weights), len(l.Arcs))
	}
	sample := drawable(l.Nodes(), l.Edges()) != nil
	if sample && (l.Orbits*len(l.Arcs) > maxDrawn || l.Nodes() > 1<<24) {
		return nil, fmt.Errorf("%w, even one turn of it: a lift of %d nodes and %d arcs",
			ErrTooLarge, l.Nodes(), len(l.Arcs))
	}
	if d.Subtitle == "" {
		orbits := ""
		if l.Orbits > 1 {
			orbits = fmt.Sprintf(" in %d orbits of %d", l.Orbits, l.Size)
		}
		d.Subtitle = fmt.Sprintf("%d nodes%s, %d edges in %d arcs", l.Nodes(), orbits, l.Edges(), len(l.Arcs))
	}
	if sample {
		d.Subtitle += fmt.Sprintf(". Drawn: the edges at one position of %d; the others look the same, turned.", l.Size)
	}
	return d.network(sample).draw(d.Text, d.entries()), nil
}

// network gathers the nodes and edges to draw: all of them, or those at position 0. Node (a, x) stands on the circle
// where x·Orbits + a stands among all nodes.
func (d LiftDrawing) network(sample bool) *network {
	l := d.Lift
	net := &network{unnamed: sample}
	var turns []float64
	index := make(map[int]int) // of the nodes so far, by number
	place := func(orbit, x int) int {
		x = (x%l.Size + l.Size) % l.Size
		number := l.Node(orbit, x)
		if at, known := index[number]; known {
			return at
		}
		index[number] = len(turns)
		turns = append(turns, float64(x*l.Orbits+orbit)/float64(l.Nodes()))
		net.names = append(net.names, strconv.Itoa(number))
		net.notes = append(net.notes, fmt.Sprintf("\norbit %d, position %d", orbit, x))
		if d.coloured() {
			net.colour = append(net.colour, orbitPaints[orbit])
		}
		return index[number]
	}
	join := func(k, x int) {
		arc := l.Arcs[k]
		net.links = append(net.links, link{from: place(arc.A, x), to: place(arc.B, x+arc.S), weight: d.Weights[k], pen: k,
			note: d.arcName(k)})
	}
	positions := l.Size
	if sample {
		positions = 1
	}
	for x := range positions {
		for orbit := range l.Orbits {
			place(orbit, x)
		}
	}
	for k, arc := range l.Arcs {
		for x := range min(positions, l.EdgesOf(arc)) {
			join(k, x)
		}
		if sample && !l.Matching(arc) {
			join(k, -arc.S)
		}
	}
	net.circle(turns)
	return net
}

// orbitPaints are light, so that edges in the colours of the palette stand out beside them.
var orbitPaints = []paint{
	paper, {"", "#f5ec8c", 1}, {"", "#b8c4ce", 1}, {"", "#f7c6a3", 1}, {"", "#bfe3d0", 1}, {"", "#e5c8da", 1},
}

// coloured reports whether the orbits are few enough to have a colour each.
func (d LiftDrawing) coloured() bool { return d.Lift.Orbits > 1 && d.Lift.Orbits <= len(orbitPaints) }

func (d LiftDrawing) arcName(k int) string {
	arc := d.Lift.Arcs[k]
	if d.Lift.Orbits == 1 {
		return fmt.Sprintf("step %d", arc.S)
	}
	return fmt.Sprintf("orbit %d to %d, step %d", arc.A, arc.B, arc.S)
}

// entries lists the arcs, as many as are readable.
func (d LiftDrawing) entries() []legendEntry {
	const most = 20
	var entries []legendEntry
	for k := range d.Lift.Arcs {
		if k == most && len(d.Lift.Arcs) > most+1 {
			rest := fmt.Sprintf("and %d more arcs", len(d.Lift.Arcs)-most)
			return append(entries, legendEntry{name: rest, swatch: func(point) []shape { return nil }})
		}
		entries = append(entries, legendEntry{name: d.arcName(k), note: plain(d.Weights[k], 4), swatch: lineSwatch(k)})
	}
	if d.coloured() {
		for a := range d.Lift.Orbits {
			entries = append(entries, legendEntry{name: fmt.Sprintf("orbit %d", a), swatch: func(at point) []shape {
				return []shape{nodeCircle(at, 7, orbitPaints[a])}
			}})
		}
	}
	return entries
}
