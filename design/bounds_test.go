package design_test

import (
	"testing"

	"github.com/batopo/batopo/design"
)

func TestMeetingABound(t *testing.T) {
	for _, c := range []struct {
		value, bound float64
		limited      bool // the bound is on λ₂
		want         bool
	}{
		{0.5, 0.5, false, true},
		{0.5 + 4e-7, 0.5, false, true},
		{0.5 + 6e-7, 0.5, false, false},
		{0.4, 0.5, false, true}, // that one of the two must be false is another check
		{0, 0, false, true},
		{1e-9, 0, false, false},
		{-0.25, -0.25, true, true},
		{-0.25 + 1e-6, -0.25, true, false},
	} {
		var p design.Plan
		p.RAsym = c.value
		if c.limited {
			floor := -1.0
			p.RAsym, p.MinEigenvalue, p.Lambda2 = 0.9, &floor, &c.value
		}
		if p.MeetsBound() {
			t.Error("a plan without a bound meets it")
		}
		p.SetBound(&design.Bound{RAsym: c.bound, Kind: design.BallBound, Order: 1})
		if p.MeetsBound() != c.want {
			t.Errorf("value %v, bound %v: met is %v", c.value, c.bound, p.MeetsBound())
		}
	}
}
