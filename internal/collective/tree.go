package collective

import (
	"math/bits"
	"slices"
)

// Trees is all-reduce over one or more spanning trees, each given by the parent of every node (−1 for the root)
// and each carrying an equal part of the message. With two trees in which no node is inside both, as in NCCL, nobody
// sends more than the message in either direction.
func Trees(parents ...[]int) *Algorithm { return SharedTrees(parents, EqualShares(len(parents))) }

// SharedTrees is the same with trees that carry a share of the message each: up to the root, level by level, and down
// again, all trees at once.
func SharedTrees(parents [][]int, shares []float64) *Algorithm {
	levels, depths := 0, make([][]int, len(parents))
	for k, parent := range parents {
		depths[k] = depthsOf(parent)
		levels = max(levels, slices.Max(depths[k]))
	}
	steps := make([][]Transfer, 2*levels)
	begin := 0.0
	for k, parent := range parents {
		end := begin + shares[k]
		if k == len(parents)-1 {
			end = 1 // whatever rounding left
		}
		for i, p := range parent {
			if p < 0 {
				continue
			}
			below := levels - depths[k][i] // steps until it is its turn to send; a shallow tree waits
			steps[below] = append(steps[below], Transfer{From: i, To: p, Begin: begin, End: end, Add: true})
			after := 2*levels - 1 - below
			steps[after] = append(steps[after], Transfer{From: p, To: i, Begin: begin, End: end})
		}
		begin = end
	}
	return Listed("tree", len(parents[0]), steps)
}

// depthsOf returns how far every node is from the root.
func depthsOf(parent []int) []int {
	depth := make([]int, len(parent))
	for i := range parent {
		for up := parent[i]; up >= 0; up = parent[up] {
			depth[i]++
		}
	}
	return depth
}

// TwoTrees returns two binary trees over the positions of order, such that a node inside one is a leaf of the other.
func TwoTrees(order []int) (first, second []int) {
	n := len(order)
	up := make([]int, n)
	inOrder(up, 0, n, -1)
	first, second = make([]int, n), make([]int, n)
	for p, q := range up {
		// Odd positions are inside the first tree. The second is the same on positions moved by one.
		a, b := order[p], order[(p+1)%n]
		first[a], second[b] = -1, -1
		if q >= 0 {
			first[a], second[b] = order[q], order[(q+1)%n]
		}
	}
	return first, second
}

// inOrder makes a search tree of positions lo … hi−1 below parent: the left side is complete, so leaves have even
// distance from lo.
func inOrder(up []int, lo, hi, parent int) {
	if lo >= hi {
		return
	}
	root := lo + 1<<(bits.Len(uint(hi-lo))-1) - 1
	up[root] = parent
	inOrder(up, lo, root, root)
	inOrder(up, root+1, hi, root)
}
