package advise

import (
	"context"
	"errors"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/sweep"
)

// After a cancellation nothing is compared again.
func TestFlipsStopWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, want := range []int{1, 0} {
		compared := 0
		(&flips{}).search(ctx, variation{Bandwidth, 1, steps(1, true), func(float64) (scene, error) {
			compared++
			return scene{}, errors.New("no such cluster")
		}})
		if compared != want {
			t.Errorf("%d values were compared; want %d", compared, want)
		}
		cancel()
	}
}

// Where any latency at all changes the answer, the search for the least one ends: halving would go on until a float64
// is 0.
func TestFlipsFromNothingAreFoundQuickly(t *testing.T) {
	c, err := cluster.New(cluster.Homogeneous(2, 1))
	if err != nil {
		t.Fatal(err)
	}
	_, f, err := decide(t.Context(), c, &sweep.Sweep{}, Setting{Seed: 1}, untold)
	if err != nil {
		t.Fatal(err)
	}
	f.now = Candidate{Kind: "something else"}
	compared := 0
	found := f.search(t.Context(), variation{Latency, 0, steps(1e-3, true), func(ms float64) (scene, error) {
		compared++
		return f.withLatency(ms)
	}})
	if found == nil || found.Value > tiny || compared > 50 {
		t.Errorf("%d values were compared for %+v", compared, found)
	}
}
