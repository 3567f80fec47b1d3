package report

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"batopo/mixing"
)

// A GraphDrawing shows who talks to whom: nodes on a circle, or on a grid where the graph
// is one. Line width is weight, and directed matrices get arrow heads.
type GraphDrawing struct {
	Text   // an empty Subtitle is filled with the number of edges and the range of weights
	Matrix *mixing.Matrix
	// Rows and Columns, both positive, put node i at row i / Columns of a grid; edges along rows,
	// columns and diagonals then pass beside the nodes that they do not join.
	Rows, Columns int
	Names         []string // one per node; nil: numbers
	NodeGroups    []string // colours nodes by class; nil: all alike
	// EdgeGroup, if not nil, colours the edges; it is asked once per edge, i < j, or per arc from i to j.
	EdgeGroup func(i, j int) string
}

const (
	maxNodes  = 4096 // more nodes than this on one circle are a solid line
	mostNamed = 256  // drawings of more nodes carry no names
)

// Draw lays out the graph. It refuses more than 4096 nodes or 20 000 edges.
func (d GraphDrawing) Draw() (*Figure, error) {
	if d.Matrix == nil {
		return nil, errors.New("report: a graph drawing needs a matrix")
	}
	n := d.Matrix.Nodes()
	if d.Rows*d.Columns != 0 && (d.Rows < 0 || d.Columns < 0 || d.Rows*d.Columns != n) {
		return nil, fmt.Errorf("report: a grid of %d × %d has no place for exactly %d nodes", d.Rows, d.Columns, n)
	}
	names, err := nodeNames(n, d.Names)
	if err != nil {
		return nil, err
	}
	if d.NodeGroups != nil && len(d.NodeGroups) != n {
		return nil, fmt.Errorf("report: %d node groups for %d nodes", len(d.NodeGroups), n)
	}
	links := linksOf(d.Matrix)
	if err := drawable(n, len(links)); err != nil {
		return nil, err
	}
	if d.Subtitle == "" {
		d.Subtitle = weightRange(links)
	}
	entries := d.groupEdges(links)
	net := network{names: names, links: links, self: d.Matrix.Self()}
	net.groupNodes(d.NodeGroups, &entries)
	if d.Rows*d.Columns > 0 {
		net.grid(d.Rows, d.Columns)
	} else {
		net.circle(nil)
	}
	return net.draw(d.Text, entries), nil
}

// ErrTooLarge says that a picture would be more ink than anybody can read; the error around it states the limit.
var ErrTooLarge = errors.New("report: too large to draw")

// drawable reports whether a drawing of this size makes sense.
func drawable(nodes, edges int) error {
	if nodes > maxNodes || edges > maxDrawn {
		return fmt.Errorf("%w: %d nodes and %d edges; the limits are %d and %d", ErrTooLarge, nodes, edges, maxNodes, maxDrawn)
	}
	return nil
}

// nodeNames returns the given names or the numbers 0 … n−1.
func nodeNames(n int, given []string) ([]string, error) {
	if given != nil {
		if len(given) != n {
			return nil, fmt.Errorf("report: %d names for %d nodes", len(given), n)
		}
		return given, nil
	}
	names := make([]string, n)
	for i := range names {
		names[i] = strconv.Itoa(i)
	}
	return names, nil
}

// groupEdges gives the links their pens and returns the legend.
func (d GraphDrawing) groupEdges(links []link) []legendEntry {
	if d.EdgeGroup == nil {
		return nil
	}
	var groups []string
	count := map[string]int{}
	for k, l := range links {
		g := d.EdgeGroup(l.from, l.to)
		links[k].note = g
		if !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
		count[g]++
	}
	slices.Sort(groups)
	for k := range links {
		links[k].pen = slices.Index(groups, links[k].note)
	}
	var entries []legendEntry
	for k, g := range groups {
		entries = append(entries, legendEntry{name: g, note: strconv.Itoa(count[g]), swatch: lineSwatch(k)})
	}
	return entries
}

// lineSwatch is a legend sample of the k-th pen without a marker.
func lineSwatch(k int) func(point) []shape {
	return func(at point) []shape {
		p := penOf(k)
		return []shape{{path: polyline(point{at.x - swatchWidth/2, at.y}, point{at.x + swatchWidth/2, at.y}), stroke: p.paint, width: 2.5, dash: p.dash}}
	}
}
