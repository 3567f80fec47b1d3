package feasible

import (
	"math"
	"slices"
)

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
	h := hunt{shares: s, judge: judge}
	if v, err := h.try(s.at(top)); v == enough || err != nil {
		unit = min(h.unit, top)
		return unit, s.at(unit), err == nil, err
	}
	for _, step := range []func() error{h.descend, h.halve, h.retry} {
		if err := step(); err != nil || h.e == nil {
			return 0, nil, false, err
		}
	}
	return h.unit, h.e, true, nil
}

// A hunt for the largest unit that is enough.
type hunt struct {
	shares
	judge   func(e []int) (verdict, error)
	unit    float64 // that is enough, and its capacities; nil while there is none
	e       []int
	failed  []int // the largest capacities that were not enough
	refuted []int // the largest that are proved not to be
	open    bool  // some were neither
}

// try judges capacities and notes what that says.
func (h *hunt) try(e []int) (verdict, error) {
	v, err := h.judge(e)
	switch {
	case err != nil:
	case v == enough:
		h.unit = h.shares.unit(e)
		h.e = h.at(h.unit)
	case v == undecided:
		h.failed, h.open = e, true
		if h.refuted == nil {
			h.refuted = e
		}
	default:
		h.failed, h.refuted = e, e
	}
	return v, err
}

// descend looks for a unit that is enough in steps that grow: a few edges more than fit are found nearby, and the
// largest capacities take longest to judge.
func (h *hunt) descend() error {
	const step = 0.8
	least := h.shares.unit(h.most)
	for ratio := 1.0; ; ratio = min(step, ratio*ratio) {
		next := h.below(h.failed)
		if next == 0 {
			return nil
		}
		if v, err := h.try(h.at(max(least, next*ratio))); v == enough || err != nil {
			return err
		}
	}
}

// halve closes in on the largest unit that is enough.
func (h *hunt) halve() error {
	for {
		next := h.below(h.failed)
		if next <= h.unit*(1+rounding) {
			return nil
		}
		// Half way on a logarithmic scale; at the larger end once nothing lies between.
		middle := h.at(math.Sqrt(next * h.unit))
		if slices.Equal(middle, h.e) {
			middle = h.at(next)
		}
		if _, err := h.try(middle); err != nil {
			return err
		}
	}
}

// retry looks at the units just below one that is too large for sure: what was undecided for larger capacities may be
// found for smaller ones, which leave fewer ways to go wrong.
func (h *hunt) retry() error {
	const tries = 16
	e := h.refuted
	for range tries {
		next := h.below(e)
		if !h.open || next <= h.unit*(1+rounding) {
			break
		}
		e = h.at(next)
		if v, err := h.try(e); v == enough || err != nil {
			return err
		}
	}
	return nil
}
