package present

import (
	"slices"
	"testing"

	"batopo/consensus"
)

// The line of an exact round stays where it is until the round is over: nothing crosses the target before.
func TestExactRoundsFallAtTheirEnd(t *testing.T) {
	r := &consensus.Result{Reached: true, Errors: []consensus.Error{
		{RMS: 4}, {Round: 1, TimeMS: 10, RMS: 2}, {Round: 2, TimeMS: 30, RMS: 1e-16},
	}}
	s := ErrorCurve("one-peer", r, true)
	if want := []float64{0, 10, 30, 30}; !slices.Equal(s.X, want) {
		t.Errorf("times %v, want %v", s.X, want)
	}
	if want := []float64{4, 2, 2, 1e-16}; !slices.Equal(s.Y, want) {
		t.Errorf("errors %v, want %v", s.Y, want)
	}
}
