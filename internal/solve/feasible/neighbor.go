package feasible

import "math/rand/v2"

// Neighbor draws an exchange that keeps budget and limits, and reports whether it found
// one. Whether the result is connected is for the caller to look at. Every edge that comes
// in is equally likely to be tried; among the ways to make room for it one is drawn.
func (s *Selection) Neighbor(rng *rand.Rand) (x Exchange, ok bool) {
	if len(s.chosen) == s.ix.usable {
		return Exchange{}, false
	}
	m := len(s.in)
	in := rng.IntN(m)
	for s.in[in] || !s.ix.used[in] {
		in = rng.IntN(m)
	}
	if len(s.ix.space.Limits) == 0 {
		return s.replacing(in, rng), true
	}
	seen := 0
	s.exchangesFor(in, func(y Exchange) bool {
		if y.change() < 0 { // gives up an edge for nothing
			return true
		}
		s.Apply(y)
		legal := s.legal(y)
		s.Undo(y)
		if !legal {
			return true
		}
		seen++
		if rng.IntN(seen) == 0 {
			x = y
		}
		return true
	})
	return x, seen > 0
}

// replacing is the exchange of in against a random selected edge, or its addition when
// the budget has room.
func (s *Selection) replacing(in int, rng *rand.Rand) Exchange {
	if len(s.chosen) < s.ix.space.MaxEdges {
		return Exchange{in, None, None, None}
	}
	return Exchange{in, None, s.chosen[rng.IntN(len(s.chosen))], None}
}

// change is by how much the exchange changes the number of edges.
func (x Exchange) change() int {
	d := 1
	if x.In2 != None {
		d++
	}
	if x.Out != None {
		d--
	}
	if x.Out2 != None {
		d--
	}
	return d
}
