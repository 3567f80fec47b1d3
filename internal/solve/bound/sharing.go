package bound

import (
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/topology"
)

// sharing knows which limits each candidate edge counts against, and at which nodes it ends.
type sharing struct {
	n          int
	candidates []topology.Edge
	limits     []design.Limit
	at         index // node → candidates
	of         index // candidate → limits

	// Scratch of most.
	open    []bool // by candidate: asked about, and no limit was applied to it yet
	count   []int  // open candidates by limit
	touched []int
}

// An index lists, for each of a range of things, numbers of other things.
type index struct{ start, items []int }

func (x index) of(i int) []int { return x.items[x.start[i]:x.start[i+1]] }

// newIndex gathers pairs (i, item), which each must call with the same pairs in the same order every time.
func newIndex(n int, each func(yield func(i, item int))) index {
	x := index{start: make([]int, n+2)}
	each(func(i, _ int) { x.start[i+2]++ })
	for i := range n {
		x.start[i+2] += x.start[i+1]
	}
	x.items = make([]int, x.start[n+1])
	each(func(i, item int) {
		x.items[x.start[i+1]] = item
		x.start[i+1]++
	})
	x.start = x.start[:n+1]
	return x
}

func newSharing(n int, candidates []topology.Edge, limits []design.Limit) *sharing {
	s := &sharing{n: n, candidates: candidates, limits: limits, open: make([]bool, len(candidates)),
		count: make([]int, len(limits))}
	s.at = newIndex(n, func(yield func(i, item int)) {
		for k, e := range candidates {
			yield(e.I, k)
			yield(e.J, k)
		}
	})
	s.of = newIndex(len(candidates), func(yield func(i, item int)) {
		for l, limit := range limits {
			for _, k := range limit.Edges {
				yield(k, l)
			}
		}
	})
	return s
}

// degrees returns, for each node, a number of neighbours that no choice of edges within the limits exceeds.
func (s *sharing) degrees() []int {
	degrees := make([]int, s.n)
	for i := range degrees {
		degrees[i] = s.most(s.at.of(i))
	}
	return degrees
}

// most returns a number of the given candidates that no choice within the limits exceeds: all of them, less what limits
// forbid. Limits are applied one after the other, the one that forbids most first (then the first in order), each to
// edges that no earlier one was applied to.
func (s *sharing) most(edges []int) int {
	most, touched := len(edges), s.touched[:0]
	for _, k := range edges {
		s.open[k] = true
		for _, l := range s.of.of(k) {
			if s.count[l] == 0 {
				touched = append(touched, l)
			}
			s.count[l]++
		}
	}
	for {
		best, saving := -1, 0
		for _, l := range touched {
			if more := s.count[l] - s.limits[l].Max; more > saving || more == saving && more > 0 && l < best {
				best, saving = l, more
			}
		}
		if best < 0 {
			break
		}
		most -= saving
		s.apply(best, edges)
	}
	for _, k := range edges {
		s.open[k] = false
	}
	for _, l := range touched {
		s.count[l] = 0
	}
	s.touched = touched
	return most
}

// apply closes the open ones among edges that count against a limit.
func (s *sharing) apply(limit int, edges []int) {
	shut := func(k int) {
		s.open[k] = false
		for _, l := range s.of.of(k) {
			s.count[l]--
		}
	}
	if counting := s.limits[limit].Edges; len(counting) < len(edges) {
		for _, k := range counting {
			if s.open[k] {
				shut(k)
			}
		}
		return
	}
	for _, k := range edges {
		if s.open[k] && s.uses(k, limit) {
			shut(k)
		}
	}
}

func (s *sharing) uses(candidate, limit int) bool { return s.usesAny(candidate, limit, limit) }

// usesAny reports whether a candidate counts against any limit from first to last.
func (s *sharing) usesAny(candidate, first, last int) bool {
	for _, l := range s.of.of(candidate) {
		if first <= l && l <= last {
			return true
		}
	}
	return false
}
