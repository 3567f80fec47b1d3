package report

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"batopo/topology"
)

// A LiftDrawing shows a symmetric graph as what it is: turning the picture by one position
// of the cyclic group maps it onto itself. Nodes (0,x), (1,x), … stand side by side, and
// each arc has its colour.
type LiftDrawing struct {
	Text                  // an empty Subtitle is filled with the size of the lift
	Lift    topology.Lift // as NewLift returns it
	Weights []float64     // one per arc; nil: not known, all lines alike
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
	if d.Weights != nil && len(d.Weights) != len(l.Arcs) {
		return nil, fmt.Errorf("report: %d weights for the %d arcs of the lift", len(d.Weights), len(l.Arcs))
	}
	sample := drawable(l.Nodes(), l.Edges()) != nil
	if sample && (l.Orbits*len(l.Arcs) > maxDrawn || l.Nodes() > 1<<24) {
		return nil, fmt.Errorf("%w, even one turn of it: a lift of %d nodes and %d arcs",
			ErrTooLarge, l.Nodes(), len(l.Arcs))
	}
	if d.Subtitle == "" {
		d.Subtitle = fmt.Sprintf("%d nodes in %d orbits of %d, %d edges in %d arcs", l.Nodes(), l.Orbits, l.Size, l.Edges(), len(l.Arcs))
		if l.Orbits == 1 {
			d.Subtitle = fmt.Sprintf("%d nodes, %d edges in %d arcs", l.Nodes(), l.Edges(), len(l.Arcs))
		}
	}
	if sample {
		d.Subtitle += fmt.Sprintf(". Drawn: the edges at one position of %d; the others look the same, turned.", l.Size)
	}
	net := d.network(sample)
	return net.draw(d.Text, d.entries()), nil
}

// A liftNode is node (orbit, x).
type liftNode struct{ orbit, x int }

// network gathers the nodes and edges to draw: all of them, or those at position 0.
func (d LiftDrawing) network(sample bool) network {
	l := d.Lift
	var nodes []liftNode
	index := make(map[liftNode]int)
	place := func(a, x int) int {
		v := liftNode{a, ((x % l.Size) + l.Size) % l.Size}
		if _, known := index[v]; !known {
			index[v] = len(nodes)
			nodes = append(nodes, v)
		}
		return index[v]
	}
	var links []link
	join := func(arc, x int) {
		e := l.Arcs[arc]
		i, j := place(e.A, x), place(e.B, x+e.S)
		k := link{from: i, to: j, weight: 1, pen: arc, note: d.arcName(arc)}
		if d.Weights != nil {
			k.weight = d.Weights[arc]
		}
		links = append(links, k)
	}
	positions := l.Size
	if sample {
		positions = 1
	}
	for x := range positions {
		for a := range l.Orbits {
			place(a, x)
		}
	}
	for k, arc := range l.Arcs {
		if !sample {
			for x := range l.EdgesOf(arc) {
				join(k, x)
			}
			continue
		}
		join(k, 0)
		if !l.Matching(arc) {
			join(k, -arc.S)
		}
	}
	return d.circle(nodes, links, sample)
}

// circle puts node (a, x) where x·Orbits + a stands among all nodes.
func (d LiftDrawing) circle(nodes []liftNode, links []link, sample bool) network {
	l := d.Lift
	net := network{links: links, unnamed: sample, unweighted: d.Weights == nil}
	turns := make([]float64, len(nodes))
	for k, v := range nodes {
		turns[k] = float64(v.x*l.Orbits+v.orbit) / float64(l.Nodes())
		net.names = append(net.names, strconv.Itoa(l.Node(v.orbit, v.x)))
		net.notes = append(net.notes, fmt.Sprintf("orbit %d, position %d", v.orbit, v.x))
		if l.Orbits > 1 && l.Orbits <= len(orbitPaints) {
			net.colour = append(net.colour, orbitPaints[v.orbit])
		}
	}
	net.circle(turns)
	return net
}

// orbitPaints are light, so that edges in the colours of the palette stand out beside them.
var orbitPaints = []paint{
	paper, {"", "#f5ec8c", 1}, {"", "#b8c4ce", 1}, {"", "#f7c6a3", 1}, {"", "#bfe3d0", 1}, {"", "#e5c8da", 1},
}

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
		e := legendEntry{name: d.arcName(k), swatch: lineSwatch(k)}
		if d.Weights != nil {
			e.note = plain(d.Weights[k], 4)
		}
		entries = append(entries, e)
	}
	if k := d.Lift.Orbits; k > 1 && k <= len(orbitPaints) {
		for a := range k {
			entries = append(entries, legendEntry{name: fmt.Sprintf("orbit %d", a), swatch: func(at point) []shape {
				return []shape{nodeCircle(at, 7, orbitPaints[a])}
			}})
		}
	}
	return entries
}
