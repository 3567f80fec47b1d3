package mixing_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// The largest matrices take seconds or minutes. The error of a context that ends meanwhile is returned only by work
// that was left for it: finished work has a result and no error.
func TestLongWorkObeysItsContext(t *testing.T) {
	const n = mixing.DirectedLimit
	g, err := topology.RandomRegular(n, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	w, err := mixing.Metropolis(g)
	if err != nil {
		t.Fatal(err)
	}
	schedule := &mixing.Schedule{Name: "static", Rounds: []*mixing.Matrix{w}}
	for name, work := range map[string]func(ctx context.Context) error{
		"spectrum":         func(ctx context.Context) error { _, err := w.Spectrum(ctx); return err },
		"schedule's rate":  func(ctx context.Context) error { _, err := schedule.Rate(ctx); return err },
		"schedule's count": func(ctx context.Context) error { _, _, err := schedule.Iterations(ctx, 1e-300); return err },
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		err := work(ctx)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: error %v, want %v", name, err, context.DeadlineExceeded)
		}
	}
}
