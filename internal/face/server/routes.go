package server

import (
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/face/server/jobs"
	"github.com/batopo/batopo/internal/face/server/work"
	"github.com/batopo/batopo/internal/ground/limits"
)

// A route is one request that the server answers. The API's description is made of the same list.
type route struct {
	method, path string
	about        string
	query        []parameter
	body         any   // an empty value of what is sent; nil for nothing, upload for any file
	most         int64 // bytes of the body
	status       int   // of success
	answer       any   // an empty value of what comes back; file or stream
	handle       func(*Server, http.ResponseWriter, *http.Request) (any, error)
}

// A parameter is part of a query.
type parameter struct{ name, about string }

// upload, file and stream stand for bodies that are no JSON.
type (
	upload struct{}
	file   struct{}
	stream struct{}
)

const planBody = 8 << 20 // requests that bring plans along

func routes() []route {
	all := []route{
		{"GET", "/api/info", "What this server is and takes", nil, nil, 0, 200, Info{}, (*Server).info},
		{"GET", "/api/openapi.json", "This description", nil, nil, 0, 200, map[string]any{}, (*Server).openAPI},
		{"GET", "/api/examples", "Clusters to begin with", nil, nil, 0, 200, []work.Example{}, (*Server).examples},
		{"POST", "/api/clusters/describe", "Check a cluster and draw it", nil, work.ClusterRequest{}, limits.ClusterBytes,
			200, work.ClusterAnswer{}, (*Server).describe},
		{"POST", "/api/clusters/import", "Make a cluster of a file that some program wrote", []parameter{
			{"format", "one of those that /api/info lists; auto finds out"},
			{"servers", "how many equal machines to put on one switch"},
		}, upload{}, work.ImportBytes, 200, work.ClusterAnswer{}, (*Server).importFile},
	}
	for _, k := range work.Kinds {
		all = append(all, route{"POST", "/api/" + k.Name, "Start a job: " + k.About, nil, k.New(), planBody,
			http.StatusAccepted, jobs.Job{}, func(s *Server, w http.ResponseWriter, r *http.Request) (any, error) {
				return s.start(w, r, k.Name)
			}})
	}
	return append(all, []route{
		{"GET", "/api/jobs", "All jobs, newest first", nil, nil, 0, 200, []jobs.Job{}, (*Server).list},
		{"GET", "/api/jobs/{id}", "One job", nil, nil, 0, 200, jobs.Job{}, (*Server).job},
		{"DELETE", "/api/jobs/{id}", "Remove a finished job and its results", nil, nil, 0, 204, nil, (*Server).remove},
		{"POST", "/api/jobs/{id}/cancel", "Stop a job; what it has found so far is kept", nil, nil, 0, 200, jobs.Job{},
			(*Server).cancel},
		{"GET", "/api/jobs/{id}/events", "Progress as server-sent events: step, improved, draft, found, test; end comes last",
			nil, nil, 0, 200, stream{}, (*Server).events},
		{"GET", "/api/jobs/{id}/files/{name}", "A result: result.json, plan.json, report.html, a drawing, …", nil, nil, 0,
			200, file{}, (*Server).file},
	}...)
}

// Handler returns all that the server answers, behind its guard.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	for _, rt := range routes() {
		mux.HandleFunc(rt.method+" "+rt.path, func(w http.ResponseWriter, r *http.Request) { s.answer(w, r, rt) })
	}
	mux.Handle("GET /", s.pages())
	log := &accessLog{out: s.options.Log}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began, c := time.Now(), &counted{ResponseWriter: w}
		defer func() { log.line(began, r, c) }()
		defer log.mistake(r, c)
		secure(c.Header())
		if err := s.guard.check(r); err != nil {
			writeError(c, err)
			return
		}
		if h, pattern := mux.Handler(r); pattern == "" {
			refuse(c, r, h)
			return
		}
		mux.ServeHTTP(c, r)
	})
}

// answer runs one route.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, rt route) {
	r.Body = http.MaxBytesReader(w, r.Body, rt.most)
	v, err := rt.handle(s, w, r)
	switch {
	case err != nil:
		writeError(w, err)
	case v != nil:
		writeJSON(w, rt.status, v)
	}
}

// refuse says that a path or a method does not exist, with the status that h would give.
func refuse(w http.ResponseWriter, r *http.Request, h http.Handler) {
	c := &counted{ResponseWriter: silent{w}}
	h.ServeHTTP(c, r)
	writeError(w, problem(c.status, noSuch(r)))
}

func noSuch(r *http.Request) error {
	return fmt.Errorf("there is no %s %s; GET /api/openapi.json lists what there is", r.Method, r.URL.Path)
}

// silent is a ResponseWriter that keeps headers only.
type silent struct{ http.ResponseWriter }

func (silent) WriteHeader(int)               {}
func (silent) Write(b []byte) (int, error)   { return len(b), nil }
func (s silent) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// readBody reads all of a body within the limit of its route.
func readBody(r *http.Request) ([]byte, error) {
	b, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, fmt.Errorf("the request could not be read: %w", err)
	}
	return b, nil
}

// readRequest reads a body as strictly as plans are read.
func readRequest(r *http.Request, into any) error {
	b, err := readBody(r)
	if err != nil {
		return err
	}
	return design.ReadStrict("request", b, into)
}
