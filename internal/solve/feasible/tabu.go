package feasible

// settle changes single edges until the limits are kept, preferring moves that lower the
// violation most, then those that raise the score; an edge that just moved rests for a while.
// It serves limits of any shape and reports whether it got there within steps moves.
func (s *Selection) settle(order []int, score []float64, steps int) bool {
	const rest = 7
	resting := make([]int, len(s.in)) // step before which an edge may not move again
	for step := 1; step <= steps; step++ {
		now := s.violation()
		if now == 0 {
			return true
		}
		best, bestViolation, bestGain := None, 0, 0.0
		for _, k := range order {
			if resting[k] > step {
				continue
			}
			gain := score[k]
			if s.in[k] {
				gain = -gain
			}
			if v := now + s.flipCost(k); best == None || v < bestViolation || v == bestViolation && gain > bestGain {
				best, bestViolation, bestGain = k, v, gain
			}
		}
		if best == None {
			continue
		}
		s.flip(best)
		resting[best] = step + rest + best%3 // uneven rests break cycles
	}
	return s.violation() == 0
}

func (s *Selection) flip(k int) {
	if s.in[k] {
		s.remove(k)
	} else {
		s.add(k)
	}
}

// flipCost is the change of violation when k is flipped.
func (s *Selection) flipCost(k int) int {
	step := 1
	if s.in[k] {
		step = -1
	}
	cost := s.missed(len(s.chosen)+step, s.ix.space.MaxEdges, false) - s.missed(len(s.chosen), s.ix.space.MaxEdges, false)
	for _, l := range s.ix.uses[k] {
		limit := s.ix.space.Limits[l].Max
		cost += s.missed(s.load[l]+step, limit, s.ix.fill[l]) - s.missed(s.load[l], limit, s.ix.fill[l])
	}
	return cost
}

func (s *Selection) missed(load, limit int, exact bool) int {
	d := load - limit
	if exact {
		return max(d, -d)
	}
	return max(d, 0)
}
