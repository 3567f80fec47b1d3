package rounding

// factor decides, for spaces in which every edge uses exactly two limits, whether some
// choice of candidates loads every limit exactly (connected or not). It is Tutte's
// reduction to perfect matching: a limit with d candidates and capacity e becomes d ends and
// d − e cores, every core joined to every end of its limit, every edge joining its two ends.
// A perfect matching uses an edge between ends for a chosen candidate. The search begins
// at the selection s, which must not exceed a limit, and leaves the choice found in it;
// missing counts the vertices that stay unmatched at best.
func (s *Selection) factor() (missing int) {
	var (
		ix     = s.ix
		limits = ix.space.Limits
		end    = make(map[[2]int]int) // (candidate, limit) → vertex
		peers  [][]int
		vertex = func() int { peers = append(peers, nil); return len(peers) - 1 }
		join   = func(a, b int) { peers[a], peers[b] = append(peers[a], b), append(peers[b], a) }
		match  []int
	)
	cores := make([][]int, len(limits))
	for l, limit := range limits {
		ends := 0
		for _, k := range limit.Edges {
			if ix.used[k] {
				end[[2]int{k, l}] = vertex()
				ends++
			}
		}
		for range ends - limit.Max {
			core := vertex()
			cores[l] = append(cores[l], core)
			for _, k := range limit.Edges {
				if ix.used[k] {
					join(core, end[[2]int{k, l}])
				}
			}
		}
	}
	match = make([]int, len(peers))
	for v := range match {
		match[v] = None
	}
	for k, uses := range ix.uses {
		if !ix.used[k] {
			continue
		}
		a, b := end[[2]int{k, uses[0]}], end[[2]int{k, uses[1]}]
		join(a, b)
		if s.in[k] {
			match[a], match[b] = b, a
		}
	}
	// The rest of a good start: give every end that is not chosen a core of its own.
	for l, limit := range limits {
		free := cores[l]
		for _, k := range limit.Edges {
			if v, ok := end[[2]int{k, l}]; ok && match[v] == None && len(free) > 0 {
				match[v], match[free[0]] = free[0], v
				free = free[1:]
			}
		}
	}
	missing = maximumMatching(peers, match)
	s.clear()
	for k, uses := range ix.uses {
		if ix.used[k] && match[end[[2]int{k, uses[0]}]] == end[[2]int{k, uses[1]}] {
			s.add(k)
		}
	}
	return missing
}
