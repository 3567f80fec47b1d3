package jobs_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/face/server/jobs"
	"github.com/batopo/batopo/internal/ground/outfile"
)

// inUse is the memory that is still referred to.
func inUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Questions and events of finished jobs are kept on the disk alone, and are served from there, also after a restart.
func TestFinishedJobsTakeNoMemory(t *testing.T) {
	const count, size = 20, 1 << 18
	large := strings.Repeat("x", size)
	chatty := func(_ context.Context, _ string, request json.RawMessage, feed *jobs.Feed) ([]outfile.File, error) {
		feed.Keep("found", large)
		return []outfile.File{{Name: "size", Write: func(w io.Writer) error {
			_, err := fmt.Fprint(w, len(request))
			return err
		}}}, nil
	}
	folder := t.TempDir()
	q, err := jobs.Open(folder, roomy, chatty)
	if err != nil {
		t.Fatal(err)
	}
	before := inUse()
	for range count {
		j, err := q.Add("chatty", "", json.RawMessage(`{"text":"`+large+`"}`))
		if err != nil {
			t.Fatal(err)
		}
		ended(t, q, j.ID)
	}
	if more := int64(inUse()) - int64(before); more > 8*size {
		t.Errorf("%d finished jobs take %d kB", count, more>>10)
	}
	q.Close()
	q = open(t, folder, roomy)
	for _, j := range q.List() {
		feed, err := q.Feed(j.ID)
		if err != nil {
			t.Fatal(err)
		}
		events, _, over := feed.Since(0)
		if n := len(events); !over || n != 2 || events[n-1].Name != "found" || len(events[n-1].Data) != size+2 {
			t.Errorf("of what it reported %d events are left", n)
		}
		if j, err := q.Get(j.ID); err != nil || len(j.Request) < size {
			t.Errorf("%d bytes of what it was asked are left, %v", len(j.Request), err)
		}
	}
}

// A job that reports pictures forever does not fill the memory; the newest is still sent.
func TestFeedIsBoundedInBytes(t *testing.T) {
	const count, size = 20, 1 << 20
	large := strings.Repeat("x", size)
	loud := func(_ context.Context, _ string, _ json.RawMessage, feed *jobs.Feed) ([]outfile.File, error) {
		for k := range count {
			feed.Keep("found", fmt.Sprint(k, large))
		}
		return nil, nil
	}
	events := keptOf(t, loud)
	if n := len(events); n > 18 || !strings.HasPrefix(string(events[n-1].Data), `"19`) {
		t.Errorf("%d events are kept, the last %.10s; want some 16 MB and the newest", n, events[n-1].Data)
	}
}
