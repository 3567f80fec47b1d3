package server

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"github.com/batopo/batopo/internal/face/server/jobs"
	"github.com/batopo/batopo/internal/face/server/work"
)

// Options say what a server accepts, and from which hosts.
type Options struct {
	Data    string   // folder of the results
	Token   string   // that every request must bring; "" asks for none
	Hosts   []string // names it may be called by, besides those of this machine's loopback
	Jobs    jobs.Limits
	Work    work.Limits
	Streams int       // feeds of progress at the same time
	Log     io.Writer // a line for every request
	Times   Times
}

// Times are what the server waits for at most.
type Times struct {
	Header  time.Duration // of a request to arrive
	Request time.Duration // to arrive as a whole
	Answer  time.Duration // to be read as a whole; of a stream, each part
	Idle    time.Duration // between requests of one connection
	Desk    time.Duration // for a request to compute outside the queue
	Closing time.Duration // for answers to be sent when the server ends; later ones are cut off
}

// DefaultOptions are those of a server for oneself.
func DefaultOptions() Options {
	return Options{
		Jobs:    jobs.Limits{Running: 1, Waiting: 32, Kept: 1000, Time: 10 * time.Minute},
		Work:    work.Limits{Nodes: 256, Evaluations: 100_000_000, Iterations: 5000, Drawing: 2 * time.Second},
		Streams: 200, Log: io.Discard,
		Times: Times{Header: 10 * time.Second, Request: 2 * time.Minute, Answer: 10 * time.Minute, Idle: 5 * time.Minute,
			Desk: 30 * time.Second, Closing: 10 * time.Second},
	}
}

// A Server answers requests.
type Server struct {
	options Options
	queue   *jobs.Queue
	guard   guard
	streams chan struct{} // as many as may run at the same time
	desks   chan struct{} // requests that compute themselves, likewise
	done    chan struct{} // closed when the server ends
}

// mostDesks is how many requests may compute at the same time outside the queue.
const mostDesks = 4

// New opens the folder of results and begins with what was left undone there.
func New(o Options) (*Server, error) {
	if err := CheckToken(o.Token); err != nil {
		return nil, err
	}
	queue, err := jobs.Open(filepath.Join(o.Data, "jobs"), o.Jobs, o.Work.Run)
	if err != nil {
		return nil, err
	}
	return &Server{
		options: o, queue: queue, guard: newGuard(o.Token, o.Hosts), streams: make(chan struct{}, o.Streams),
		desks: make(chan struct{}, mostDesks), done: make(chan struct{}),
	}, nil
}

// Serve answers requests until ctx ends, then keeps the best so far of all running jobs.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	wait := s.options.Times
	web := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: wait.Header, ReadTimeout: wait.Request,
		WriteTimeout: wait.Answer, IdleTimeout: wait.Idle, MaxHeaderBytes: 64 << 10}
	failed := make(chan error, 1)
	go func() { failed <- web.Serve(l) }()
	var err error
	select {
	case err = <-failed:
	case <-ctx.Done():
	}
	s.Close()
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), wait.Closing)
	defer cancel()
	if web.Shutdown(late) != nil {
		_ = web.Close() // somebody sends or reads too slowly; the jobs are on the disk
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Close ends all jobs, and keeps the best so far of those that run.
func (s *Server) Close() {
	s.queue.Close()
	close(s.done) // after the last events of the feeds
}
