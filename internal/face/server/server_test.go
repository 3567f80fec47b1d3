package server_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/batopo/batopo/internal/face/server"
	"github.com/batopo/batopo/internal/face/server/jobs"
)

// small is a search that takes a moment.
const small = `{"cluster":{"format":"batopo.cluster/v1","nodes":6,"bandwidth":9.76},"evaluations":200}`

// long is one that would take minutes; tests stop it.
const long = `{"cluster":{"format":"batopo.cluster/v1","nodes":40,"bandwidth":9.76},"evaluations":100000000}`

// options are those of a test, with an empty folder. Machines that test are slow.
func options(t *testing.T) server.Options {
	o := server.DefaultOptions()
	o.Times = server.Times{Header: patience, Request: patience, Answer: patience, Idle: patience, Desk: patience, Closing: patience}
	o.Work.Drawing = patience
	o.Data = t.TempDir()
	return o
}

// begin starts a server and returns its address.
func begin(t *testing.T, o server.Options) string {
	t.Helper()
	s, err := server.New(o)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		s.Close()
		web.Close()
	})
	return web.URL
}

// call sends a request and returns the status and the body.
func call(t *testing.T, method, url, body string, header ...string) (int, []byte) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for k := 0; k < len(header); k += 2 {
		if r.Header.Set(header[k], header[k+1]); header[k] == "Host" {
			r.Host = header[k+1]
		}
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	b, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a.StatusCode, b
}

func decode[T any](t *testing.T, b []byte) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatalf("%v in %s", err, b)
	}
	return v
}

// start begins a job.
func start(t *testing.T, at, kind, body string) jobs.Job {
	t.Helper()
	status, b := call(t, "POST", at+"/api/"+kind, body)
	if status != http.StatusAccepted {
		t.Fatalf("%s: status %d: %s", kind, status, b)
	}
	return decode[jobs.Job](t, b)
}

// finish waits for the end of a job through its stream of events.
func finish(t *testing.T, at string, j jobs.Job) (jobs.Job, string) {
	t.Helper()
	client := http.Client{Timeout: 20 * time.Minute}
	a, err := client.Get(at + "/api/jobs/" + j.ID + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	b, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	_, end, found := bytes.Cut(b, []byte("event: end\ndata: "))
	if !found {
		t.Fatalf("the stream has no end: %s", b)
	}
	return decode[jobs.Job](t, end), string(b)
}

func result[T any](t *testing.T, at string, j jobs.Job) T {
	t.Helper()
	status, b := call(t, "GET", at+"/api/jobs/"+j.ID+"/files/result.json", "")
	if status != http.StatusOK {
		t.Fatalf("status %d: %s; the job is %+v", status, b, j)
	}
	return decode[T](t, b)
}
