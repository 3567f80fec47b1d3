package server_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/batopo/batopo/internal/face/server"
	"github.com/batopo/batopo/internal/face/server/jobs"
)

const spec = `{"format":"batopo.cluster/v1","nodes":6,"bandwidth":9.76}`

// vast is too large, and what else is wrong with it would be found only by building it.
const vast = `{"format":"batopo.cluster/v2","nodes":5000,"links":[{"between":["a","b"],"gb_s":1}]}`

// The answer to every bad request is a status of the right kind and a sentence that helps.
func TestBadRequestsAreExplained(t *testing.T) {
	o := options(t)
	o.Work.Nodes, o.Work.Evaluations, o.Work.Iterations = 16, 1000, 100
	at := begin(t, o)
	done, _ := finish(t, at, start(t, at, "plan", small))
	huge := `{"cluster":"` + strings.Repeat("x", 9<<20) + `"}`
	job := "/api/jobs/" + done.ID
	for _, tc := range []struct {
		method, path, body string
		status             int
		says               string
	}{
		{"POST", "/api/plan", "", 400, "unexpected end of JSON"},
		{"POST", "/api/plan", "[]", 400, "a JSON object is needed"},
		{"POST", "/api/plan", `{"cluster":` + spec + `} x`, 400, "one JSON object is needed"},
		{"POST", "/api/plan", `{"cluster":` + spec + `,"max_edge":3}`, 400, `unknown field "max_edge"`},
		{"POST", "/api/plan", `{"cluster":` + spec + `,"Seed":3}`, 400, `it is spelled "seed"`},
		{"POST", "/api/plan", `{"cluster":` + spec + `,"seed":1,"seed":2}`, 400, "given twice"},
		{"POST", "/api/plan", `{"cluster":` + spec + `,"seed":-1}`, 400, "whole number"},
		{"POST", "/api/plan", `{"cluster":` + spec + `,"seed":"a"}`, 400, "whole number"},
		{"POST", "/api/plan", `{}`, 400, "cluster"},
		{"POST", "/api/plan", `{"cluster":{"format":"batopo.cluster/v1","nodes":17,"bandwidth":1}}`, 400, "takes up to 16"},
		{"POST", "/api/plan", `{"cluster":{"format":"batopo.cluster/v1","nodes":4,"bandwidth":-1}}`, 400, "bandwidth"},
		{"POST", "/api/plan", `{"cluster":` + spec + `,"evaluations":2000}`, 400, "this server allows 1000"},
		{"POST", "/api/plan", `{"cluster":` + spec + `,"purpose":"fun"}`, 400, "fun"},
		{"POST", "/api/plan", `{"cluster":` + spec + `,"method":"luck"}`, 400, "known are auto"},
		{"GET", "/api/plan", "", 404, "there is no GET /api/plan; GET /api/openapi.json lists what there is"},
		{"POST", "/api/plan", `{"cluster":` + spec + `,"max_edges":-1}`, 400, "must not be negative"},
		{"POST", "/api/plan", `{"cluster":` + vast + `}`, 400, "5000 nodes; this server takes up to 16"},
		{"POST", "/api/optimize", `{"cluster":` + vast + `,"max_edges":9000}`, 400, "takes up to 16"},
		{"POST", "/api/compare", `{"cluster":` + vast + `}`, 400, "takes up to 16"},
		{"POST", "/api/train", `{"cluster":` + vast + `,"baselines":["ring"]}`, 400, "takes up to 16"},
		{"POST", "/api/simulate", `{"plans":[{"name":"a","plan":{"question":{"cluster":` + vast + `}}}]}`, 400, "up to 16"},
		{"POST", "/api/clusters/describe", `{"cluster":` + vast + `}`, 400, "takes up to 16"},
		{"POST", "/api/clusters/import?format=batopo", vast, 400, "takes up to 16"},
		{"POST", "/api/clusters/import?format=auto", strings.Repeat("1"+strings.Repeat(",1", 16)+"\n", 17), 400,
			"17 nodes; this server takes up to 16"},
		{"POST", "/api/plan", huge, 413, "too large"},
		{"POST", "/api/optimize", `{"cluster":` + spec + `}`, 400, "max_edges is missing"},
		{"POST", "/api/optimize", `{"cluster":` + spec + `,"max_edges":2}`, 400, "edges"},
		{"POST", "/api/optimize", huge, 413, "too large"},
		{"POST", "/api/compare", `{"cluster":` + spec + `,"plans":[{"name":"a","plan":{}}]}`, 400, "a"},
		{"POST", "/api/compare", `{"cluster":` + spec + `,"plan":[]}`, 400, `unknown field "plan"`},
		{"POST", "/api/compare", huge, 413, "too large"},
		{"POST", "/api/simulate", `{"plans":[]}`, 400, "give at least one plan"},
		{"POST", "/api/simulate", `{"plans":[{"plan":{}}]}`, 400, "has no name"},
		{"POST", "/api/simulate", `{"plans":[],"trials":1000000}`, 400, "trials"},
		{"POST", "/api/simulate", `{"max_rounds":20000,"plans":[` + strings.Repeat(`{},`, 10) + `{}]}`, 400,
			"or max_rounds up to 18181"},
		{"POST", "/api/simulate", huge, 413, "too large"},
		{"POST", "/api/train", `{"cluster":` + spec + `}`, 400, "give plans or baselines"},
		{"POST", "/api/train", `{"cluster":` + spec + `,"baselines":["ring"],"iterations":200}`, 400, "allows 100"},
		{"POST", "/api/train", `{"cluster":` + spec + `,"baselines":["ring"],"target":2}`, 400, "accuracy"},
		{"POST", "/api/train", `{"cluster":` + spec + `,"baselines":["ring"],"skew":-1}`, 400, "skew"},
		{"POST", "/api/train", huge, 413, "too large"},
		{"POST", "/api/clusters/describe", `{"cluster":{}}`, 400, "give exactly one of bandwidth"},
		{"POST", "/api/clusters/describe", `{"cluster":` + spec + `,"x":1}`, 400, `unknown field "x"`},
		{"POST", "/api/clusters/describe", huge, 413, "too large"},
		{"POST", "/api/clusters/import", "x", 400, "no format"},
		{"POST", "/api/clusters/import?format=tarot", "x", 400, "tarot"},
		{"POST", "/api/clusters/import?format=auto", "what?", 400, "none of the formats"},
		{"POST", "/api/clusters/import?format=nccl", "<system", 400, ""},
		{"POST", "/api/clusters/import?format=batopo", "nodes: [", 400, "upload"},
		{"POST", "/api/clusters/import?format=batopo&servers=2", spec, 400, "is not repeated"},
		{"POST", "/api/clusters/import?format=auto&servers=2", spec, 400, "is not repeated"},
		{"POST", "/api/clusters/import?format=csv&servers=x", "1", 400, "whole number"},
		{"POST", "/api/clusters/import?format=csv&servers=-1", "1", 400, "servers is -1"},
		{"POST", "/api/clusters/import?format=csv", "", 400, "empty"},
		{"POST", "/api/clusters/import?format=csv", strings.Repeat("1", 17<<20), 413, "too large"},
		{"GET", "/api/jobs/none", "", 404, "no such job"},
		{"GET", "/api/jobs/none/events", "", 404, "no such job"},
		{"GET", "/api/jobs/none/files/plan.json", "", 404, "no such job"},
		{"POST", "/api/jobs/none/cancel", "", 404, "no such job"},
		{"DELETE", "/api/jobs/none", "", 404, "no such job"},
		{"GET", job + "/files/job.json", "", 404, "has no job.json"},
		{"GET", job + "/files/..%2f..%2fsecret", "", 404, "has no"},
		{"PUT", "/api/plan", "", 405, "there is no PUT /api/plan"},
		{"GET", "/nothing.html", "", 404, "there is no GET /nothing.html"},
		{"GET", "/api/nothing", "", 404, "there is no GET /api/nothing"},
	} {
		status, b := call(t, tc.method, at+tc.path, tc.body)
		if status != tc.status || !strings.Contains(decode[server.ErrorAnswer](t, b).Error, tc.says) {
			t.Errorf("%s %s %.80s: status %d, %s; want %d and %q", tc.method, tc.path, tc.body, status, b, tc.status, tc.says)
		}
	}
}

// A name that points here from elsewhere, another site's page and a wrong token are all refused, on every route.
func TestStrangersAreRefused(t *testing.T) {
	const token = "0123456789+/cdef=="
	o := options(t)
	o.Token, o.Hosts = token, []string{"planner.example.org"}
	var log safeBuffer
	o.Log = &log
	at := begin(t, o)
	for _, tc := range []struct {
		name   string
		method string
		header []string
		path   string
		status int
	}{
		{"no token", "GET", nil, "/api/jobs", 401},
		{"no token for the page", "GET", nil, "/", 401},
		{"wrong token", "GET", []string{"Authorization", "Bearer 0123456789abcdee"}, "/api/jobs", 401},
		{"token in a query of the API", "GET", nil, "/api/jobs?token=" + token, 401},
		{"wrong cookie", "GET", []string{"Cookie", "batopo_token=x"}, "/api/jobs", 401},
		{"token", "GET", []string{"Authorization", "Bearer " + token}, "/api/jobs", 200},
		{"cookie", "GET", []string{"Cookie", "batopo_token=" + token}, "/api/jobs", 200},
		{"page with token", "GET", nil, "/?token=" + token, 200},
		{"name of its own", "GET", []string{"Authorization", "Bearer " + token, "Host", "planner.example.org:80"},
			"/api/jobs", 200},
		{"foreign name", "GET", []string{"Authorization", "Bearer " + token, "Host", "evil.example"}, "/api/jobs", 421},
		{"page of another site", "POST", []string{"Authorization", "Bearer " + token, "Origin", "http://evil.example"},
			"/api/jobs/x/cancel", 403},
		{"page of another site, said by the browser", "POST", []string{"Authorization", "Bearer " + token,
			"Sec-Fetch-Site", "cross-site"}, "/api/plan", 403},
		{"page of its own", "POST", []string{"Authorization", "Bearer " + token, "Origin", at}, "/api/jobs/x/cancel", 404},
	} {
		status, b := call(t, tc.method, at+tc.path, "", tc.header...)
		if status != tc.status || status >= 400 && len(decode[server.ErrorAnswer](t, b).Error) < 10 {
			t.Errorf("%s: status %d, want %d: %.200s", tc.name, status, tc.status, b)
		}
	}
	if text := log.String(); strings.Contains(text, token) || strings.Count(text, "\n") != 13 ||
		!strings.Contains(text, `GET "/api/jobs" 401`) {
		t.Errorf("the log is\n%s", text)
	}
}

func TestPageLoadsNothingFromElsewhere(t *testing.T) {
	at := begin(t, options(t))
	a, err := http.Get(at + "/")
	if err != nil {
		t.Fatal(err)
	}
	a.Body.Close()
	policy := a.Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") || a.StatusCode != 200 {
		t.Errorf("status %d, policy %q", a.StatusCode, policy)
	}
}

func TestFullQueueIsRefused(t *testing.T) {
	o := options(t)
	o.Jobs.Waiting, o.Streams = 1, 1
	at := begin(t, o)
	first := start(t, at, "plan", long)
	start(t, at, "plan", long)
	if status, b := call(t, "POST", at+"/api/plan", long); status != 429 || !bytes.Contains(b, []byte("try again")) {
		t.Errorf("a job too many: status %d, %s", status, b)
	}
	status, b := call(t, "DELETE", at+"/api/jobs/"+first.ID, "")
	if status != 409 || !bytes.Contains(b, []byte("cancel")) {
		t.Errorf("a running job is removed: status %d, %s", status, b)
	}
	watching, err := http.Get(at + "/api/jobs/" + first.ID + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer watching.Body.Close()
	if status, b := call(t, "GET", at+"/api/jobs/"+first.ID+"/events", ""); status != 503 {
		t.Errorf("a stream too many: status %d, %s", status, b)
	}
	for _, j := range decode[[]jobs.Job](t, second(call(t, "GET", at+"/api/jobs", ""))) {
		call(t, "POST", at+"/api/jobs/"+j.ID+"/cancel", "")
	}
}

func second(_ int, b []byte) []byte { return b }

// safeBuffer is a buffer that requests write to at the same time.
type safeBuffer struct {
	mutex sync.Mutex
	b     bytes.Buffer
}

func (s *safeBuffer) Write(b []byte) (int, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.b.Write(b)
}

func (s *safeBuffer) String() string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return fmt.Sprint(s.b.String())
}
