package jobs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/batopo/batopo/internal/face/server/jobs"
	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/internal/ground/outfile"
	"github.com/batopo/batopo/internal/ground/workers"
)

var roomy = jobs.Limits{Running: 1, Waiting: 100, Kept: 1000, Time: time.Hour}

// echo answers with its request at once; "wait" waits for the end of its context and then has the best so far, "none"
// has nothing then, "panic" is a mistake, the others that end in it are mistakes of goroutines that the job started.
func echo(ctx context.Context, kind string, request json.RawMessage, feed *jobs.Feed) ([]outfile.File, error) {
	answer := outfile.File{Name: "result.json", Write: func(w io.Writer) error {
		_, err := w.Write(request)
		return err
	}}
	feed.Keep("improved", kind)
	switch kind {
	case "wait":
		<-ctx.Done()
	case "none":
		<-ctx.Done()
		return nil, errors.New("nothing yet")
	case "panic":
		panic("slip")
	case "worker panic":
		workers.Each(2, 8, func(int) { panic("slip") })
	case "beside panic":
		workers.Begin(func() { panic("slip") })()
	case "awaited panic":
		_, err := grace.Await(ctx, func() (int, error) { panic("slip") })
		return nil, err
	}
	return []outfile.File{answer}, nil
}

func open(t *testing.T, folder string, l jobs.Limits) *jobs.Queue {
	t.Helper()
	q, err := jobs.Open(folder, l, echo)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q
}

func add(t *testing.T, q *jobs.Queue, kind string) jobs.Job {
	t.Helper()
	j, err := q.Add(kind, kind, json.RawMessage(`{"kind":"`+kind+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// ended waits for the end of a job.
func ended(t *testing.T, q *jobs.Queue, id string) jobs.Job {
	t.Helper()
	feed, err := q.Feed(id)
	if err != nil {
		t.Fatal(err)
	}
	for {
		_, more, over := feed.Since(1 << 30)
		if over {
			j, _ := q.Get(id)
			return j
		}
		select {
		case <-more:
		case <-time.After(20 * time.Minute):
			t.Fatal("the job does not end")
		}
	}
}

// running waits until a job is at work.
func running(t *testing.T, q *jobs.Queue, id string) {
	t.Helper()
	feed, _ := q.Feed(id)
	for seen := false; !seen; {
		events, more, _ := feed.Since(0)
		for _, e := range events {
			seen = seen || e.Name == "improved"
		}
		if !seen {
			<-more
		}
	}
}

func TestCancelKeepsTheBestSoFar(t *testing.T) {
	q := open(t, t.TempDir(), roomy)
	first, waiting := add(t, q, "wait"), add(t, q, "done")
	running(t, q, first.ID)
	if j, err := q.Cancel(waiting.ID); err != nil || j.State != jobs.Cancelled {
		t.Errorf("a waiting job that is cancelled: %+v, %v", j, err)
	}
	if _, err := q.Cancel(first.ID); err != nil {
		t.Fatal(err)
	}
	if j := ended(t, q, first.ID); j.State != jobs.Done || j.Stopped != "cancelled" || len(j.Files) != 1 {
		t.Errorf("a running job that is cancelled: %+v; want its best so far", j)
	}
	none := add(t, q, "none")
	running(t, q, none.ID)
	_, _ = q.Cancel(none.ID)
	if j := ended(t, q, none.ID); j.State != jobs.Cancelled || j.Error == "" {
		t.Errorf("a job cancelled before it had anything: %+v", j)
	}
}

func TestTimeLimitKeepsTheBestSoFar(t *testing.T) {
	l := roomy
	l.Time = time.Millisecond
	q := open(t, t.TempDir(), l)
	if j := ended(t, q, add(t, q, "wait").ID); j.State != jobs.Done || j.Stopped != "time limit" {
		t.Errorf("a job whose time is over: %+v", j)
	}
}

func TestMistakeOfOneJobIsNotStoppedByOthers(t *testing.T) {
	q := open(t, t.TempDir(), roomy)
	for _, kind := range []string{"panic", "worker panic", "beside panic", "awaited panic"} {
		bad := add(t, q, kind)
		if j := ended(t, q, bad.ID); j.State != jobs.Failed || !strings.Contains(j.Error, "slip") {
			t.Errorf("%s: %+v", kind, j)
		}
	}
	good := add(t, q, "good")
	if j := ended(t, q, good.ID); j.State != jobs.Done {
		t.Errorf("the job after it: %+v", j)
	}
}

func TestLimitsRefuse(t *testing.T) {
	q := open(t, t.TempDir(), jobs.Limits{Running: 1, Waiting: 2, Kept: 4, Time: time.Hour})
	for range 3 {
		add(t, q, "wait")
	}
	full(t, q, "2 jobs are waiting")
	for _, j := range q.List() {
		_, _ = q.Cancel(j.ID)
	}
	for _, j := range q.List() {
		ended(t, q, j.ID)
	}
	last := add(t, q, "done")
	ended(t, q, last.ID)
	full(t, q, "4 jobs are kept")
	if err := q.Remove(last.ID); err != nil {
		t.Error(err)
	}
	add(t, q, "done")
}

// full checks that a job is refused, and why.
func full(t *testing.T, q *jobs.Queue, why string) {
	t.Helper()
	if _, err := q.Add("more", "", nil); !errors.Is(err, jobs.ErrFull) || !strings.Contains(err.Error(), why) {
		t.Errorf("a job too many: %v, want %q", err, why)
	}
}

// What is finished survives a stop; what runs keeps its best so far; what waits begins again.
func TestStoppedQueueGoesOn(t *testing.T) {
	folder := t.TempDir()
	q, err := jobs.Open(folder, roomy, echo)
	if err != nil {
		t.Fatal(err)
	}
	done := add(t, q, "done")
	ended(t, q, done.ID)
	runs, waits := add(t, q, "wait"), add(t, q, "later")
	running(t, q, runs.ID)
	q.Close()
	if _, err := q.Add("late", "", nil); !errors.Is(err, jobs.ErrClosed) {
		t.Errorf("a job for a closed queue: %v", err)
	}
	again := open(t, folder, roomy)
	for id, stopped := range map[string]string{done.ID: "", runs.ID: "shutdown", waits.ID: ""} {
		if j := ended(t, again, id); j.State != jobs.Done || j.Stopped != stopped {
			t.Errorf("after the restart: %+v", j)
		}
		f, err := again.Open(id, "result.json")
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(f)
		f.Close()
		if !strings.Contains(string(text), `"kind"`) {
			t.Errorf("the result is %q", text)
		}
	}
	if _, err := again.Open(done.ID, "../"+done.ID+"/job.json"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is no result: %v", err)
	}
}

func TestBrokenDescriptionIsNamed(t *testing.T) {
	folder := t.TempDir()
	id := strings.Repeat("0a", 12)
	if err := os.MkdirAll(filepath.Join(folder, id), 0o700); err != nil {
		t.Fatal(err)
	}
	q, err := jobs.Open(folder, roomy, echo)
	if err != nil {
		t.Fatalf("a folder without description is no job: %v", err)
	}
	q.Close()
	if err := os.WriteFile(filepath.Join(folder, id, "job.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := jobs.Open(folder, roomy, echo); err == nil || !strings.Contains(err.Error(), id) {
		t.Errorf("error %v; want one that names the folder", err)
	}
}

// Many readers of one feed get every kept event once, in order, while it is written.
func TestFeedReadersSimultaneously(t *testing.T) {
	const events, readers = 2000, 8
	many := func(ctx context.Context, kind string, request json.RawMessage, feed *jobs.Feed) ([]outfile.File, error) {
		for k := range events {
			feed.Keep("kept", k)
			feed.Latest("latest", k)
		}
		return nil, nil
	}
	q, err := jobs.Open(t.TempDir(), roomy, many)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	j := add(t, q, "many")
	feed, _ := q.Feed(j.ID)
	var all sync.WaitGroup
	for range readers {
		all.Go(func() {
			seen, kept, over := 0, 0, false
			for !over {
				got, more, end := feed.Since(seen)
				for _, e := range got {
					if e.Name == "kept" {
						if string(e.Data) != fmt.Sprint(kept) {
							t.Errorf("event %s, want %d", e.Data, kept)
							return
						}
						kept++
					}
					seen = e.Number
				}
				if over = end; !over {
					<-more
				}
			}
			if kept != events {
				t.Errorf("%d events, want %d", kept, events)
			}
		})
	}
	all.Wait()
}

func TestFeedIsBounded(t *testing.T) {
	loud := func(ctx context.Context, kind string, request json.RawMessage, feed *jobs.Feed) ([]outfile.File, error) {
		for k := range 20000 {
			feed.Keep("kept", fmt.Sprint(k))
		}
		return nil, nil
	}
	events := keptOf(t, loud)
	if n := len(events); n > 5010 || string(events[n-1].Data) != `"19999"` {
		t.Errorf("%d events are kept, the last %s; want some 5000 and the newest", n, events[n-1].Data)
	}
}

// keptOf runs one job and returns what its feed still has at the end.
func keptOf(t *testing.T, work jobs.Work) []jobs.Event {
	t.Helper()
	q, err := jobs.Open(t.TempDir(), roomy, work)
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	j := add(t, q, "loud")
	ended(t, q, j.ID)
	feed, err := q.Feed(j.ID)
	if err != nil {
		t.Fatal(err)
	}
	events, _, _ := feed.Since(0)
	return events
}
