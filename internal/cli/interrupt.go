package cli

import (
	"context"
	"errors"
	"io"
)

// errInterrupted ends a command that was stopped, by Ctrl-C say, before it had its answer.
var errInterrupted = answerNo{errors.New("interrupted before there was an answer")}

// await returns what work computes, or errInterrupted as soon as ctx is cancelled. Work that is given up goes on until the
// process ends, which is about to; so it must compute only, not write.
func await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	var none T
	if ctx.Err() != nil {
		return none, errInterrupted
	}
	done := make(chan outcome, 1)
	go func() {
		value, err := work()
		done <- outcome{value, err}
	}()
	select {
	case got := <-done:
		return got.value, got.err
	case <-ctx.Done():
		return none, errInterrupted
	}
}

// until is a writer that fails once ctx is cancelled.
type until struct {
	ctx context.Context
	io.Writer
}

func (u until) Write(b []byte) (int, error) {
	if u.ctx.Err() != nil {
		return 0, errInterrupted
	}
	return u.Writer.Write(b)
}
