package jobs_test

import (
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/face/server/jobs"
)

// Two programs in one folder would both run what waits there.
func TestFolderBelongsToOneQueue(t *testing.T) {
	folder := t.TempDir()
	first := open(t, folder, roomy)
	if q, err := jobs.Open(folder, roomy, echo); err == nil {
		q.Close()
		t.Error("a second queue has the same folder")
	} else if !strings.Contains(err.Error(), "another batopo serve uses this folder") {
		t.Error(err)
	}
	first.Close()
	open(t, folder, roomy)
}

// A page that reconnects after a restart names an event of the feed before it.
func TestFeedAfterARestartIsTold(t *testing.T) {
	q := open(t, t.TempDir(), roomy)
	j := add(t, q, "done")
	ended(t, q, j.ID)
	feed, _ := q.Feed(j.ID)
	all, _, _ := feed.Since(0)
	if got, _, _ := feed.Since(all[len(all)-1].Number); len(got) != 0 {
		t.Errorf("who has seen all gets %v", got)
	}
	if got, _, _ := feed.Since(1000); len(got) != len(all) {
		t.Errorf("%d of %d events after one that this feed does not have", len(got), len(all))
	}
}
