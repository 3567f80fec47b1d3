package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/face/server/work"
)

// Info says what a server is and what it takes.
type Info struct {
	Program    string              `json:"program"`
	Formats    []work.ImportFormat `json:"formats"`
	Nodes      int                 `json:"max_nodes"`
	Iterations int                 `json:"max_iterations"`
	Running    int                 `json:"jobs_running_at_once"`
	Waiting    int                 `json:"max_jobs_waiting"`
	Kept       int                 `json:"max_jobs_kept"`
	JobSeconds float64             `json:"max_job_seconds"`
}

func (s *Server) info(http.ResponseWriter, *http.Request) (any, error) {
	o := s.options
	return Info{design.Program(), work.ImportFormats(), o.Work.Nodes, o.Work.Iterations, o.Jobs.Running, o.Jobs.Waiting,
		o.Jobs.Kept, o.Jobs.Time.Seconds()}, nil
}

func (s *Server) openAPI(http.ResponseWriter, *http.Request) (any, error) { return description(), nil }

func (s *Server) examples(http.ResponseWriter, *http.Request) (any, error) { return work.Examples() }

// desk waits for a place to compute; the function it returns gives the place back.
func (s *Server) desk(ctx context.Context) (context.Context, func(), error) {
	ctx, cancel := context.WithTimeout(ctx, s.options.Times.Desk)
	select {
	case s.desks <- struct{}{}:
		return ctx, func() { <-s.desks; cancel() }, nil
	case <-ctx.Done():
		cancel()
		return nil, nil, problem(http.StatusServiceUnavailable, errors.New("the server is busy; try again"))
	}
}

func (s *Server) describe(_ http.ResponseWriter, r *http.Request) (any, error) {
	var request work.ClusterRequest
	if err := readRequest(r, &request); err != nil {
		return nil, err
	}
	_, leave, err := s.desk(r.Context())
	if err != nil {
		return nil, err
	}
	defer leave()
	return work.Describe(request, s.options.Work)
}

func (s *Server) importFile(_ http.ResponseWriter, r *http.Request) (any, error) {
	format, servers := r.URL.Query().Get("format"), 0
	if format == "" {
		return nil, errors.New("the query has no format; GET /api/info lists them, auto finds out")
	}
	if text := r.URL.Query().Get("servers"); text != "" {
		var err error
		if servers, err = strconv.Atoi(text); err != nil {
			return nil, fmt.Errorf("servers is %q; it must be a whole number", text)
		}
	}
	b, err := readBody(r)
	if err != nil {
		return nil, err
	}
	if len(b) == 0 {
		return nil, errors.New("the file is empty; send its content as the body of the request")
	}
	_, leave, err := s.desk(r.Context())
	if err != nil {
		return nil, err
	}
	defer leave()
	return work.Import(format, b, servers, s.options.Work)
}

// start checks a request and puts it into the queue.
func (s *Server) start(w http.ResponseWriter, r *http.Request, kind string) (any, error) {
	b, err := readBody(r)
	if err != nil {
		return nil, err
	}
	title, err := s.check(r.Context(), kind, b)
	if err != nil {
		return nil, err
	}
	j, err := s.queue.Add(kind, title, json.RawMessage(b))
	if err != nil {
		return nil, err
	}
	w.Header().Set("Location", "/api/jobs/"+j.ID)
	return j, nil
}

// check builds what a request describes, at a desk.
func (s *Server) check(ctx context.Context, kind string, request []byte) (title string, err error) {
	_, leave, err := s.desk(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	return work.Check(kind, request, s.options.Work)
}
