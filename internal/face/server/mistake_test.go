package server

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A handler that panics, here for want of a queue, is answered and written down, and the server goes on.
func TestMistakeOfAHandlerIsAnswered(t *testing.T) {
	var log bytes.Buffer
	o := DefaultOptions()
	o.Log = &log
	h := (&Server{options: o, guard: newGuard("", nil)}).Handler()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost/api/jobs", nil))
	var answer ErrorAnswer
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || w.Code != http.StatusInternalServerError ||
		!strings.HasPrefix(answer.Error, "a mistake in the program: ") {
		t.Errorf("status %d, %q", w.Code, w.Body)
	}
	for _, part := range []string{"jobs.(*Queue).List", `GET "/api/jobs" 500`} {
		if !strings.Contains(log.String(), part) {
			t.Errorf("no %q in the log\n%s", part, log.String())
		}
	}
}
