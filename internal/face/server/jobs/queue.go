package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/batopo/batopo/internal/ground/outfile"
)

// Limits say how much a queue takes on.
type Limits struct {
	Running int           // at the same time
	Waiting int           // besides those that run
	Kept    int           // in all, finished ones included
	Time    time.Duration // of one job; it then ends with the best so far
}

// A Work does what a job asks for. When ctx ends it returns the best so far; without files there is no result.
type Work func(ctx context.Context, kind string, request json.RawMessage, feed *Feed) ([]outfile.File, error)

// A Queue runs jobs in the order in which they came.
type Queue struct {
	limits  Limits
	work    Work
	folder  folder
	lock    *os.File // held until Close
	mutex   sync.Mutex
	entries map[string]*entry
	order   []*entry // as they came
	waiting []*entry
	running int
	closed  bool
	workers sync.WaitGroup
}

// An entry is a job in memory, without what it was asked. Once it has ended, what it reported is on the disk alone too.
type entry struct {
	Job
	feed   *Feed                   // nil when it has ended
	cancel context.CancelCauseFunc // nil unless it runs
}

// Open reads the jobs in a folder and begins again with those that had not ended. The folder belongs to the
// queue until Close.
func Open(path string, l Limits, work Work) (*Queue, error) {
	q := &Queue{limits: l, work: work, folder: folder{path}, entries: map[string]*entry{}}
	var err error
	if q.lock, err = q.folder.claim(); err != nil {
		return nil, err
	}
	all, err := q.folder.read()
	if err != nil {
		_ = q.lock.Close()
		return nil, err
	}
	q.mutex.Lock()
	defer q.mutex.Unlock()
	for _, j := range all {
		e := q.list(*j)
		if !j.Finished() {
			e.State, e.Started, e.feed = Waiting, nil, newFeed()
			q.waiting = append(q.waiting, e)
		}
	}
	q.next()
	return q, nil
}

func (q *Queue) list(j Job) *entry {
	e := &entry{Job: j}
	q.entries[j.ID] = e
	q.order = append(q.order, e)
	return e
}

// Add accepts a job, or says why not.
func (q *Queue) Add(kind, title string, request json.RawMessage) (Job, error) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	switch {
	case q.closed:
		return Job{}, ErrClosed
	case len(q.waiting) >= q.limits.Waiting:
		return Job{}, fmt.Errorf("%w: %d jobs are waiting already; try again when some have ended, or cancel some",
			ErrFull, len(q.waiting))
	case len(q.order) >= q.limits.Kept:
		return Job{}, fmt.Errorf("%w: %d jobs are kept, which is the most; remove some", ErrFull, len(q.order))
	}
	j := Job{ID: newID(), Kind: kind, Title: title, State: Waiting, Created: time.Now().UTC(), Request: request}
	if err := q.folder.add(&j); err != nil {
		return Job{}, err
	}
	asked := j
	j.Request = nil
	e := q.list(j)
	e.feed = newFeed()
	q.waiting = append(q.waiting, e)
	q.next()
	asked.State, asked.Started = e.State, e.Started
	return asked, nil
}

// next starts jobs while there is room. The caller holds the mutex.
func (q *Queue) next() {
	for !q.closed && q.running < q.limits.Running && len(q.waiting) > 0 {
		e := q.waiting[0]
		q.waiting = q.waiting[1:]
		now := time.Now().UTC()
		e.State, e.Started = Running, &now
		ctx, cancel := context.WithCancelCause(context.Background())
		e.cancel = cancel
		q.running++
		q.workers.Go(func() { q.run(ctx, e) })
	}
}

// run does the work of one job and keeps its result.
func (q *Queue) run(ctx context.Context, e *entry) {
	limited, release := context.WithTimeoutCause(ctx, q.limits.Time, errTime)
	feed := e.feed // only Cancel of a waiting job and the end of this function take it away
	feed.Latest("state", Running)
	asked, err := q.folder.job(e.ID)
	var files []outfile.File
	if err == nil {
		files, err = q.attempt(limited, e.Kind, asked.Request, feed)
	}
	cause := context.Cause(limited)
	release()
	q.mutex.Lock()
	ended := e.Job
	q.mutex.Unlock()
	if cause == errShutdown && len(files) == 0 {
		ended.State = Waiting // the next start of the program begins again
	} else {
		ended = outcome(ended, cause, len(files) > 0, err)
		if asked != nil {
			ended.Request = asked.Request
		}
		events, _, _ := feed.Since(0)
		if written := q.folder.finish(&ended, files, events); written != nil {
			ended.State, ended.Error, ended.Files = Failed, written.Error(), nil
		}
		ended.Request = nil
	}
	q.mutex.Lock()
	e.Job, e.cancel = ended, nil
	if ended.Finished() {
		e.feed = nil
	}
	q.running--
	q.next()
	q.mutex.Unlock()
	feed.end()
}

// attempt does the work; a mistake in it costs this job, not the others.
func (q *Queue) attempt(
	ctx context.Context, kind string, request json.RawMessage, feed *Feed,
) (files []outfile.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			files, err = nil, fmt.Errorf("a mistake in the program: %v\n%s", r, debug.Stack())
		}
	}()
	return q.work(ctx, kind, request, feed)
}

// outcome says how a job ended.
func outcome(j Job, cause error, result bool, err error) Job {
	now := time.Now().UTC()
	j.Ended = &now
	if cause != nil {
		j.Stopped = cause.Error()
	}
	switch {
	case result:
		j.State = Done
	case cause == errCancelled:
		j.State = Cancelled
	default:
		j.State = Failed
	}
	if err != nil {
		j.Error = err.Error()
	}
	return j
}

// state returns what is in memory of a job.
func (q *Queue) state(id string) (Job, *Feed, error) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	e, ok := q.entries[id]
	if !ok {
		return Job{}, nil, ErrUnknown
	}
	return e.Job, e.feed, nil
}

// Get returns a job and what it was asked.
func (q *Queue) Get(id string) (Job, error) {
	j, _, err := q.state(id)
	if err != nil {
		return Job{}, err
	}
	kept, err := q.folder.job(id)
	if errors.Is(err, fs.ErrNotExist) {
		return Job{}, ErrUnknown // it has just been removed
	}
	if err != nil {
		return Job{}, err
	}
	j.Request = kept.Request
	return j, nil
}

// Feed returns what a job reports, or has reported.
func (q *Queue) Feed(id string) (*Feed, error) {
	_, feed, err := q.state(id)
	if err != nil || feed != nil {
		return feed, err
	}
	events, err := q.folder.events(id)
	return pastFeed(events), err
}

// List returns all jobs, newest first, without what they were asked.
func (q *Queue) List() []Job {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	out := make([]Job, 0, len(q.order))
	for _, e := range slices.Backward(q.order) {
		out = append(out, e.Job)
	}
	return out
}

// Open opens a result of a job.
func (q *Queue) Open(id, name string) (*os.File, error) {
	j, _, err := q.state(id)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(j.Files, name) {
		return nil, fmt.Errorf("%w: job %s is %s and has no %s", os.ErrNotExist, id, j.State, name)
	}
	return q.folder.open(id, name)
}
