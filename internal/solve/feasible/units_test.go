package feasible

import (
	"slices"
	"testing"
)

// A judge who does not know about capacities in between must not hide that smaller ones are enough.
func TestUndecidedCapacitiesHideNothing(t *testing.T) {
	s := shares{bandwidth: []float64{12, 24}, most: []int{20, 40}}
	for enoughAt := 1; enoughAt <= 20; enoughAt++ {
		judge := func(e []int) (verdict, error) {
			switch {
			case e[0] < enoughAt:
				return tooSmall, nil
			case slices.Equal(e, s.most) || e[0] == enoughAt && e[1] == 2*enoughAt:
				return enough, nil
			}
			return undecided, nil
		}
		unit, e, ok, err := s.largest(24, judge)
		if want := 12 / float64(enoughAt); unit != want || e[0] != enoughAt || !ok || err != nil {
			t.Errorf("enough from %d on: got %v, %v, %t and %v, want the unit %v", enoughAt, unit, e, ok, err, want)
		}
	}
}
