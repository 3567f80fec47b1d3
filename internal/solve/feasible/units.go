package feasible

import "math"

// rounding is how far apart, relatively, two bandwidths may be that count as equal: what is left of
// bandwidth/(bandwidth/k) after two roundings, with room to spare.
const rounding = 1e-9

// fits returns ⌊bandwidth/unit⌋ or most, whichever is less, without losing an edge to rounding
// when unit was computed as bandwidth/k.
func fits(bandwidth, unit float64, most int) int {
	if q := bandwidth / unit * (1 + rounding); q < float64(most) {
		return int(q)
	}
	return most
}

// shares are resources of some bandwidth that carry a limited number of edges each. The number of edges that
// they carry at a unit bandwidth changes only where the unit is bandwidth/k for one of them.
type shares struct {
	bandwidth []float64
	most      []int
}

// at returns the capacities e_l = min(⌊b_l/unit⌋, ē_l).
func (s shares) at(unit float64) []int {
	e := make([]int, len(s.bandwidth))
	for l, b := range s.bandwidth {
		e[l] = fits(b, unit, s.most[l])
	}
	return e
}

// unit is the largest bandwidth that every edge gets when resource l carries e[l] of them. Of several that
// rounding alone keeps apart it is the largest.
func (s shares) unit(e []int) float64 {
	least := math.Inf(1)
	for l, b := range s.bandwidth {
		if e[l] > 0 {
			least = min(least, b/float64(e[l]))
		}
	}
	unit := least
	for l, b := range s.bandwidth {
		if e[l] > 0 && b/float64(e[l]) <= least*(1+rounding) {
			unit = max(unit, b/float64(e[l]))
		}
	}
	return unit
}

// below is the largest unit at which some resource carries more than e[l]; 0 where none can.
func (s shares) below(e []int) float64 {
	unit := 0.0
	for l, b := range s.bandwidth {
		if e[l] < s.most[l] {
			unit = max(unit, b/float64(e[l]+1))
		}
	}
	return unit
}
