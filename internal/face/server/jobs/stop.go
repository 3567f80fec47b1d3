package jobs

import (
	"fmt"
	"slices"
	"time"
)

// Cancel stops a job. One that runs ends with the best so far; a finished one does not change.
func (q *Queue) Cancel(id string) (Job, error) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	e, ok := q.entries[id]
	switch {
	case !ok:
		return Job{}, ErrUnknown
	case e.cancel != nil:
		e.cancel(errCancelled)
	case e.State == Waiting:
		return q.giveUp(e)
	}
	return e.Job, nil
}

// giveUp ends a job that has not begun. The caller holds the mutex.
func (q *Queue) giveUp(e *entry) (Job, error) {
	asked, err := q.folder.job(e.ID)
	if err != nil {
		return Job{}, err
	}
	q.waiting = slices.DeleteFunc(q.waiting, func(other *entry) bool { return other == e })
	now := time.Now().UTC()
	e.State, e.Ended, e.Stopped = Cancelled, &now, errCancelled.Error()
	e.feed.end()
	e.feed = nil
	asked.State, asked.Started, asked.Ended, asked.Stopped = e.State, nil, e.Ended, e.Stopped
	return *asked, q.folder.write(asked)
}

// Remove deletes a finished job and its results.
func (q *Queue) Remove(id string) error {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	e, ok := q.entries[id]
	switch {
	case !ok:
		return ErrUnknown
	case !e.Finished():
		return fmt.Errorf("job %s is %s; cancel it first", id, e.State)
	}
	if err := q.folder.remove(id); err != nil {
		return err
	}
	delete(q.entries, id)
	q.order = slices.DeleteFunc(q.order, func(other *entry) bool { return other == e })
	return nil
}

// Close stops all work, keeps the best so far of what runs, and waits until that is on the disk. Jobs that wait stay
// there for the next Open, which may be in another process.
func (q *Queue) Close() {
	q.mutex.Lock()
	q.closed = true
	for _, e := range q.order {
		if e.cancel != nil {
			e.cancel(errShutdown)
		}
		if e.State == Waiting {
			e.feed.end() // for this process
		}
	}
	q.mutex.Unlock()
	q.workers.Wait()
	_ = q.lock.Close()
}
