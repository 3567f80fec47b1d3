package feasible

// What only tests look at.

// Score returns the sum of score over the selected edges.
func (s *Selection) Score(score []float64) float64 {
	sum := 0.0
	for k, in := range s.in { // not over chosen: the order of the sum must not depend on history
		if in {
			sum += score[k]
		}
	}
	return sum
}

// Connected reports whether the selected edges connect all nodes.
func (s *Selection) Connected() bool { return s.components() == 1 }
