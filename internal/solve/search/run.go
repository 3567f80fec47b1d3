package search

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/internal/ground/workers"
)

// Settings say how much to search. The zero value asks for a deterministic search of some seconds.
type Settings struct {
	Seed        uint64
	Evaluations int // 0 means DefaultEvaluations
	// Workers is how many tasks run at the same time; 0: as many as there are cores. The result does not depend on it.
	Workers int

	// Shorter asks for shorter searches before the one with these evaluations, and the best of all: see series.
	Shorter bool

	// Starts are graphs to go on from, beside random ones.
	Starts []Start

	// Memory, if not nil, is what searches before this one left, and is added to.
	Memory *Memory

	// Goal ends the search after the round that reaches it, such as a proved bound; 0 means never.
	Goal float64

	// Progress, if not nil, is called from the working goroutines, one at a time; it must not block.
	Progress func(design.Progress)
}

// reached reports whether a value found during a search meets the goal.
func (s Settings) reached(value float64) bool { return value <= s.Goal+coarse/10 }

// ErrNothing says that a search met no connected graph within its limits.
var ErrNothing = errors.New("search: no connected graph within the limits was met; " +
	"allow more evaluations or looser limits")

// Run searches until the evaluations are spent or ctx is cancelled and returns the best
// candidate, polished. Small problems are settled by [Exhaust] instead. A search that was cancelled
// before it met any graph returns one that takes no search, or where there is none at hand the error of ctx.
func Run(ctx context.Context, p Problem, s Settings) (*Solution, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	ctx, release := grace.With(ctx)
	defer release()
	if p.Symmetry == AnySymmetry && p.enumerable() {
		return Exhaust(ctx, p, s.Progress)
	}
	portfolio, err := newPortfolio(ctx, p, s.Seed, s.Evaluations, s.Memory)
	if err != nil {
		return nil, err
	}
	portfolio.starts = s.Starts
	if s.Shorter {
		return portfolio.series(ctx, s)
	}
	return portfolio.run(ctx, s, newBoard(s.Progress, portfolio.total))
}

// run performs all rounds.
func (p *Portfolio) run(ctx context.Context, s Settings, b *board) (*Solution, error) {
	if err := ctx.Err(); err != nil && p.problem.Nodes <= mostFree {
		return nil, err // nothing was lost
	}
	for ctx.Err() == nil {
		tasks := p.Next()
		if tasks == nil {
			break
		}
		results, err := b.run(ctx, tasks, s.Workers)
		if err != nil {
			return nil, err
		}
		p.Merge(results)
		if c := p.Best(); c != nil && s.reached(c.Value(p.problem)) {
			break
		}
	}
	best := p.Best()
	if best == nil && ctx.Err() != nil {
		best = p.first(ctx)
	}
	if best == nil {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return nil, ErrNothing
	}
	if ctx.Err() != nil {
		best.Stop = design.Interrupted
	}
	// Polishing is short: a cancelled search still deserves its best weights and their proof.
	return Polish(grace.Late(ctx), p.problem, best)
}

// A board collects what the workers report.
type board struct {
	mu       sync.Mutex
	progress func(design.Progress)
	started  time.Time
	total    int
	spent    int // by tasks that have ended
	running  map[int]int
	latest   design.Progress
}

func newBoard(progress func(design.Progress), total int) *board {
	return &board{total: total, progress: progress, started: time.Now()}
}

// run runs the tasks of one round, up to limit of them at a time, or one for each processor where that is 0. They begin
// in order, and results are stored by place.
func (b *board) run(ctx context.Context, tasks []Task, limit int) ([]*Solution, error) {
	results, errs := make([]*Solution, len(tasks)), make([]error, len(tasks))
	workers.Each(limit, len(tasks), func(i int) {
		if ctx.Err() != nil {
			return // those that are at work finish; it is too late to begin
		}
		t := tasks[i]
		t.workers = max(1, workers.Count(limit)/len(tasks)) // what fewer tasks than processors leave idle
		results[i], errs[i] = t.Run(ctx, b.listen(i))
		b.end(i, t, results[i])
	})
	err := errors.Join(errs...)
	if ctx.Err() != nil {
		err = nil // what has been found counts, not that the rest was cut off
	}
	return results, err
}

// listen returns what task i calls with its progress.
func (b *board) listen(i int) func(design.Progress) {
	if b.progress == nil {
		return nil
	}
	return func(p design.Progress) {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.running == nil {
			b.running = map[int]int{}
		}
		b.running[i] = p.Done
		b.tell(p)
	}
}

// tell passes on what is known, with what a task reports. The caller holds the mutex, so that who listens hears of one
// state at a time, and never of an older one after a newer.
func (b *board) tell(p design.Progress) {
	if p.Feasible && (!b.latest.Feasible || p.Best < b.latest.Best) {
		b.latest.Feasible, b.latest.Best, b.latest.Graph, b.latest.Weights = true, p.Best, p.Graph, p.Weights
	}
	b.latest.Phase, b.latest.Total, b.latest.Done = design.Searching, b.total, b.spent
	for _, n := range b.running {
		b.latest.Done += n
	}
	b.latest.Elapsed = time.Since(b.started)
	b.progress(b.latest)
}

// end counts a task that has ended and reports what came of it: short ones report nothing on the way.
func (b *board) end(i int, t Task, c *Solution) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.running, i)
	b.spent += t.Evaluations
	if b.progress != nil && c != nil && !t.foreign {
		b.tell(design.Progress{Feasible: true, Best: c.Value(t.problem), Graph: c.Graph, Weights: c.Weights})
	}
}
