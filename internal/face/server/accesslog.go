package server

import (
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"sync"
	"time"
)

// accessLog writes a line for every request when it ends: when, who, what, the status, bytes and milliseconds. It
// leaves out queries, where a token could be.
type accessLog struct {
	mutex sync.Mutex
	out   io.Writer
}

func (l *accessLog) line(began time.Time, r *http.Request, c *counted) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	fmt.Fprintf(l.out, "%s %s %s %q %d %d %d\n", began.UTC().Format(time.RFC3339), hostOnly(r.RemoteAddr), r.Method,
		r.URL.Path, c.status, c.bytes, time.Since(began).Milliseconds())
}

// mistake, when deferred, answers for a handler that panicked, and writes down where it did.
func (l *accessLog) mistake(r *http.Request, c *counted) {
	v := recover()
	if v == nil {
		return
	}
	if v == http.ErrAbortHandler {
		panic(v) // no mistake: it is how a handler cuts the connection
	}
	l.mutex.Lock()
	fmt.Fprintf(l.out, "a mistake in the program: %s %q: %v\n%s", r.Method, r.URL.Path, v, debug.Stack())
	l.mutex.Unlock()
	if c.status != 0 {
		panic(http.ErrAbortHandler) // half an answer must not look like a whole one
	}
	writeError(c, problem(http.StatusInternalServerError, fmt.Errorf("a mistake in the program: %v", v)))
}

// counted is a ResponseWriter that knows what was sent.
type counted struct {
	http.ResponseWriter
	status, bytes int
}

func (c *counted) WriteHeader(status int) {
	if c.status == 0 {
		c.status = status
	}
	c.ResponseWriter.WriteHeader(status)
}

func (c *counted) Write(b []byte) (int, error) {
	if c.status == 0 {
		c.status = http.StatusOK
	}
	n, err := c.ResponseWriter.Write(b)
	c.bytes += n
	return n, err
}

// Unwrap lets http.ResponseController flush.
func (c *counted) Unwrap() http.ResponseWriter { return c.ResponseWriter }
