package feasible

import (
	"cmp"
	"slices"
)

// byScore returns the usable candidates from the best score to the worst, ties by position.
func (ix *index) byScore(score []float64) []int {
	order := make([]int, 0, len(score))
	for k, used := range ix.used {
		if used {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	return order
}

// greedy fills an empty selection: first the best edges that join two components, then
// the best others, never breaking a limit. Without limits this is the best connected choice
// of MaxEdges edges, because those are the bases of a matroid (the spanning sets of r
// elements of the graphic matroid).
func (s *Selection) greedy(order []int) {
	s.clear()
	s.components()
	for _, k := range order {
		if s.fits(k) && s.union(k) {
			s.add(k)
		}
	}
	s.fill(order)
}

// fill adds what still fits, best first.
func (s *Selection) fill(order []int) {
	for _, k := range order {
		if len(s.chosen) >= s.ix.space.MaxEdges {
			return
		}
		if s.fits(k) {
			s.add(k)
		}
	}
}
