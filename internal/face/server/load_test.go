package server_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/face/server/jobs"
)

// follow reads a stream to its end and returns how many events of each kind it had; the last must be the end.
func follow(at, id string) (map[string]int, error) {
	a, err := http.Get(at + "/api/jobs/" + id + "/events")
	if err != nil {
		return nil, err
	}
	defer a.Body.Close()
	count, lines := map[string]int{}, bufio.NewScanner(a.Body)
	lines.Buffer(nil, 8<<20)
	for lines.Scan() {
		if name, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			count[name]++
		}
	}
	return count, lines.Err()
}

// settled waits until what other tests left behind, as searches that were stopped, is no longer in use.
func settled(t *testing.T) {
	t.Helper()
	var m runtime.MemStats
	for begun := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		if runtime.GC(); time.Since(begun) > 5*time.Minute {
			t.Fatalf("other tests still use %d MB", m.HeapInuse>>20)
		}
		if runtime.ReadMemStats(&m); m.HeapInuse < 128<<20 {
			return
		}
	}
}

// 50 pages watch while 20 jobs wait for their turn: every stream ends with its job's end and has every plan that was
// found, every result is there, and memory stays bounded.
func TestManyStreamsAndJobsSimultaneously(t *testing.T) {
	const streams, count = 50, 20
	request := small
	if testing.Short() {
		request = `{"cluster":{"format":"batopo.cluster/v1","nodes":4,"bandwidth":9.76},"evaluations":50,"exact":true}`
	}
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // as a server runs, not as tests do
	settled(t)
	at := begin(t, options(t))
	var all []jobs.Job
	for range count {
		all = append(all, start(t, at, "plan", request))
	}
	var group sync.WaitGroup
	found := make([]map[string]int, streams)
	for k := range streams {
		group.Go(func() {
			var err error
			if found[k], err = follow(at, all[k%count].ID); err != nil {
				t.Error(err)
			}
		})
	}
	most := uint64(0)
	stop := make(chan struct{})
	go func() {
		defer close(stop)
		group.Wait()
	}()
	for watching := true; watching; {
		select {
		case <-stop:
			watching = false
		case <-time.After(50 * time.Millisecond):
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapInuse)
			if status, _ := call(t, "GET", at+"/api/info", ""); status != 200 {
				t.Errorf("the server answers %d under load", status)
			}
		}
	}
	for k, events := range found {
		if events["end"] != 1 || events["found"] != found[0]["found"] || events["found"] == 0 {
			t.Errorf("stream %d had %v, the first %v", k, events, found[0])
		}
	}
	for _, j := range all {
		if j, _ = finish(t, at, j); j.State != jobs.Done {
			t.Errorf("job %+v", j)
		}
		if status, _ := call(t, "GET", at+"/api/jobs/"+j.ID+"/files/plan.json", ""); status != 200 {
			t.Errorf("job %s has no plan", j.ID)
		}
	}
	t.Logf("at most %d MB in use", most>>20)
	if most > 512<<20 {
		t.Errorf("%d MB in use", most>>20)
	}
}

// A server that is stopped keeps the best plan so far of what runs, and goes on with what waits when it is started
// again.
func TestStoppedServerKeepsTheBestPlan(t *testing.T) {
	o := options(t)
	address, cancel, ended := serving(t, o)
	at := "http://" + address
	// What can be averaged fastest is known as soon as there is a graph, however slow the machine.
	runs := start(t, at, "plan", `{"purpose":"consensus","cluster":{"format":"batopo.cluster/v1","nodes":12,"bandwidth":9.76},
		"evaluations":100000000}`)
	waits := start(t, at, "plan", small)
	a, err := http.Get(at + "/api/jobs/" + runs.ID + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	lines := bufio.NewScanner(a.Body)
	lines.Buffer(nil, 8<<20)
	for lines.Scan() && lines.Text() != "event: found" {
	}
	cancel()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(20 * time.Minute):
		t.Fatal("the server does not end")
	}
	p, err := design.ReadPlanFile(filepath.Join(o.Data, "jobs", runs.ID, "plan.json"))
	if err != nil || p.Stop == "" {
		t.Errorf("the best plan so far: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(o.Data, "jobs", runs.ID, "job.json"))
	if err != nil {
		t.Fatal(err)
	}
	var j jobs.Job
	if err := json.Unmarshal(text, &j); err != nil || j.State != jobs.Done || j.Stopped != "shutdown" {
		t.Errorf("the job is %+v, %v", j, err)
	}
	again := begin(t, o)
	if j, _ := finish(t, again, waits); j.State != jobs.Done {
		t.Errorf("the job that waited: %+v", j)
	}
}
