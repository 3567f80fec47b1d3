package report

import (
	"cmp"
	"strconv"

	"github.com/batopo/batopo/mixing"
)

// A Tree is hardware that branches: a machine over sockets over PCIe switches over GPUs,
// or a spine over leaves over hosts. What has no children is a node; nodes are numbered from left to right.
type Tree struct {
	Name     string
	Note     string // second line in its box, such as "4.88 GB/s"
	Children []Tree
}

// A TreeDrawing shows the tree above its nodes and, below them, the edges of a mixing
// matrix, coloured by the level at which the two ends meet.
type TreeDrawing struct {
	Text   // an empty Subtitle is filled with the number of edges and the range of weights
	Root   Tree
	Levels []string       // what the levels are called, from the root down to just above the nodes
	Matrix *mixing.Matrix // nil: only the tree
}

// Draw lays out the tree. It refuses more than 256 nodes.
func (d TreeDrawing) Draw() (*Figure, error) {
	depth := len(d.Levels)
	h := fabric{Text: d.Text, matrix: d.Matrix, levels: make([]level, depth)}
	for k, name := range d.Levels {
		h.levels[depth-1-k] = level{name: name, edges: "meet at " + name}
	}
	h.plant(d.Root, depth-1)
	return h.draw()
}

// plant adds t, which stands on level k, and everything below it. It returns the nodes that t joins.
func (h *fabric) plant(t Tree, k int) []int {
	var nodes []int
	for _, c := range t.Children {
		if len(c.Children) > 0 {
			nodes = append(nodes, h.plant(c, k-1)...)
			continue
		}
		nodes = append(nodes, len(h.nodes))
		h.nodes = append(h.nodes, cmp.Or(c.Name, strconv.Itoa(len(h.nodes))))
	}
	h.levels[k].boxes = append(h.levels[k].boxes, fabricBox{name: t.Name, note: t.Note, nodes: nodes})
	return nodes
}
