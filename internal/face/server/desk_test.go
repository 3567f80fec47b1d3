package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// Requests that compute wait for a desk before they build anything, those that only ask for a job included.
func TestNothingIsBuiltWithoutADesk(t *testing.T) {
	o := DefaultOptions()
	o.Data, o.Times.Desk = t.TempDir(), time.Millisecond
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for range mostDesks {
		s.desks <- struct{}{}
	}
	h := s.Handler()
	const body = `{"cluster":{"format":"batopo.cluster/v1","nodes":4,"bandwidth":1}}`
	for _, path := range []string{"plan", "optimize", "compare", "simulate", "train", "clusters/describe",
		"clusters/import?format=batopo"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "http://localhost/api/"+path, strings.NewReader(body)))
		if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "busy") {
			t.Errorf("%s: status %d, %s; want it to wait", path, w.Code, w.Body)
		}
	}
}
