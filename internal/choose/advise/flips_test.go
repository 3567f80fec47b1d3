package advise

import (
	"context"
	"errors"
	"testing"
)

// Who is told to stop weighs nothing again.
func TestFlipsStopWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for _, want := range []int{1, 0} {
		weighed := 0
		(&flips{}).search(ctx, variation{Bandwidth, 1, steps(1, true), func(float64) (scene, error) {
			weighed++
			return scene{}, errors.New("no such cluster")
		}})
		if weighed != want {
			t.Errorf("%d values were weighed; want %d", weighed, want)
		}
		cancel()
	}
}
