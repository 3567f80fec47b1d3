package design_test

import (
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
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

// No schedule takes fewer rounds than the bound, and exact ones of one peer on a power of two take just as many.
func TestSchedulesTakeTheFewestRoundsAtLeast(t *testing.T) {
	tight, target := 0, 0.5
	for _, f := range mixing.Schedules {
		for _, n := range []int{2, 3, 4, 7, 8, 12, 16, 25} {
			s, err := f.Build(mixing.ScheduleParams{Nodes: n, Seed: 5})
			if err != nil {
				continue // not for this number of nodes
			}
			c, err := cluster.New(cluster.Spec{Nodes: n, Bandwidth: []float64{1},
				Model: &cluster.ModelSpec{TargetError: &target}})
			if err != nil {
				t.Fatal(err)
			}
			p, err := design.NewSchedulePlan(t.Context(), c, s)
			if err != nil {
				t.Fatal(err)
			}
			least := design.FewestRounds(n, p.MaxDegree, p.TargetError)
			if p.Iterations > 0 && p.Iterations < least {
				t.Errorf("%s on %d nodes takes %d rounds, called impossible below %d", f.Name, n, p.Iterations, least)
			}
			if p.Iterations == least {
				tight++
			}
		}
	}
	if tight < 12 {
		t.Errorf("%d schedules take as few rounds as the bound says, want 12 or more", tight)
	}
	if got := design.FewestRounds(16, 1, 1e-4); got != 4 {
		t.Errorf("16 nodes with one peer: %d rounds, want 4", got)
	}
}

// What is left of the bound on a complete graph is rounding, and so is the value: their ratio is no gap.
func TestNoGapToABoundThatIsRounding(t *testing.T) {
	p := &design.Plan{Claims: design.Claims{RAsym: 1.05e-13}}
	p.SetBound(&design.Bound{RAsym: 2.3e-17, Kind: design.CertificateBound})
	if p.Gap != nil {
		t.Errorf("gap %v to a bound of 2.3e-17", *p.Gap)
	}
	p.SetBound(&design.Bound{RAsym: 1e-6, Kind: design.CertificateBound})
	if p.Gap == nil {
		t.Error("no gap to a bound of 1e-6")
	}
}
