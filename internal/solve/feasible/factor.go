package feasible

import "github.com/batopo/batopo/internal/ground/matching"

// A reduction is Tutte's reduction of a choice of candidates to perfect matching, for spaces in which every edge uses
// exactly two limits: a limit with d candidates and capacity e becomes d ends and d − e cores, every core joined to
// every end of its limit, every edge joining its two ends. A perfect matching uses an edge between ends for a chosen
// candidate, and loads every limit exactly.
type reduction struct {
	ix    *index
	peers [][]int
	end   map[[2]int]int // (candidate, limit) → vertex
	cores [][]int        // of each limit
}

func (ix *index) reduce() *reduction {
	r := &reduction{ix: ix, end: make(map[[2]int]int), cores: make([][]int, len(ix.space.Limits))}
	for l, limit := range ix.space.Limits {
		var ends []int
		for _, k := range limit.Edges {
			if ix.used[k] {
				v := r.vertex()
				r.end[[2]int{k, l}] = v
				ends = append(ends, v)
			}
		}
		for range len(ends) - limit.Max {
			core := r.vertex()
			r.cores[l] = append(r.cores[l], core)
			for _, v := range ends {
				r.join(core, v)
			}
		}
	}
	for k := range ix.uses {
		if ix.used[k] {
			r.join(r.ends(k))
		}
	}
	return r
}

func (r *reduction) vertex() int {
	r.peers = append(r.peers, nil)
	return len(r.peers) - 1
}

func (r *reduction) join(a, b int) {
	r.peers[a], r.peers[b] = append(r.peers[a], b), append(r.peers[b], a)
}

// ends returns the vertices of a candidate at its two limits.
func (r *reduction) ends(k int) (a, b int) {
	uses := r.ix.uses[k]
	return r.end[[2]int{k, uses[0]}], r.end[[2]int{k, uses[1]}]
}

// start matches the ends of the chosen candidates, and of the others as many as there are cores.
func (r *reduction) start(chosen []bool) (match []int) {
	match = make([]int, len(r.peers))
	for v := range match {
		match[v] = matching.None
	}
	for k, used := range r.ix.used {
		if used && chosen[k] {
			a, b := r.ends(k)
			match[a], match[b] = b, a
		}
	}
	for l, limit := range r.ix.space.Limits {
		free := r.cores[l]
		for _, k := range limit.Edges {
			if v, ok := r.end[[2]int{k, l}]; ok && match[v] == matching.None && len(free) > 0 {
				match[v], match[free[0]] = free[0], v
				free = free[1:]
			}
		}
	}
	return match
}

// factor decides, for spaces in which every edge uses exactly two limits, whether some choice of candidates loads every
// limit exactly (connected or not). The search begins at the selection s, which must not exceed a limit, and leaves the
// choice found in it; missing counts the vertices of the reduction that stay unmatched at best.
func (s *Selection) factor() (missing int) {
	r := s.ix.reduce()
	match := r.start(s.in)
	missing = matching.Maximum(r.peers, match)
	s.clear()
	for k, used := range s.ix.used {
		if !used {
			continue
		}
		if a, b := r.ends(k); match[a] == b {
			s.add(k)
		}
	}
	return missing
}
