package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/ground/grace"
)

// errInterrupted ends a command that was stopped, by Ctrl-C say, before it had its answer; errTimeUp one whose time
// ended.
var (
	errInterrupted = answerNo{errors.New("interrupted before there was an answer")}
	errTimeUp      = answerNo{errors.New("the time of --time ended before there was an answer; give it more")}
)

// stopped says what ended a context.
func stopped(ctx context.Context) error {
	if errors.Is(context.Cause(ctx), errTimeUp) {
		return errTimeUp
	}
	return errInterrupted
}

// Interruptible is a context that ends with Ctrl-C and SIGTERM. The first of them asks for an orderly end; a second one
// kills as usual.
func Interruptible(ctx context.Context) context.Context {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	return ctx
}

// await returns what work computes, or why ctx ended as soon as it does; see [grace.Await].
func await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	value, err := grace.Await(ctx, work)
	if errors.Is(err, grace.ErrGivenUp) {
		err = stopped(ctx)
	}
	return value, err
}

const (
	// patience is how long a search whose time ended, and that has shown nothing yet, may take to end: an answer is
	// wanted.
	patience = 4 * time.Second
	// impatience is the same after Ctrl-C: who presses it wants the prompt back.
	impatience = 800 * time.Millisecond
	// drawingTime is how long pictures may take after a search that was stopped.
	drawingTime = 400 * time.Millisecond
)

// finish runs a search that heeds ctx itself and hands over the best it has found. One that does not end is the
// last resort's case: it is waited for when it has shown that it found something, and given up otherwise.
func finish(ctx context.Context, found func() bool, search func() error) error {
	done := make(chan error, 1)
	go func() {
		err := search()
		// What finishes after the end has a context of its own, which ends otherwise than ctx did.
		ended := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
		if ctx.Err() != nil && (ended || errors.Is(err, sweep.ErrNoPlan) || errors.Is(err, batopo.ErrStopped)) {
			err = stopped(ctx)
		}
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	wait := impatience
	if errors.Is(stopped(ctx), errTimeUp) {
		wait = patience
	}
	for {
		select {
		case err := <-done:
			return err
		case <-time.After(wait):
			if !found() {
				return stopped(ctx)
			}
		}
	}
}

// until is a writer that fails once ctx is cancelled.
type until struct {
	ctx context.Context
	io.Writer
}

func (u until) Write(b []byte) (int, error) {
	if u.ctx.Err() != nil {
		return 0, stopped(u.ctx)
	}
	return u.Writer.Write(b)
}
