package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"path/filepath"
	"strconv"
	"time"

	"github.com/batopo/batopo/internal/face/server/jobs"
)

func (s *Server) list(http.ResponseWriter, *http.Request) (any, error) { return s.queue.List(), nil }

func (s *Server) job(_ http.ResponseWriter, r *http.Request) (any, error) {
	return s.queue.Get(r.PathValue("id"))
}

func (s *Server) cancel(_ http.ResponseWriter, r *http.Request) (any, error) {
	return s.queue.Cancel(r.PathValue("id"))
}

func (s *Server) remove(w http.ResponseWriter, r *http.Request) (any, error) {
	err := s.queue.Remove(r.PathValue("id"))
	if err != nil && !errors.Is(err, jobs.ErrUnknown) {
		return nil, problem(http.StatusConflict, err)
	}
	if err == nil {
		w.WriteHeader(http.StatusNoContent)
	}
	return nil, err
}

// file sends a result. It may hold text that users wrote, so it gets no right to run anything.
func (s *Server) file(w http.ResponseWriter, r *http.Request) (any, error) {
	name := r.PathValue("name")
	f, err := s.queue.Open(r.PathValue("id"), name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	kind := mime.TypeByExtension(filepath.Ext(name))
	if kind == "" || filepath.Ext(name) == ".py" {
		kind = "text/plain; charset=utf-8"
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Security-Policy", filePolicy)
	w.Header().Set("Cache-Control", "private, max-age=3600") // results do not change
	http.ServeContent(w, r, "", time.Time{}, f)
	return nil, nil
}

const (
	pace      = 100 * time.Millisecond // between parts of a stream: a page draws no faster
	heartbeat = 15 * time.Second       // so that nobody on the way takes a quiet stream for a dead one
)

// events streams what a job reports until it ends. A page that lost the connection gets what it missed.
func (s *Server) events(w http.ResponseWriter, r *http.Request) (any, error) {
	feed, err := s.queue.Feed(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	select {
	case s.streams <- struct{}{}:
		defer func() { <-s.streams }()
	default:
		return nil, problem(http.StatusServiceUnavailable,
			fmt.Errorf("%d pages are watching already, which is the most", cap(s.streams)))
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	seen, _ := strconv.Atoi(r.Header.Get("Last-Event-ID"))
	if s.follow(w, r, feed, seen) {
		if j, err := s.queue.Get(r.PathValue("id")); err == nil {
			data, _ := json.Marshal(j) // of strings and times
			send(w, jobs.Event{Number: seen, Name: "end", Data: data})
		}
	}
	return nil, nil
}

// follow sends events as they come, and reports whether the feed has ended.
func (s *Server) follow(w http.ResponseWriter, r *http.Request, feed *jobs.Feed, seen int) (ended bool) {
	flush := http.NewResponseController(w)
	_ = flush.SetReadDeadline(time.Time{}) // which is for requests; a stream lasts as long as the job
	for {
		_ = flush.SetWriteDeadline(time.Now().Add(s.options.Times.Answer)) // who stopped reading keeps no place
		events, more, ended := feed.Since(seen)
		for _, e := range events {
			send(w, e)
			seen = e.Number
		}
		if ended {
			return true
		}
		if len(events) == 0 {
			fmt.Fprint(w, ": waiting\n\n")
		}
		if flush.Flush() != nil {
			return false
		}
		select {
		case <-r.Context().Done():
			return false
		case <-s.done:
			return true
		case <-time.After(heartbeat):
			continue
		case <-more:
		}
		time.Sleep(pace)
	}
}

func send(w http.ResponseWriter, e jobs.Event) {
	fmt.Fprintf(w, "id: %d\nevent: %s\ndata: %s\n\n", e.Number, e.Name, e.Data)
}
