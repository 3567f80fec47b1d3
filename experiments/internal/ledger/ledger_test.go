package ledger

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// counter makes tasks that count how often they run.
type counter map[string]int

func (c counter) task(key string, settings any, value int) Task[int] {
	return Task[int]{Key: key, Settings: settings, Compute: func(context.Context) (int, error) {
		c[key]++
		return value, nil
	}}
}

func listed(tasks ...Task[int]) func(Options) ([]Task[int], error) {
	return func(Options) ([]Task[int], error) { return tasks, nil }
}

func perform(t *testing.T, o Options, tasks ...Task[int]) *File[int] {
	t.Helper()
	if err := Run(t.Context(), "x", o, listed(tasks...)); err != nil {
		t.Fatal(err)
	}
	f, err := Read[int](o.Results, "x")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestRowsAreKeptWhileTheirSettingsAreTheSame(t *testing.T) {
	ran := counter{}
	var log bytes.Buffer
	e := Options{Results: filepath.Join(t.TempDir(), "deep"), Log: &log}
	type settings struct{ Seed int }
	perform(t, e, ran.task("a", settings{1}, 10), ran.task("b", settings{1}, 20))
	got := perform(t, e, ran.task("b", settings{2}, 21), ran.task("a", settings{1}, 10), ran.task("c", settings{1}, 30))
	if ran["a"] != 1 || ran["b"] != 2 || ran["c"] != 1 {
		t.Errorf("runs %v; want a once, b again for its new settings, c once", ran)
	}
	read, err := Read[int](e.Results, "x")
	if err != nil {
		t.Fatal(err)
	}
	for k, want := range []struct {
		key   string
		value int
	}{{"b", 21}, {"a", 10}, {"c", 30}} {
		if got.Rows[k].Key != want.key || read.Rows[k].Key != want.key || read.Rows[k].Value != want.value {
			t.Errorf("row %d: got %+v, in the file %+v, want %+v", k, got.Rows[k], read.Rows[k], want)
		}
	}
	if len(read.Runs) != 1 {
		t.Errorf("%d runs listed; one machine and program is one", len(read.Runs))
	}
	if !strings.Contains(log.String(), "a  kept") {
		t.Errorf("log %q does not say that a was kept", log.String())
	}
	e.Fresh = "b"
	perform(t, e, ran.task("b", settings{2}, 21), ran.task("a", settings{1}, 10))
	if ran["a"] != 1 || ran["b"] != 3 {
		t.Errorf("fresh b: runs %v; want b again and a kept", ran)
	}
	e.Fresh = "all"
	perform(t, e, ran.task("a", settings{1}, 10))
	if read, _ = Read[int](e.Results, "x"); ran["a"] != 2 || len(read.Rows) != 1 {
		t.Errorf("fresh: a ran %d times, %d rows; want 2 and 1: the others belong to no task", ran["a"], len(read.Rows))
	}
}

func TestAStopLosesNothing(t *testing.T) {
	ran := counter{}
	e := Options{Results: t.TempDir(), Log: &bytes.Buffer{}}
	perform(t, e, ran.task("c", 1, 30))
	ctx, stop := context.WithCancel(t.Context())
	halfway := Task[int]{Key: "b", Settings: 1, Compute: func(context.Context) (int, error) {
		stop()
		return 99, nil
	}}
	err := Run(ctx, "x", e, listed(ran.task("a", 1, 10), halfway, ran.task("c", 1, 30)))
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want the error of the context", err)
	}
	f, err := Read[int](e.Results, "x")
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := f.Row("a"); !ok {
		t.Error("a was finished and is lost")
	}
	if _, ok := f.Row("c"); !ok {
		t.Error("c was there before and is lost")
	}
	if _, ok := f.Row("b"); ok {
		t.Error("b was cancelled half-way and counts as a result")
	}
}

func TestAMissingArtifactIsMadeAgain(t *testing.T) {
	ran := counter{}
	folder := t.TempDir()
	e := Options{Results: folder, Log: &bytes.Buffer{}}
	task := ran.task("a", 1, 10)
	task.Artifact = filepath.Join(folder, "plan")
	perform(t, e, task)
	perform(t, e, task)
	if err := os.WriteFile(task.Artifact, []byte("plan"), 0o644); err != nil {
		t.Fatal(err)
	}
	perform(t, e, task)
	if ran["a"] != 2 {
		t.Errorf("ran %d times, want 2: only while its file was missing", ran["a"])
	}
}

func TestAFailedRowEndsTheExperiment(t *testing.T) {
	e := Options{Results: t.TempDir(), Log: &bytes.Buffer{}}
	broken := errors.New("broken")
	bad := Task[int]{Key: "a", Compute: func(context.Context) (int, error) { return 0, broken }}
	if err := Run(t.Context(), "x", e, listed(bad)); !errors.Is(err, broken) || !strings.Contains(err.Error(), "x a") {
		t.Errorf("error %v; want the row's own, with its name", err)
	}
}

func TestReadRefusesOtherFiles(t *testing.T) {
	folder := t.TempDir()
	const head = `{"format": "batopo.experiment/v1", "experiment": "x", "runs": [], `
	for name, content := range map[string]string{
		"format":     `{"format": "something/v1", "experiment": "x", "runs": [], "rows": []}`,
		"experiment": `{"format": "batopo.experiment/v1", "experiment": "y", "runs": [], "rows": []}`,
		"field":      head + `"rows": [], "more": 1}`,
		"run":        head + `"rows": [{"key": "a", "settings": 1, "run": 0, "elapsed_ms": 1, "value": 1}]}`,
		"nothing":    ``,
	} {
		if err := os.WriteFile(filepath.Join(folder, "x.json"), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Read[int](folder, "x"); err == nil {
			t.Errorf("%s: %s was read without complaint", name, content)
		}
	}
	if f, err := Read[int](folder, "absent"); err != nil || len(f.Rows) != 0 {
		t.Errorf("absent file: rows %v, error %v; want neither", f, err)
	}
}

func TestProvenanceIsComplete(t *testing.T) {
	p := Here()
	for name, v := range map[string]string{"program": p.Program, "go": p.Go, "machine": p.Machine,
		"lapack": p.LAPACK, "started": p.Started} {
		if v == "" {
			t.Errorf("%s is empty in %+v", name, p)
		}
	}
}
