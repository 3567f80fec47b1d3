package advise_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/adamw"
	"github.com/batopo/batopo/internal/choose/advise"
)

// A synchronous start, an outer optimizer and a late average that are asked for are in the plan, which holds, and steps
// are those of the table.
func TestTimingCanBeAskedFor(t *testing.T) {
	c, err := cluster.New(sites(2, 4, 50, 200))
	if err != nil {
		t.Fatal(err)
	}
	late := 16
	for _, tc := range []struct {
		asks string
		runs adamw.Averaging
		want design.Clocks
	}{
		{`{"steps": 1500, "timing": {"phases": 500}}`, adamw.Averaging{Models: 2, Every: 64, Synchronous: 1. / 3},
			design.Clocks{Phases: []design.TrainingPhase{{Steps: 500}, {Every: 64}}}},
		{`{"steps": 3000, "timing": {"phases": 900}}`, adamw.Averaging{Models: 2, Every: 64, Synchronous: 0.3},
			design.Clocks{Phases: []design.TrainingPhase{{Steps: 900}, {Every: 64}}}},
		{`{"steps": 1500, "timing": {"outer": {"learning_rate": 0.7, "momentum": 0.9}, "phases": 500}}`,
			adamw.Averaging{Models: 2, Every: 64, Synchronous: 1. / 3, OuterRate: 0.7, OuterMomentum: 0.9},
			design.Clocks{Average: design.Changes, Outer: &design.Outer{LearningRate: 0.7, Momentum: 0.9},
				Phases: []design.TrainingPhase{{Steps: 500}, {Every: 64}}}},
		{`{"timing": {"delay": 16}}`, adamw.Averaging{Models: 2, Every: 64, Delay: late}, design.Clocks{DelaySteps: late}},
	} {
		o := batopo.Options{Optimizer: advise.AdamW, Wire: "fp32"}
		if err := json.Unmarshal([]byte(tc.asks), &o); err != nil {
			t.Fatal(err)
		}
		answer, err := batopo.Advise(t.Context(), c, o)
		if err != nil {
			t.Errorf("%s: %v", tc.asks, err)
			continue
		}
		tc.runs.Length = o.Steps
		r, p := answer.Advice.Recommended, answer.Plan
		steps, err := adamw.Measured().Steps(tc.runs)
		if err != nil || r.Every != tc.runs.Every || math.Abs(r.Epochs-steps.Ratio) > 1e-12 {
			t.Errorf("%s: every %d steps, %v times the steps; the table has %+v, %v", tc.asks, r.Every, r.Epochs, steps, err)
		}
		got, _ := json.Marshal(p.Clocks)
		if want, _ := json.Marshal(tc.want); string(got) != string(want) {
			t.Errorf("%s: %s, want %s", tc.asks, got, want)
		}
		if _, err := batopo.Check(t.Context(), p); err != nil {
			t.Errorf("%s: %v", tc.asks, err)
		}
	}
}

// Where nothing is known of what was asked for, or it cannot be, the error says what would be possible.
func TestImpossibleTimingSaysWhatIsPossible(t *testing.T) {
	c, err := cluster.New(sites(2, 4, 50, 200))
	if err != nil {
		t.Fatal(err)
	}
	steps := func(n int) *int { return &n }
	outer := func(rate, momentum float64) *design.Outer {
		return &design.Outer{LearningRate: rate, Momentum: momentum}
	}
	for _, tc := range []struct {
		options batopo.Options
		want    string
		known   bool // the question is one, but nothing is known
	}{
		{batopo.Options{Timing: batopo.Timing{Synchronous: 500}}, "say with steps how long", false},
		{batopo.Options{Steps: 400, Timing: batopo.Timing{Synchronous: 500}}, "more than the start", false},
		{batopo.Options{Timing: batopo.Timing{Outer: outer(0.7, 0.9)}}, "say with steps", false},
		{batopo.Options{Steps: 1500, Timing: batopo.Timing{Outer: outer(3, 0.9)}}, "runs had 0.7 and 0.9", false},
		{batopo.Options{Timing: batopo.Timing{Delay: steps(-1)}}, "0 to 512 steps", false},
		{batopo.Options{Exact: true, Timing: batopo.Timing{Delay: steps(4)}}, "leave one out", false},
		{batopo.Options{Optimizer: advise.SGD, Timing: batopo.Timing{Delay: steps(4)}}, "were run with adamw", false},
		{batopo.Options{Timing: batopo.Timing{Delay: steps(5)}}, "every [16] steps, used 4 steps late", true},
		{batopo.Options{Steps: 1500, Timing: batopo.Timing{Outer: outer(0.7, 0.8)}}, "outer optimizer as in DiLoCo (0.7, " +
			"momentum 0.9), after a synchronous start of 33 %", true},
		{batopo.Options{Every: 300}, "ask for every [1 2 4 6 8 16 24 32 64 128 256] steps", true},
	} {
		_, err := batopo.Advise(t.Context(), c, tc.options)
		if err == nil || !strings.Contains(err.Error(), tc.want) || errors.Is(err, advise.ErrChoice) != tc.known {
			t.Errorf("%+v: %v; want %q", tc.options.Timing, err, tc.want)
		}
	}
}
