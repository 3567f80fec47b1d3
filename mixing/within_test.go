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

// Counting that was cut short says so, whatever the number of nodes: "never" would be another answer.
func TestCountingThatIsCutShortIsNoAnswer(t *testing.T) {
	w, err := mixing.FromArcs(4, []mixing.Arc{{From: 0, To: 1, Weight: 0.5}, {From: 1, To: 2, Weight: 0.5},
		{From: 2, To: 0, Weight: 0.5}, {From: 2, To: 3, Weight: 0.25}, {From: 3, To: 2, Weight: 0.25}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := w.Spectrum(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if k, ok, err := s.Iterations(ctx, 1e-4); !errors.Is(err, context.Canceled) {
		t.Errorf("%d rounds, %v, error %v; want %v", k, ok, err, context.Canceled)
	}
	if k, ok, err := s.Iterations(t.Context(), 1e-4); k == 0 || !ok || err != nil {
		t.Errorf("%d rounds, %v, error %v", k, ok, err)
	}
}
