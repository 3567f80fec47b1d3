package jobs

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"
)

// A State is how far a job is.
type State string

// The states. Only the first two change; they are called unfinished.
const (
	Waiting   State = "waiting"
	Running   State = "running"
	Done      State = "done"      // there is a result, perhaps the best so far of work that was stopped
	Cancelled State = "cancelled" // it was stopped before there was a result
	Failed    State = "failed"
)

// A Job is what is known about a piece of work, also as programs read it.
type Job struct {
	ID      string          `json:"id"`
	Kind    string          `json:"kind"`
	Title   string          `json:"title"`
	State   State           `json:"state"`
	Stopped string          `json:"stopped,omitempty"` // what ended it early; its result is the best so far
	Error   string          `json:"error,omitempty"`
	Created time.Time       `json:"created"`
	Started *time.Time      `json:"started,omitempty"`
	Ended   *time.Time      `json:"ended,omitempty"`
	Files   []string        `json:"files,omitempty"` // results that can be fetched
	Request json.RawMessage `json:"request"`
}

// Finished reports whether nothing more will happen to the job.
func (j *Job) Finished() bool { return j.State != Waiting && j.State != Running }

// Why work was stopped: the cause of its context.
var (
	errCancelled = errors.New("cancelled")
	errTime      = errors.New("time limit")
	errShutdown  = errors.New("shutdown")
)

// What Add, Get and others complain about.
var (
	ErrUnknown = errors.New("there is no such job")
	ErrFull    = errors.New("the queue is full")
	ErrClosed  = errors.New("the server is shutting down")
)

// newID names a job. Names cannot be guessed, because a name is all one needs to read the result.
func newID() string {
	var b [12]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
