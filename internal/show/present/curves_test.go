package present

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/consensus"
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

// The caller learns why drawing was stopped, in the words of whatever stopped it.
func TestStoppedCurvesNameTheCause(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(8, 1))
	if err != nil {
		t.Fatal(err)
	}
	rows, _ := sweep.Baselines(context.Background(), c, 1)
	closed := errors.New("the window was closed")
	ctx, cancel := context.WithCancelCause(context.Background())
	started := 0
	curves, err := RowCurves(ctx, rows, 1e-4, func(int) { started++; cancel(closed) })
	if !errors.Is(err, closed) || curves != nil || started != 1 {
		t.Errorf("%d curves, %d simulations, error %v; want none, 1, and %v", len(curves), started, err, closed)
	}
}
