package batopo

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/batopo/batopo/internal/ground/grace"
)

// lastMoment is how long after the end of a context an answer is waited for. Searches return the best so far in half a
// second; some work on many nodes cannot be interrupted, and is given up.
const lastMoment = 3 * time.Second

// ErrStopped says that a context ended, and that what was being computed had no answer yet.
var ErrStopped = errors.New("stopped before there was an answer; nothing is known about what was not computed")

// A gate lets calls of a user's functions through, one at a time, until it is closed. It holds its lock during a call:
// once it is closed none is under way, so what a function writes to is the user's own again.
type gate struct {
	lock   sync.Mutex
	closed bool
}

// through is the function behind the gate; nil where there is none.
func through[T any](g *gate, call func(T)) func(T) {
	if call == nil {
		return nil
	}
	return func(v T) {
		g.lock.Lock()
		defer g.lock.Unlock()
		if !g.closed {
			call(v)
		}
	}
}

func (g *gate) close() {
	g.lock.Lock()
	defer g.lock.Unlock()
	g.closed = true
}

// inTime returns what work does, or ErrStopped soon after the end of ctx. Then o's functions are not called again.
func inTime[T any](ctx context.Context, o Options, work func(Options) (T, error)) (T, error) {
	var g gate
	defer g.close()
	o.Progress, o.Found = through(&g, o.Progress), through(&g, o.Found)
	got, err := grace.Within(ctx, lastMoment, func() (T, error) { return work(o) })
	if errors.Is(err, grace.ErrGivenUp) {
		err = ErrStopped
	}
	return got, err
}
