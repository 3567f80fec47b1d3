package advise

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/mixing"
)

// What the time did not reach is not called impossible.
func TestWhatTheTimeDidNotReachIsNotInfeasible(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(4, 1))
	if err != nil {
		t.Fatal(err)
	}
	var processes []*process
	for _, build := range []func(n int) (*mixing.Schedule, error){mixing.OnePeerHypercube, mixing.OnePeerExponential} {
		s, err := build(4)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := design.NewSchedulePlan(t.Context(), c, s)
		if err != nil {
			t.Fatal(err)
		}
		p, err := newProcess(t.Context(), plan)
		if err != nil {
			t.Fatal(err)
		}
		p.label = called(s.Name, s.Name)
		processes = append(processes, p)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := newPredictor(MeasuredConvergence(), Setting{}.WithDefaults())
	here := scene{c: c, faster: 1, compute: cost.DrawsOf(c), like: c}
	all, left, err := w.rank(ctx, here, processes, func(design.Progress) {})
	if err != nil || len(all) != 1 || len(left) != 1 || left[0].Status != sweep.NotAttempted {
		t.Errorf("%d compared, left out %+v, error %v; want the first compared and the other not attempted",
			len(all), left, err)
	}
}

// On many nodes, too, the library's all-reduce over a ring is priced without time, and what is missing is named.
func TestFirstNeedsNoTime(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c, err := cluster.New(cluster.Homogeneous(4096, cluster.PaperBandwidthGBs))
	if err != nil {
		t.Fatal(err)
	}
	a, err := First(ctx, c, sweep.Unsearched(c, 1, "no time"), Setting{})
	if err != nil || a.Recommended.Kind != DDP || !a.Hurried || !slices.Equal(a.Late(), []string{"two-tree", "two-level"}) {
		t.Errorf("%+v, %v", a, err)
	}
	if _, err := First(ctx, c, sweep.Unsearched(c, 1, "no time"), Setting{Wish: Wish{Choose: 3}}); !errors.Is(err, ErrChoice) {
		t.Errorf("row 3 of a table that there is no time for: %v", err)
	}
}
