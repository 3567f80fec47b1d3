package grace

import (
	"context"
	"errors"
	"time"

	"github.com/batopo/batopo/internal/ground/workers"
)

// ErrGivenUp is what Await returns where the context ended before the work.
var ErrGivenUp = errors.New("grace: given up before it was done")

// Await returns what work computes, or ErrGivenUp as soon as ctx ends. Linear algebra cannot be interrupted: work that
// is given up goes on in the background and its result is dropped, so it must compute only, not write. A panic of work
// is one of the caller, unless it was given up.
func Await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
		panic *workers.Panic
	}
	var none T
	if ctx.Err() != nil {
		return none, ErrGivenUp
	}
	done := make(chan outcome, 1)
	go func() {
		var got outcome
		got.panic = workers.Catch(func() { got.value, got.err = work() })
		done <- got
	}()
	select {
	case got := <-done:
		got.panic.Throw()
		return got.value, got.err
	case <-ctx.Done():
		return none, ErrGivenUp
	}
}

// Within is Await that gives up only a while after ctx has ended, so that work which heeds ctx can return what it has.
func Within[T any](ctx context.Context, while time.Duration, work func() (T, error)) (T, error) {
	late, cancel := After(ctx, while)
	defer cancel()
	return Await(late, work)
}
