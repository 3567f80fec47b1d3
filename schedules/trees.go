package schedules

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/batopo/batopo/collective"
	"github.com/batopo/batopo/internal/minmax"
	"github.com/batopo/batopo/topology"
)

// Limits of the linear program that divides the message among trees: how many compete, over how many hops.
const (
	mostTrees = 160
	mostHops  = 256
)

// refined keeps the trees of a packing and divides the message among them anew, by a linear program: few trees are
// left, at most one per hop. The packing stays as it is where the program finds nothing better.
func (w *network) refined(ctx context.Context, p packing) packing {
	longest := slices.Max(w.ms)
	if len(w.ms) > mostHops || len(p.trees) == 0 || !(longest > 0) {
		return p
	}
	order := topology.InOrder(len(p.trees))
	slices.SortStableFunc(order, func(a, b int) int { // late trees know the prices better
		return cmp.Or(cmp.Compare(p.shares[b], p.shares[a]), b-a)
	})
	order = order[:min(len(order), mostTrees)]
	loads, load := make([][]float64, len(w.ms)), make([]float64, len(w.ms))
	for h := range loads {
		loads[h] = make([]float64, len(order))
	}
	for t, at := range order {
		clear(load)
		w.burden(load, p.trees[at])
		for h, ms := range load {
			loads[h][t] = ms / longest
		}
	}
	x, _ := minmax.Divide(ctx, loads)
	var fine packing
	const crumb = 1e-6 // a smaller share is not worth a tree
	total := 0.0
	for t, at := range order {
		if x[t] > crumb {
			fine.trees, fine.shares = append(fine.trees, p.trees[at]), append(fine.shares, x[t])
			total += x[t]
		}
	}
	for t := range fine.shares {
		fine.shares[t] /= total
	}
	if len(fine.trees) == 0 || w.busiest(fine) > w.busiest(p) {
		return p
	}
	return fine
}

// algorithm runs a packing: every tree sums its share up to the node in its middle and hands it down again, level by
// level, all trees at once.
func (w *network) algorithm(p packing) *collective.Algorithm {
	levels := 0
	parents, depths := make([][]int, len(p.trees)), make([][]int, len(p.trees))
	for k, tree := range p.trees {
		parents[k], depths[k] = rooted(tree, w.n)
		levels = max(levels, slices.Max(depths[k]))
	}
	steps := make([][]collective.Transfer, 2*levels)
	begin := 0.0
	for k, parent := range parents {
		end := begin + p.shares[k]
		if k == len(parents)-1 {
			end = 1 // whatever rounding left
		}
		for i, up := range parent {
			if up < 0 {
				continue
			}
			s := levels - depths[k][i]
			steps[s] = append(steps[s], collective.Transfer{From: i, To: up, Begin: begin, End: end, Add: true})
			s = 2*levels - 1 - s
			steps[s] = append(steps[s], collective.Transfer{From: up, To: i, Begin: begin, End: end})
		}
		begin = end
	}
	at := func(s int) []collective.Transfer { return steps[s] }
	return &collective.Algorithm{Name: "trees", Nodes: w.n, Steps: len(steps), At: at, Chunks: 1}
}

// rooted returns the parents and depths of a tree from the root for which it is least deep, the lowest number among
// equals.
func rooted(tree []edge, n int) (parent, depth []int) {
	near := make([][]int, n)
	for _, e := range tree {
		near[e.i], near[e.j] = append(near[e.i], e.j), append(near[e.j], e.i)
	}
	least := math.MaxInt
	for root := range n {
		up, deep := from(root, near)
		if d := slices.Max(deep); d < least {
			least, parent, depth = d, up, deep
		}
	}
	return parent, depth
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
