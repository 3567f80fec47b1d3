package grace_test

import (
	"context"
	"errors"
	"testing"

	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/internal/ground/workers"
)

// Work that does not end is given up when the context is cancelled; work that ends hands over its result and error.
func TestAwaitGivesUpWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	begun, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	go func() {
		<-begun
		cancel()
	}()
	_, err := grace.Await(ctx, func() (int, error) {
		close(begun)
		<-release
		return 7, nil
	})
	if !errors.Is(err, grace.ErrGivenUp) {
		t.Errorf("endless work: %v, want %v", err, grace.ErrGivenUp)
	}
	failed := errors.New("failed")
	got, err := grace.Await(t.Context(), func() (int, error) { return 7, failed })
	if got != 7 || err != failed {
		t.Errorf("work that ends: %d and %v, want 7 and its own error", got, err)
	}
}

// A panic of work reaches the goroutine that waits for it.
func TestAwaitPanicsAsItsWorkDoes(t *testing.T) {
	p := workers.Catch(func() {
		_, _ = grace.Await(t.Context(), func() (int, error) { panic("a blunder") })
	})
	if p == nil || p.Value != "a blunder" {
		t.Errorf("the panic is %v", p)
	}
}
