package feasible

import "github.com/batopo/batopo/topology"

// A Selection is a choice of candidate edges that knows how much of every limit it
// uses. It may be infeasible while a search works on it; one goroutine owns it.
type Selection struct {
	ix     *index
	in     []bool
	chosen []int           // the selected candidates in no particular order
	place  []int           // where a selected candidate sits in chosen
	load   []int           // edges on each limit
	parts  *topology.Parts // scratch: what the chosen edges connect
}

func (ix *index) empty() *Selection {
	m := len(ix.uses)
	return &Selection{
		ix: ix, in: make([]bool, m), chosen: make([]int, 0, m), place: make([]int, m),
		load: make([]int, len(ix.space.Limits)), parts: topology.NewParts(ix.space.Nodes),
	}
}

// Clone returns an independent copy.
func (s *Selection) Clone() *Selection {
	c := s.ix.empty()
	c.Set(s)
	return c
}

// Set makes s equal to other, which must come from the same Rounder.
func (s *Selection) Set(other *Selection) {
	copy(s.in, other.in)
	copy(s.load, other.load)
	copy(s.place, other.place)
	s.chosen = append(s.chosen[:0], other.chosen...)
}

// Chosen says for every candidate whether it is selected. The slice is shared; do not
// write to it.
func (s *Selection) Chosen() []bool { return s.in }

// Count returns the number of selected edges.
func (s *Selection) Count() int { return len(s.chosen) }

func (s *Selection) clear() {
	clear(s.in)
	clear(s.load)
	s.chosen = s.chosen[:0]
}

func (s *Selection) add(k int) {
	s.in[k] = true
	s.place[k] = len(s.chosen)
	s.chosen = append(s.chosen, k)
	for _, l := range s.ix.uses[k] {
		s.load[l]++
	}
}

func (s *Selection) remove(k int) {
	s.in[k] = false
	last := s.chosen[len(s.chosen)-1]
	s.chosen[s.place[k]], s.place[last] = last, s.place[k]
	s.chosen = s.chosen[:len(s.chosen)-1]
	for _, l := range s.ix.uses[k] {
		s.load[l]--
	}
}

// fits reports whether k can be added within its limits; the budget is not looked at.
func (s *Selection) fits(k int) bool {
	for _, l := range s.ix.uses[k] {
		if s.load[l] >= s.ix.space.Limits[l].Max {
			return false
		}
	}
	return !s.in[k]
}

// within reports whether every limit that k uses is kept.
func (s *Selection) within(k int) bool {
	for _, l := range s.ix.uses[k] {
		limit := s.ix.space.Limits[l].Max
		if s.load[l] > limit || s.ix.fill[l] && s.load[l] != limit {
			return false
		}
	}
	return true
}

// violation is the total by which limits are missed; edges over the budget count too.
func (s *Selection) violation() int {
	total := max(0, len(s.chosen)-s.ix.space.MaxEdges)
	for l, load := range s.load {
		d := load - s.ix.space.Limits[l].Max
		if d > 0 || s.ix.fill[l] {
			total += max(d, -d)
		}
	}
	return total
}

// components counts the connected components and leaves them in s.parts.
func (s *Selection) components() int {
	s.parts.Reset()
	for _, k := range s.chosen {
		s.union(k)
	}
	return s.parts.Count()
}

// union joins the parts at the ends of candidate k and reports whether they were two.
func (s *Selection) union(k int) bool { return s.parts.JoinEnds(s.ix.space.Candidates[k]) }

// closes reports whether candidate k joins nodes that are connected already, after components.
func (s *Selection) closes(k int) bool {
	e := s.ix.space.Candidates[k]
	return s.parts.Of(e.I) == s.parts.Of(e.J)
}

// feasible reports whether every rule of the space is kept.
func (s *Selection) feasible() bool { return s.violation() == 0 && s.components() == 1 }
