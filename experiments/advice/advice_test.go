package main

import (
	"math"
	"testing"
)

// Of all choices that can be checked at least four in five cost at most 10 % more than the best could have, and more
// than always taking exact averaging would get right; docs/understanding/advice.md says where and why the others do
// not.
func TestRegretOfCommittedRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("replays all committed runs; make deep does")
	}
	runs, err := readRuns("..")
	if err != nil {
		t.Fatal(err)
	}
	var all tally
	for _, scenario := range scenarios {
		on, err := readGround(t.Context(), "..", scenario)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range races(on.fitting(runs)) {
			v, err := r.judge(t.Context(), on)
			if err != nil {
				t.Fatal(err)
			}
			all.add(v)
		}
	}
	if all.choices < 90 || 5*all.good < 4*all.choices || all.never > 4 || all.mean() > 0.05 {
		t.Errorf("%+v with mean %v; want at least 90 choices, four fifths of them good, at most 4 that never get there, "+
			"and a mean of at most 0.05", all, all.mean())
	}
	if all.exactGood*all.choices >= all.good*all.exacts {
		t.Errorf("always exact averaging is right as often: %+v", all)
	}
}

// The best of all has no regret, one that never reaches the target has endless regret.
func TestRegretIsRelativeToTheBest(t *testing.T) {
	slow := run{Process: "ring", Lazy: 1, Every: 1, Nodes: 16, Norm: "batch", Order: "cta", ToTarget: 20, Predicted: 20}
	quick := run{Process: "one-peer-hypercube", Lazy: 1, Every: 1, Nodes: 16, Norm: "batch", Order: "cta", ToTarget: 10, Predicted: 30}
	equal, err := readGround(t.Context(), "..", "homogeneous-16")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		race race
		want float64
	}{
		{"the ring is predicted to be soonest, and takes twice as long", race{slow, quick}, 1},
		{"alone it has no regret", race{slow}, 0},
	} {
		v, err := tc.race.judge(t.Context(), equal)
		if err != nil {
			t.Fatal(err)
		}
		// Both hide behind the gradient.
		if math.Abs(v.regret-tc.want) > 1e-9 {
			t.Errorf("%s: regret %v, want %v", tc.name, v.regret, tc.want)
		}
	}
	slow.Censored = true
	v, err := race{slow, quick}.judge(t.Context(), equal)
	if err != nil {
		t.Fatal(err)
	}
	if !math.IsInf(v.regret, 1) {
		t.Errorf("a process that never gets there: regret %v", v.regret)
	}
}

// A run that was stopped before it could reach the target is no candidate: it is not known to be slow.
func TestRunsThatWereCutTakeNoPart(t *testing.T) {
	runs := make([]run, fewest+1)
	for k := range runs {
		runs[k] = run{Process: "ring", Lazy: 1, Every: 1, Nodes: 16, Momentum: "local", Censored: k == 0, Cut: k == 0}
	}
	found := races(runs)
	if len(found) != 1 || len(found[0]) != fewest || found[0][0].Censored {
		t.Errorf("races of one cut run and %d others: %+v", fewest, found)
	}
}
