package replan_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/replan"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/mixing"
)

func TestOtherKindsArePricedAndRefused(t *testing.T) {
	c, slower := nodes(t, 8, nil), nodes(t, 8, map[int]float64{0: 0.5})
	plans := map[string]func() (*design.Plan, error){
		"a schedule of 3 rounds; an iteration of training took 20.22 ms when it was planned and takes 25.23 ms now": func() (*design.Plan, error) {
			family, err := mixing.FindSchedule("one-peer-exponential")
			if err != nil {
				return nil, err
			}
			s, err := family.Build(mixing.ScheduleParams{Nodes: 8})
			if err != nil {
				return nil, err
			}
			return design.NewSchedulePlan(t.Context(), c, s)
		},
		"directed; an iteration of training took 30.24 ms when it was planned and takes 45.27 ms now": func() (*design.Plan, error) {
			family, err := mixing.FindFamily("exponential")
			if err != nil {
				return nil, err
			}
			w, err := family.Build(mixing.Params{Nodes: 8})
			if err != nil {
				return nil, err
			}
			return sweep.Describe(t.Context(), c, w)
		},
		"hierarchical averaging; an iteration of training took ": func() (*design.Plan, error) {
			w, err := mixing.FromArcs(2, []mixing.Arc{{From: 0, To: 1, Weight: 0.5}, {From: 1, To: 0, Weight: 0.5}})
			if err != nil {
				return nil, err
			}
			return design.NewTwoLevelPlan(t.Context(), c, [][]int{{0, 1, 2, 3}, {4, 5, 6, 7}}, mixing.Static(w))
		},
		"an all-reduce over all nodes; an iteration of training took 23.98 ms when it was planned and takes 32.75 ms now": func() (*design.Plan, error) {
			return design.NewCollectivePlan(c, &design.Collective{Algorithm: design.RingForm, Order: []int{0, 1, 2, 3, 4, 5, 6, 7}})
		},
	}
	for want, build := range plans {
		plan, err := build()
		if err != nil {
			t.Fatal(want, err)
		}
		_, err = replan.Decide(t.Context(), plan, slower, replan.Settings{})
		if !errors.Is(err, replan.ErrKind) || !strings.Contains(err.Error(), "the running plan is "+want) {
			t.Errorf("%v\ndoes not say %q", err, want)
		}
	}
}
