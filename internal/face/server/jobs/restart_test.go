package jobs_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
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

// A description that names files outside of its folder, and links that lead there, open nothing.
func TestNothingOutsideAJobsFolderIsOpened(t *testing.T) {
	folder, secret := t.TempDir(), filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	q := open(t, folder, roomy)
	j := add(t, q, "done")
	ended(t, q, j.ID)
	q.Close()
	own := filepath.Join(folder, j.ID)
	up, err := filepath.Rel(own, secret)
	if err != nil {
		t.Fatal(err)
	}
	described, err := os.ReadFile(filepath.Join(own, "job.json"))
	if err != nil {
		t.Fatal(err)
	}
	names := []string{up, secret, "link", "../lock", "..", "."}
	var job map[string]any
	if err := json.Unmarshal(described, &job); err != nil {
		t.Fatal(err)
	}
	job["files"] = names
	if described, err = json.Marshal(job); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.WriteFile(filepath.Join(own, "job.json"), described, 0o600),
		os.Symlink(secret, filepath.Join(own, "link"))); err != nil {
		t.Fatal(err)
	}
	q = open(t, folder, roomy)
	for _, name := range names {
		if f, err := q.Open(j.ID, name); err == nil {
			f.Close()
			t.Errorf("%s is opened", name)
		}
	}
	q.Close()
	if err := errors.Join(os.Remove(filepath.Join(own, "events.json")),
		os.Symlink(secret, filepath.Join(own, "events.json"))); err != nil {
		t.Fatal(err)
	}
	if q, err := jobs.Open(folder, roomy, echo); err == nil {
		feed, err := q.Feed(j.ID)
		if err == nil && feed != nil {
			t.Error("a link is read as what a job reported")
		}
		q.Close()
	}
}
