package report

import (
	"errors"
	"fmt"

	"batopo/mixing"
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
	if len(d.Root.Children) == 0 {
		return nil, errors.New("report: the root of a tree drawing has no children")
	}
	depth := d.Root.depth()
	if len(d.Levels) != depth {
		return nil, fmt.Errorf("report: %d level names for a tree with %d levels above its nodes", len(d.Levels), depth)
	}
	h := fabric{Text: d.Text, matrix: d.Matrix, levels: make([]level, depth)}
	for k := range h.levels {
		h.levels[k].name, h.levels[k].pen = d.Levels[depth-1-k], k
	}
	var path []int
	var above [][]int // for each node, its box on every level, −1 where it has none
	h.plant(d.Root, depth-1, &path, &above)
	h.class = func(i, j int) (string, int) {
		for k := range depth {
			if above[i][k] >= 0 && above[i][k] == above[j][k] {
				return "meet at " + h.levels[k].name, k
			}
		}
		return "do not meet", depth
	}
	return h.draw()
}

// depth returns the number of levels above the nodes.
func (t Tree) depth() int {
	deepest := 0
	for _, c := range t.Children {
		if len(c.Children) > 0 {
			deepest = max(deepest, c.depth())
		}
	}
	return deepest + 1
}

// plant adds t, which stands on level k, and everything below it. path holds the boxes
// from the root down to t's parent.
func (h *fabric) plant(t Tree, k int, path *[]int, above *[][]int) {
	at := len(h.levels[k].boxes)
	h.levels[k].boxes = append(h.levels[k].boxes, fabricBox{name: t.Name, note: t.Note})
	*path = append(*path, at)
	for _, c := range t.Children {
		w := wire{k - 1, 0}
		if len(c.Children) == 0 {
			w = wire{-1, len(h.nodes)}
			name := c.Name
			if name == "" {
				name = fmt.Sprint(len(h.nodes))
			}
			h.nodes = append(h.nodes, name)
			boxes := make([]int, len(h.levels))
			for l := range boxes {
				boxes[l] = -1
			}
			for step, box := range *path {
				boxes[len(h.levels)-1-step] = box
			}
			*above = append(*above, boxes)
		} else {
			w.to = len(h.levels[k-1].boxes)
			h.plant(c, k-1, path, above)
		}
		h.levels[k].boxes[at].wires = append(h.levels[k].boxes[at].wires, w)
	}
	*path = (*path)[:len(*path)-1]
}
