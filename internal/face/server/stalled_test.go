package server_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/batopo/batopo/internal/face/server"
	"github.com/batopo/batopo/internal/face/server/jobs"
)

// pipes is a listener whose connections hold nothing: what is not read blocks who writes.
type pipes chan net.Conn

func (p pipes) dial(context.Context, string, string) (net.Conn, error) {
	here, there := net.Pipe()
	p <- there
	return here, nil
}

func (p pipes) Accept() (net.Conn, error) {
	if c, open := <-p; open {
		return c, nil
	}
	return nil, net.ErrClosed
}

func (p pipes) Close() error   { close(p); return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{} }

// A client that asks for a stream and does not read it loses its place to one that does.
func TestStalledReaderKeepsNoPlace(t *testing.T) {
	o := options(t)
	o.Streams, o.Times.Answer = 1, 100*time.Millisecond
	s, err := server.New(o)
	if err != nil {
		t.Fatal(err)
	}
	l := make(pipes, 8)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	asked := httptest.NewRecorder()
	s.Handler().ServeHTTP(asked, httptest.NewRequest("POST", "http://localhost/api/plan", strings.NewReader(long)))
	job := decode[jobs.Job](t, asked.Body.Bytes())

	stalled, _ := l.dial(ctx, "", "")
	fmt.Fprintf(stalled, "GET /api/jobs/%s/events HTTP/1.1\r\nHost: localhost\r\n\r\n", job.ID)
	if _, err := io.ReadFull(stalled, make([]byte, len("HTTP/1.1 200 OK"))); err != nil { // it has the place now
		t.Fatal(err)
	}
	client := http.Client{Transport: &http.Transport{DialContext: l.dial, DisableKeepAlives: true}}
	for status := 0; status != http.StatusOK; {
		a, err := client.Get("http://localhost/api/jobs/" + job.ID + "/events")
		if err != nil {
			continue // a slow machine did not answer in time
		}
		status = a.StatusCode
		a.Body.Close()
	}
	stalled.Close()
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
