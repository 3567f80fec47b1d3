package sweep_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/internal/solve/feasible"
)

// Only what does not exist is infeasible: not what was not found, what is too large, and what there was no time for.
func TestStatusOfASkippedBaseline(t *testing.T) {
	for why, want := range map[error]sweep.Status{
		errors.New("no route"):                               sweep.Infeasible,
		fmt.Errorf("ring: %w", feasible.ErrUndecided):        sweep.Undecided,
		fmt.Errorf("ring: %w", limits.Refuse("large")):       sweep.TooLarge,
		fmt.Errorf("spectrum: %w", context.DeadlineExceeded): sweep.NotAttempted,
		context.Canceled:                                     sweep.NotAttempted,
	} {
		if got := sweep.Skip("ring", why).Status; got != want {
			t.Errorf("%v: %q, want %q", why, got, want)
		}
	}
}

// On 300 nodes what is not priced has the status for that, and nothing that exists is called infeasible.
func TestLargeClustersSkipForTheirSize(t *testing.T) {
	c, err := cluster.New(cluster.Spec{Nodes: 257, Bandwidth: cluster.Numbers{1}})
	if err != nil {
		t.Fatal(err)
	}
	_, skipped := sweep.Contenders(t.Context(), c, 1)
	_, more := sweep.Baselines(t.Context(), c, 1)
	sized := 0
	for _, s := range append(skipped, more...) {
		switch s.Name {
		case "hypercube", "one-peer-hypercube", "hyper-hypercube", "two-level all-reduce": // no power of 2, no groups
		default:
			if s.Status != sweep.TooLarge {
				t.Errorf("%s is %q: %v", s.Name, s.Status, s.Err)
			}
			sized++
		}
	}
	if sized < 6 {
		t.Errorf("%d baselines are too large; want those that measure all pairs", sized)
	}
}
