package main

import (
	"math"
	"testing"
)

// With batch norm, at the rate that all were run with, the recommendation costs at most 15 % more than the best choice
// could have; docs/advice.md says where it is above 10 %.
func TestRegretOfCommittedRuns(t *testing.T) {
	runs, err := readRuns("..")
	if err != nil {
		t.Fatal(err)
	}
	judged, sum := 0, 0.0
	for _, r := range races(runs) {
		for _, scenario := range scenarios {
			v, err := r.judge(t.Context(), "..", scenario)
			if err != nil {
				t.Fatal(err)
			}
			if v == nil || r[0].Norm != "batch" {
				continue
			}
			judged++
			sum += v.regret
			if !(v.regret >= 0 && v.regret <= 0.15) {
				t.Errorf("%v", v)
			}
		}
	}
	if judged < 20 || sum/float64(judged) > 0.05 {
		t.Errorf("%d choices, mean regret %v; want at least 20 and at most 0.05", judged, sum/float64(judged))
	}
}

// The best of all has no regret, one that never reaches the target has endless regret.
func TestRegretIsRelativeToTheBest(t *testing.T) {
	slow := run{Process: "ring", Lazy: 1, Nodes: 16, Norm: "batch", Order: "cta", ToTarget: 20, Predicted: 20}
	quick := run{Process: "one-peer-hypercube", Lazy: 1, Nodes: 16, Norm: "batch", Order: "cta", ToTarget: 10, Predicted: 30}
	for _, tc := range []struct {
		name string
		race race
		want float64
	}{
		{"the ring is predicted to be soonest, and takes twice as long", race{slow, quick}, 1},
		{"alone it has no regret", race{slow}, 0},
	} {
		v, err := tc.race.judge(t.Context(), "..", "homogeneous-16")
		if err != nil {
			t.Fatal(err)
		}
		// Both hide behind the gradient.
		if math.Abs(v.regret-tc.want) > 1e-9 {
			t.Errorf("%s: regret %v, want %v", tc.name, v.regret, tc.want)
		}
	}
	slow.Censored = true
	v, err := race{slow, quick}.judge(t.Context(), "..", "homogeneous-16")
	if err != nil {
		t.Fatal(err)
	}
	if !math.IsInf(v.regret, 1) {
		t.Errorf("a process that never gets there: regret %v", v.regret)
	}
}
