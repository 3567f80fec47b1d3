package schedules

import (
	"math"
	"slices"

	"github.com/batopo/batopo/internal/collective"
)

// trees tries packings of few trees and of many, deep and shallow: every tree is one more message in most steps, and
// every level two more steps. Where there is latency it also tries single trees, and packings whose steps are equally
// long.
func (h *hunt) trees(w *network) {
	offer := func(p packing) {
		if len(p.trees) > 0 && len(p.trees)*w.n <= mostEdges {
			if a := w.algorithm(p); a.Steps <= mostStages {
				h.offer("trees", a, h.settings.Chunks)
			}
		}
	}
	late, penalties := slices.Max(w.latency) > 0, []float64{0, 0.5, 2, 8}
	if late {
		h.singleTrees(w, h.settings.Chunks) // where steps are long, one tree in few chunks has the fewest
	} else if w.n > mostShallow {
		penalties = penalties[:1]
	}
	for _, shallow := range penalties {
		for _, steps := range []int{8, 16, 60, packSteps} {
			if h.over() {
				return
			}
			p, ok := w.pack(steps, shallow)
			if !ok {
				return // there is no tree of all nodes
			}
			offer(w.refined(h.ctx, p))
			if late {
				offer(w.inEvenSteps(h.ctx, p))
			}
		}
	}
}

// singleTrees tries the trees of a packing one by one, each for the whole message.
func (h *hunt) singleTrees(w *network, chunks int) {
	p, _ := w.pack(singleSteps, 0) // without a tree of all nodes there is none
	for k, tree := range p.trees {
		h.offer("tree", w.algorithm(packing{p.trees[k : k+1], []float64{1}}), chunks)
		if chunks == 1 {
			h.halves(tree)
		}
	}
}

// halves tries a tree for whole messages that is cut at one of its edges: each half sums up to its end of the edge,
// the ends exchange their sums, and hand the total back. So a slow node at the edge sends and receives at the same
// time, and only once.
func (h *hunt) halves(tree []edge) {
	near := neighbors(tree, len(tree)+1)
	for _, cut := range tree {
		parent, depth := from(cut.i, near)
		for node := range depth { // below the far end it counts from there
			for up := node; up >= 0; up = parent[up] {
				if up == cut.j {
					depth[node]--
					break
				}
			}
		}
		parent[cut.j] = -1
		levels := slices.Max(depth)
		steps := make([][]collective.Transfer, 2*levels+1)
		carry := func(s, i, j int, add bool) {
			steps[s] = append(steps[s], collective.Transfer{From: i, To: j, End: 1, Add: add})
		}
		for i, up := range parent {
			if up >= 0 {
				carry(levels-depth[i], i, up, true)
				carry(levels+depth[i], up, i, false)
			}
		}
		carry(levels, cut.i, cut.j, true)
		carry(levels, cut.j, cut.i, true)
		h.offer("two halves", collective.Listed("halves", len(parent), steps), 1)
	}
}

// algorithm runs a packing: every tree sums its share up to the node in its middle and hands it down again.
func (w *network) algorithm(p packing) *collective.Algorithm {
	return collective.SharedTrees(rootedTrees(p.trees, w.n).parent, p.shares)
}

// roots are the nodes in the middle of trees that are run together.
type roots struct {
	parent, depth [][]int // per tree and node; the root has parent −1
	levels        int     // of the deepest
}

func rootedTrees(trees [][]edge, n int) (r roots) {
	for _, tree := range trees {
		parent, depth := rooted(tree, n)
		r.parent, r.depth = append(r.parent, parent), append(r.depth, depth)
		r.levels = max(r.levels, slices.Max(depth))
	}
	return r
}

// step is the one in which a node sends up its tree; it hears from above in the step that is as far from the end.
func (r roots) step(tree, node int) int { return r.levels - r.depth[tree][node] }

// rooted returns the parents and depths of a tree from the root for which it is least deep, the lowest number among
// equals.
func rooted(tree []edge, n int) (parent, depth []int) {
	near := neighbors(tree, n)
	least := math.MaxInt
	for root := range n {
		up, deep := from(root, near)
		if d := slices.Max(deep); d < least {
			least, parent, depth = d, up, deep
		}
	}
	return parent, depth
}

// neighbors lists the nodes beside each node of a tree.
func neighbors(tree []edge, n int) [][]int {
	near := make([][]int, n)
	for _, e := range tree {
		near[e.i], near[e.j] = append(near[e.i], e.j), append(near[e.j], e.i)
	}
	return near
}

func from(root int, near [][]int) (parent, depth []int) {
	parent, depth = make([]int, len(near)), make([]int, len(near))
	parent[root] = -1
	queue := []int{root}
	for k := 0; k < len(queue); k++ {
		at := queue[k]
		for _, next := range near[at] {
			if next != parent[at] {
				parent[next], depth[next] = at, depth[at]+1
				queue = append(queue, next)
			}
		}
	}
	return parent, depth
}
