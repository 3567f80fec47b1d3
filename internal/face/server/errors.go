package server

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"strings"

	"github.com/batopo/batopo/internal/face/server/jobs"
	"github.com/batopo/batopo/internal/show/present"
)

// An ErrorAnswer is the body of every answer that is no success.
type ErrorAnswer struct {
	Error string `json:"error"` // what is wrong, where, and what would be right
}

// A problemError is an error with its status.
type problemError struct {
	status int
	error
}

func problem(status int, err error) error { return problemError{status, err} }

func (p problemError) Unwrap() error { return p.error }

// statusOf says whose fault an error is. What is not known otherwise is the request's.
func statusOf(err error) int {
	var p problemError
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &p):
		return p.status
	case errors.As(err, &large):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, jobs.ErrUnknown), errors.Is(err, fs.ErrNotExist):
		return http.StatusNotFound
	case errors.Is(err, jobs.ErrFull):
		return http.StatusTooManyRequests
	case errors.Is(err, jobs.ErrClosed), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return http.StatusServiceUnavailable
	}
	return http.StatusBadRequest
}

func writeError(w http.ResponseWriter, err error) {
	status := statusOf(err)
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
	}
	writeJSON(w, status, ErrorAnswer{strings.ToValidUTF8(present.Reason(err), "�")})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		status, body = http.StatusInternalServerError, []byte(`{"error": "the answer cannot be written as JSON"}`)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(append(body, '\n')) // who went away needs no answer
}
