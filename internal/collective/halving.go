package collective

import "math/bits"

// HalvingDoubling is all-reduce by recursive halving and doubling over positions in order: partners at distance 1,
// 2, 4, … halve what they are responsible for, then double it again in reverse. So the largest parts travel
// between neighbours in the order. Nodes beyond a power of two hand their message to one within it first, and get
// the sum in the end.
func HalvingDoubling(order []int) *Algorithm {
	n := len(order)
	m := 1 << (bits.Len(uint(n)) - 1)
	var steps [][]Transfer
	if n > m {
		steps = append(steps, folded(order, m, true))
	}
	// begin[p] and width are what position p is responsible for.
	begin, width := make([]float64, m), 1.0
	var back [][]Transfer
	for d := 1; d < m; d *= 2 {
		width /= 2
		halve, double := make([]Transfer, m), make([]Transfer, m)
		for p := range m {
			kept := begin[p]
			other := kept + width
			if p&d != 0 {
				kept, other = other, kept
			}
			halve[p] = Transfer{From: order[p], To: order[p^d], Begin: other, End: other + width, Add: true}
			double[p] = Transfer{From: order[p], To: order[p^d], Begin: kept, End: kept + width}
			begin[p] = kept
		}
		steps, back = append(steps, halve), append(back, double)
	}
	for k := len(back) - 1; k >= 0; k-- {
		steps = append(steps, back[k])
	}
	if n > m {
		steps = append(steps, folded(order, m, false))
	}
	return Listed("halving-doubling", n, steps)
}

// folded moves the messages of positions m … n−1 to the first ones, or the sums back.
func folded(order []int, m int, add bool) []Transfer {
	var step []Transfer
	for p := m; p < len(order); p++ {
		from, to := order[p], order[p-m]
		if !add {
			from, to = to, from
		}
		step = append(step, whole(from, to, add))
	}
	return step
}
