package planner_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/batopo/batopo/planner"
)

func TestTimeThatIsOverIsNoReasonAgainstABaseline(t *testing.T) {
	for why, want := range map[error]planner.Status{
		errors.New("no route"):                               planner.Infeasible,
		fmt.Errorf("spectrum: %w", context.DeadlineExceeded): planner.NotAttempted,
		context.Canceled:                                     planner.NotAttempted,
	} {
		if got := planner.Skip("ring", why).Status; got != want {
			t.Errorf("%v: %q, want %q", why, got, want)
		}
	}
}
