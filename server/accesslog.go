package server

import (
	"fmt"
	"io"
	"net/http"
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
