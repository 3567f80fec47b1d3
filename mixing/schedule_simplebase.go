package mixing

// A block of the simple Base-(k+1) graph: one digit of n in base k+1.
type block struct {
	nodes []int
	part  int // size (k+1)^p of a sub-block; len(nodes) = a·part with 1 ≤ a ≤ k
}

// parts returns the sub-blocks.
func (b block) parts() [][]int {
	var out [][]int
	for lo := 0; lo < len(b.nodes); lo += b.part {
		out = append(out, b.nodes[lo:lo+b.part])
	}
	return out
}

// blocks cuts the nodes by the digits of their number in base k+1, largest power first.
func blocks(nodes []int, k int) []block {
	part := 1
	for part*(k+1) <= len(nodes) {
		part *= k + 1
	}
	var out []block
	for ; len(nodes) > 0; part /= k + 1 {
		if size := len(nodes) / part * part; size > 0 {
			out = append(out, block{nodes[:size], part})
			nodes = nodes[size:]
		}
	}
	return out
}

// simpleBase is the simple Base-(k+1) graph of Takezawa et al. (2023). With
// blocks V₁, …, V_L of falling size:
//
//  1. every block averages itself by hyper-hypercubes;
//  2. step l mixes V_l into all later blocks, so that their mean becomes the mean of all (see exchange);
//  3. from then on V_l, whose sub-blocks now all have the right mean, averages inside its
//     sub-blocks, while the later blocks go on with step 2.
//
// Blocks that have nothing to do repeat their averaging, and nodes of V_l that are left over in
// step 2 average among themselves, as published: their values are already equal, so
// this does nothing for consensus, but it mixes what training adds in between.
func simpleBase(nodes []int, k int) []links {
	if _, rest := smoothPart(len(nodes), k+1); rest == 1 {
		return hyperHypercube(nodes, k)
	}
	all := blocks(nodes, k)
	inside := make([][]links, len(all)) // averaging of whole blocks
	finish := make([][]links, len(all)) // averaging of their sub-blocks
	for l, b := range all {
		inside[l] = hyperHypercube(b.nodes, k)
		for _, part := range b.parts() {
			finish[l] = overlay(finish[l], 0, hyperHypercube(part, k))
		}
	}
	first := len(inside[0]) // no later block takes longer
	rounds := make([]links, first+1+len(finish[0]))
	for t := range first {
		for l := range all {
			rounds[t] = append(rounds[t], turn(inside[l], t)...)
		}
	}
	last := len(all) - 1
	for t := range rounds[first:] {
		round := &rounds[first+t]
		if t < last {
			*round = exchange(all[t], nodesOf(all[t+1:]), k)
		}
		for l := range min(t, last) {
			*round = append(*round, turn(finish[l], t-l-1)...)
		}
		if t >= last {
			*round = append(*round, turn(inside[last], t-last)...)
		}
	}
	return rounds
}

// turn returns round t of a sequence that repeats; nothing for a single node.
func turn(rounds []links, t int) links {
	if len(rounds) == 0 {
		return nil
	}
	return rounds[t%len(rounds)]
}

func nodesOf(all []block) []int {
	var nodes []int
	for _, b := range all {
		nodes = append(nodes, b.nodes...)
	}
	return nodes
}

// exchange joins every later node to one node of each of the a sub-blocks of b with weight
// |b| / (|b| + |later|) / a. If all of b holds the value x and the later nodes have
// the mean y, the later nodes then have the mean (|b|x + |later|y)/(|b| + |later|), and
// so has every sub-block, because all of them give and get the same.
func exchange(b block, later []int, k int) links {
	parts := b.parts()
	weight := float64(len(b.nodes)) / float64(len(b.nodes)+len(later)) / float64(len(parts))
	var round links
	var idle []int
	for _, part := range parts {
		for x, j := range later { // fewer than part has, because later is the rest of a division
			round = append(round, Arc{From: j, To: part[x], Weight: weight})
		}
		idle = append(idle, part[len(later):]...)
	}
	for len(idle) > 1 {
		size := min(k+1, len(idle))
		round = round.average(idle[:size])
		idle = idle[size:]
	}
	return round
}
