package feasible

import "slices"

// complete adds edges along alternating paths between limits that are not full, for
// spaces in which every edge uses two limits: add, remove, add, …, add. Each path keeps
// the loads of all limits in between and fills one place at either end. It stops when
// no path is found or the budget is used up.
//
// The breadth-first search visits a limit once, so in graphs that are not bipartite it may
// miss a path (it does not shrink odd cycles); factor decides such cases.
func (s *Selection) complete(order []int) {
	at := make([][]int, len(s.ix.space.Limits)) // candidates per limit, best score first
	for _, k := range order {
		for _, l := range s.ix.uses[k] {
			at[l] = append(at[l], k)
		}
	}
	for from := range at {
		for len(s.chosen) < s.ix.space.MaxEdges && s.load[from] < s.ix.space.Limits[from].Max {
			path := s.alternatingPath(at, from)
			if path == nil {
				break
			}
			for _, k := range path {
				if s.in[k] {
					s.remove(k)
				} else {
					s.add(k)
				}
			}
		}
	}
}

// alternatingPath returns the edges of a shortest path add, remove, …, add from one limit
// with room to another (or back, if two places are free), or nil.
func (s *Selection) alternatingPath(at [][]int, from int) []int {
	type hop struct{ added, removed, before int }
	reached := make([]hop, len(at))
	seen := make([]bool, len(at))
	seen[from] = true
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		l := queue[0]
		for _, k := range at[l] {
			if s.in[k] {
				continue
			}
			middle := s.ix.otherLimit(k, l)
			if room := s.ix.space.Limits[middle].Max - s.load[middle]; room > 1 || room == 1 && middle != from {
				path := []int{k}
				for v := l; v != from; v = reached[v].before {
					path = append(path, reached[v].removed, reached[v].added)
				}
				if distinct(path) {
					return path
				}
				continue
			}
			for _, out := range at[middle] {
				if next := s.ix.otherLimit(out, middle); s.in[out] && !seen[next] {
					seen[next] = true
					reached[next] = hop{k, out, l}
					queue = append(queue, next)
				}
			}
		}
	}
	return nil
}

// otherLimit returns the limit at the far end of candidate k, seen from limit l.
func (ix *index) otherLimit(k, l int) int {
	if ix.uses[k][0] == l {
		return ix.uses[k][1]
	}
	return ix.uses[k][0]
}

func distinct(path []int) bool {
	sorted := slices.Sorted(slices.Values(path))
	return len(slices.Compact(sorted)) == len(path)
}
