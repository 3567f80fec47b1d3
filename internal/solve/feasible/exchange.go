package feasible

import "slices"

// An Exchange takes up to two edges out of a selection and brings one or two in.
// None marks an unused place.
type Exchange struct{ In, In2, Out, Out2 int }

// None is no edge.
const None = -1

// Apply performs an exchange.
func (s *Selection) Apply(x Exchange) {
	for _, k := range [2]int{x.Out, x.Out2} {
		if k != None {
			s.remove(k)
		}
	}
	for _, k := range [2]int{x.In, x.In2} {
		if k != None {
			s.add(k)
		}
	}
}

// Undo takes back the exchange that was applied last.
func (s *Selection) Undo(x Exchange) {
	s.Apply(Exchange{In: x.Out, In2: x.Out2, Out: x.In, Out2: x.In2})
}

// partsAfter returns the number of components that the exchange would leave, or None if it
// would break the budget or a limit.
func (s *Selection) partsAfter(x Exchange) int {
	s.Apply(x)
	parts := None
	if s.legal(x) {
		parts = s.components()
	}
	s.Undo(x)
	return parts
}

// legal reports whether the exchange just applied kept the budget and the limits.
func (s *Selection) legal(x Exchange) bool {
	for _, k := range [4]int{x.In, x.In2, x.Out, x.Out2} {
		if k != None && !s.within(k) {
			return false
		}
	}
	return len(s.chosen) <= s.ix.space.MaxEdges
}

// exchangesFor yields exchanges that bring candidate in into a selection that keeps its
// limits, until yield returns false. Most of them keep the limits too; the caller that applies one
// asks legal.
//
// Out must sit on a limit that in would break, Out2 on one that is still broken after
// that; In2 restores exactly the load that was lost. For node degrees this is the switch
// {a,b}, {c,d} → {a,c}, {b,d}, found in O(degree²) look-ups.
func (s *Selection) exchangesFor(in int, yield func(Exchange) bool) {
	exact := s.ix.bound[in]
	more := exact || yield(Exchange{in, None, None, None})
	if !more {
		return
	}
	s.each(s.broken(in, None, None), func(p int) bool {
		lost := s.ix.sign[p] - s.ix.sign[in]
		second := s.broken(in, p, None)
		if second == None {
			more = yield(Exchange{in, None, p, None}) && (lost == 0 || s.restoring(lost, in, p, None, yield))
		}
		if !more || second == None && (!exact || lost == 0) {
			return more
		}
		s.each(second, func(q int) bool {
			if q == p || s.broken(in, p, q) != None {
				return true
			}
			more = yield(Exchange{in, None, p, q}) && s.restoring(lost+s.ix.sign[q], in, p, q, yield)
			return more
		})
		return more
	})
}

// restoring yields the exchanges whose In2 has exactly the signature that is missing.
func (s *Selection) restoring(missing uint64, in, p, q int, yield func(Exchange) bool) bool {
	for _, t := range s.ix.twins[missing] {
		if t != in && !s.in[t] && !yield(Exchange{in, t, p, q}) {
			return false
		}
	}
	return true
}

// each visits the selected edges on limit l, or all of them when l is None.
func (s *Selection) each(l int, visit func(k int) bool) {
	if l == None {
		for k, in := range s.in {
			if in && !visit(k) {
				return
			}
		}
		return
	}
	for _, k := range s.ix.space.Limits[l].Edges {
		if s.in[k] && !visit(k) {
			return
		}
	}
}

// broken returns the first limit that adding in would break once p and q are gone, or None.
func (s *Selection) broken(in, p, q int) int {
	for _, l := range s.ix.uses[in] {
		load := s.load[l]
		for _, out := range [2]int{p, q} {
			if out != None && s.ix.usesLimit(out, l) {
				load--
			}
		}
		if load >= s.ix.space.Limits[l].Max {
			return l
		}
	}
	return None
}

func (ix *index) usesLimit(k, l int) bool { return slices.Contains(ix.uses[k], l) }
