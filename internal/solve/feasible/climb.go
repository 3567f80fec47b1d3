package feasible

// connect applies exchanges that lower the number of components until there is one. It
// reports whether it got there; the limits are kept on the way. order lists candidates
// from the best score to the worst.
func (s *Selection) connect(order []int, score []float64) bool {
	for parts := s.components(); parts > 1; {
		fewer := s.joinOnce(order, score, parts)
		if fewer == parts {
			return false
		}
		parts = fewer
	}
	return true
}

// joinOnce applies, for the best-scored edge that can be brought in so that components
// merge, the exchange that costs least. It returns the number of components left.
func (s *Selection) joinOnce(order []int, score []float64, parts int) int {
	for _, in := range order {
		if s.in[in] || s.closes(in) {
			continue
		}
		best, bestParts, bestGain := Exchange{}, parts, 0.0
		s.exchangesFor(in, func(x Exchange) bool {
			left := s.partsAfter(x)
			if left == None {
				return true
			}
			if gain := x.gain(score); left < bestParts || left == bestParts && left < parts && gain > bestGain {
				best, bestParts, bestGain = x, left, gain
			}
			return true
		})
		if bestParts < parts {
			s.Apply(best)
			return s.components()
		}
		s.components() // the trials overwrote the groups
	}
	return parts
}

// climb applies exchanges that raise the score and keep the selection connected, until
// no exchange does or the passes are used up.
func (s *Selection) climb(order []int, score []float64) {
	const passes = 20 // in practice two or three suffice
	f := newFloors(s, score)
	for improved, pass := true, 0; improved && pass < passes; pass++ {
		improved = false
		for _, in := range order {
			if s.in[in] || f.hopeless(in) {
				continue
			}
			if x, ok := s.bestExchange(in, score); ok {
				s.Apply(x)
				f.update(x)
				improved = true
			}
		}
	}
}

// bestExchange returns the exchange for in that raises the score most and keeps the
// selection connected.
func (s *Selection) bestExchange(in int, score []float64) (best Exchange, ok bool) {
	gained := leastGain
	s.exchangesFor(in, func(x Exchange) bool {
		if gain := x.gain(score); gain > gained && s.partsAfter(x) == 1 {
			best, gained, ok = x, gain, true
		}
		return true
	})
	return best, ok
}

// leastGain is what an exchange must bring, so that rounding errors do not keep a climb going.
const leastGain = 1e-12

// gain is what the exchange adds to the total score.
func (x Exchange) gain(score []float64) float64 {
	sum := score[x.In]
	if x.In2 != None {
		sum += score[x.In2]
	}
	for _, out := range [2]int{x.Out, x.Out2} {
		if out != None {
			sum -= score[out]
		}
	}
	return sum
}
