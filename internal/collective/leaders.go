package collective

import "math/bits"

// Doubling is all-reduce in whole messages: partners at distance 1, 2, 4, … in the order swap the sums they have.
// Nodes beyond a power of two hand their message to one within it first, and get the sum in the end.
func Doubling(order []int) *Algorithm {
	n := len(order)
	m := 1 << (bits.Len(uint(n)) - 1)
	var steps [][]Transfer
	if n > m {
		steps = append(steps, folded(order, m, true))
	}
	for d := 1; d < m; d *= 2 {
		swap := make([]Transfer, m)
		for p := range m {
			swap[p] = whole(order[p], order[p^d], true)
		}
		steps = append(steps, swap)
	}
	if n > m {
		steps = append(steps, folded(order, m, false))
	}
	return Listed("doubling", n, steps)
}

// Leaders is a hierarchical all-reduce of whole messages: the first node of every group collects the messages of the
// others, the leaders double among themselves, and hand the sum back.
func Leaders(groups [][]int) *Algorithm {
	n := 0
	leaders := make([]int, len(groups))
	var collect, spread []Transfer
	for k, group := range groups {
		n += len(group)
		leaders[k] = group[0]
		for _, member := range group[1:] {
			collect = append(collect, whole(member, group[0], true))
			spread = append(spread, whole(group[0], member, false))
		}
	}
	between := Doubling(leaders)
	steps := [][]Transfer{}
	if len(collect) > 0 {
		steps = append(steps, collect)
	}
	for s := range between.Steps {
		steps = append(steps, between.At(s))
	}
	if len(spread) > 0 {
		steps = append(steps, spread)
	}
	return Listed("leaders", n, steps)
}
