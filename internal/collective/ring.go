package collective

// Ring is all-reduce along a ring, which order lists as the nodes follow each other. In 2(n−1) steps every node sends
// 1/n of the message to its successor: first sums are collected, then they are handed on. All steps cost the same.
func Ring(order []int) *Algorithm {
	n := len(order)
	part := func(k int) (begin, end float64) {
		k = (k%n + n) % n
		return float64(k) / float64(n), float64(k+1) / float64(n)
	}
	at := func(s int) []Transfer {
		step := make([]Transfer, n)
		for p := range n {
			t := Transfer{From: order[p], To: order[(p+1)%n], Add: s < n-1}
			// At first position p passes on part p − s; after n − 1 steps it holds the whole sum of part p + 1.
			t.Begin, t.End = part(p - s)
			step[p] = t
		}
		return step
	}
	steps := 2 * (n - 1)
	return &Algorithm{Name: "ring", Nodes: n, Steps: steps, At: at, Chunks: 1, alike: stretch{0, steps}}
}
