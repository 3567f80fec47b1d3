package batopo

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/grace"
)

// lastMoment is how long after the end of a context an answer is waited for. Searches return the best so far in half a
// second; some work on many nodes cannot be interrupted, and is given up.
const lastMoment = 3 * time.Second

// ErrStopped says that a context ended, and that what was being computed had no answer yet.
var ErrStopped = errors.New("stopped before there was an answer; nothing is known about what was not computed")

// inTime returns what work does, or ErrStopped soon after the end of ctx. Then o's functions are not called again.
func inTime[T any](ctx context.Context, o Options, work func(Options) (T, error)) (T, error) {
	var gate sync.Mutex
	closed := false
	if progress := o.Progress; progress != nil {
		o.Progress = func(p design.Progress) {
			gate.Lock()
			defer gate.Unlock()
			if !closed {
				progress(p)
			}
		}
	}
	if found := o.Found; found != nil {
		o.Found = func(p *Plan) {
			gate.Lock()
			defer gate.Unlock()
			if !closed {
				found(p)
			}
		}
	}
	got, err := grace.Within(ctx, lastMoment, func() (T, error) { return work(o) })
	gate.Lock()
	defer gate.Unlock()
	closed = true
	if errors.Is(err, grace.ErrGivenUp) {
		err = ErrStopped
	}
	return got, err
}
