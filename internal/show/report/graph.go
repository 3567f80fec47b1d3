package report

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/batopo/batopo/mixing"
)

// A GraphDrawing shows who talks to whom: nodes on a circle. Line width is weight, and directed matrices get arrow
// heads.
type GraphDrawing struct {
	Text    // an empty Subtitle is filled with the number of edges and the range of weights
	Matrix  *mixing.Matrix
	Traffic bool     // the matrix holds shares of what the busiest node sends and receives, not weights of averages
	Names   []string // one per node; nil: numbers
}

const (
	maxNodes  = 4096 // more nodes than this on one circle are a solid line
	mostNamed = 256  // drawings of more nodes carry no names
	// maxDrawn is the most edges that one picture shows. More would make files of many megabytes in which nobody sees
	// anything.
	maxDrawn = 20_000
)

// Draw lays out the graph. It refuses more than 4096 nodes or 20 000 edges.
func (d GraphDrawing) Draw() (*Figure, error) {
	n := d.Matrix.Nodes()
	links := linksOf(d.Matrix, d.Traffic)
	if err := drawable(n, len(links)); err != nil {
		return nil, err
	}
	d.Subtitle = cmp.Or(d.Subtitle, widthText(links, d.Traffic))
	net := &network{names: d.Names, links: links}
	if len(d.Names) == 0 {
		for i := range n {
			net.names = append(net.names, strconv.Itoa(i))
		}
	}
	for _, weight := range d.Matrix.Self() {
		note := ", self weight " + plain(weight, 4)
		if d.Traffic {
			note = ""
		}
		net.notes = append(net.notes, note)
	}
	return net.draw(d.Text, nil), nil
}

// drawable refuses a picture that would be more ink than anybody can read.
func drawable(nodes, edges int) error {
	if nodes > maxNodes || edges > maxDrawn {
		return fmt.Errorf("report: too large to draw: %d nodes and %d edges; the limits are %d and %d", nodes, edges,
			maxNodes, maxDrawn)
	}
	return nil
}
