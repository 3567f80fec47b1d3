package cluster

import (
	"math"
	"slices"
)

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

// shares are resources of some bandwidth that carry at most so many edges each. The number of edges that
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

// A verdict says whether capacities are large enough for something.
type verdict int

const (
	tooSmall verdict = iota // proved
	undecided
	enough
)

// judged is the verdict of those who always know.
func judged(ok bool) verdict {
	if ok {
		return enough
	}
	return tooSmall
}

// largest returns the largest unit, at most top, whose capacities are enough; ok is false where not even the largest
// capacities are. What is enough stays so as capacities grow. The units between are never listed: a hundred thousand
// nodes have 10¹⁰ of them.
func (s shares) largest(top float64, judge func(e []int) (verdict, error)) (unit float64, e []int, ok bool, err error) {
	v, err := judge(s.most)
	if v != enough || err != nil {
		return 0, nil, false, err
	}
	unit, e = s.unit(s.most), s.most
	failed := s.at(top)
	if v, err = judge(failed); v == enough || err != nil {
		unit = min(s.unit(failed), top)
		return unit, s.at(unit), v == enough, err
	}
	refuted, open := failed, v == undecided
	for {
		next := s.below(failed)
		if next <= unit*(1+rounding) {
			break
		}
		// Half way on a logarithmic scale; at the larger end once nothing lies between.
		middle := s.at(math.Sqrt(next * unit))
		if slices.Equal(middle, e) {
			middle = s.at(next)
		}
		switch v, err = judge(middle); {
		case err != nil:
			return 0, nil, false, err
		case v == enough:
			unit = s.unit(middle)
			e = s.at(unit)
		case v == undecided:
			failed, open = middle, true
		default:
			failed, refuted = middle, middle
		}
	}
	if open {
		return s.retry(unit, e, refuted, judge)
	}
	return unit, e, true, nil
}

// retry looks at the units just below one that is too large for sure: what was undecided for larger capacities may be
// found for smaller ones, which leave fewer ways to go wrong.
func (s shares) retry(unit float64, e, refuted []int, judge func(e []int) (verdict, error)) (
	float64, []int, bool, error) {
	const tries = 16
	for range tries {
		next := s.below(refuted)
		if next <= unit*(1+rounding) {
			break
		}
		refuted = s.at(next)
		v, err := judge(refuted)
		if err != nil {
			return 0, nil, false, err
		}
		if v == enough {
			unit = s.unit(refuted)
			return unit, s.at(unit), true, nil
		}
	}
	return unit, e, true, nil
}
