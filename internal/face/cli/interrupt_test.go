package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func environment() (env Env, out, errs *bytes.Buffer) {
	out, errs = new(bytes.Buffer), new(bytes.Buffer)
	return Env{Stdin: strings.NewReader(""), Stdout: out, Stderr: errs,
		Getenv: func(string) string { return "" }}, out, errs
}

// A stopped command says so, exits 1, prints no answer and leaves no file.
func TestStoppedCommandsSaySo(t *testing.T) {
	ring := filepath.Join(t.TempDir(), "ring.json")
	env, _, errs := environment()
	if code := Run(context.Background(), env, []string{"topology", "ring", "--nodes", "6", "-o", ring}); code != exitDone {
		t.Fatal(errs)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := t.TempDir()
	for _, args := range [][]string{
		{"verify", ring}, {"compare", ring, "--plot", filepath.Join(dir, "error.svg")},
		{"draw", ring, "-o", filepath.Join(dir, "ring.svg")},
		{"export", ring, "--format", "npy", "-o", filepath.Join(dir, "ring.npy")},
		{"simulate", ring, "--plot", filepath.Join(dir, "error.svg")},
		{"topology", "ring", "--nodes", "6", "-o", filepath.Join(dir, "ring.json")},
		{"plan", "--nodes", "6", "--static", "-o", filepath.Join(dir, "plan")},
		{"optimize", "--nodes", "9", "--edges", "12", "-o", filepath.Join(dir, "plan.json")},
	} {
		env, out, errs := environment()
		code := Run(ctx, env, args)
		said := strings.Contains(errs.String(), "interrupted before") && !strings.Contains(errs.String(), "context")
		if code != exitNo || !said || out.Len() > 0 {
			t.Errorf("%s: exit %d, printed %q, said %q; want exit 1, nothing, and that it was interrupted", args[0], code, out,
				errs)
		}
	}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			t.Errorf("%s was left behind", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Work that does not look at the context is given up all the same.
func TestAwaitDoesNotWaitForStoppedWork(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	forever := make(chan struct{})
	defer close(forever)
	_, err := await(ctx, func() (int, error) {
		cancel()
		<-forever
		return 1, nil
	})
	if !errors.Is(err, errInterrupted) {
		t.Errorf("error %v, want that it was interrupted", err)
	}
	if got, err := await(context.Background(), func() (int, error) { return 7, nil }); got != 7 || err != nil {
		t.Errorf("got %d, %v, want 7", got, err)
	}
}

// What was simulated before the stop is shown.
func TestStoppedSimulationShowsWhatItHas(t *testing.T) {
	plan := filepath.Join(t.TempDir(), "path.json")
	env, _, errs := environment()
	if code := Run(context.Background(), env,
		[]string{"topology", "path", "--nodes", "64", "-o", plan}); code != exitDone {
		t.Fatal(errs)
	}
	ctx := &endsAfter{Context: context.Background(), looks: 5}
	env, out, errs := environment()
	code := Run(ctx, env, []string{"simulate", plan, "--quiet"})
	if code != exitNo || !strings.Contains(errs.String(), "interrupted after") ||
		!strings.Contains(out.String(), "not reached") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

// endsAfter is a context that is cancelled after a number of looks at it, not by the clock.
type endsAfter struct {
	context.Context
	looks int
}

func (c *endsAfter) Err() error {
	if c.looks--; c.looks < 0 {
		return context.Canceled
	}
	return nil
}

// After Ctrl-C a search that found nothing is given up within a second, whatever it computes; when its time ended it
// gets longer.
func TestInterruptedSearchIsSoonGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, tc := range []struct {
			cause error
			most  time.Duration
		}{{context.Canceled, time.Second}, {errTimeUp, 4 * time.Second}} {
			ctx, cancel := context.WithCancelCause(t.Context())
			forever, began := make(chan struct{}), time.Now()
			cancel(tc.cause)
			err := finish(ctx, func() bool { return false }, func() error { <-forever; return nil })
			if took := time.Since(began); !errors.Is(err, stopped(ctx)) || took > tc.most {
				t.Errorf("%v: %v after %v, want an end within %v", tc.cause, err, took, tc.most)
			}
			close(forever)
		}
	})
}

// A search whose time ended may end with the error of another context: its grace period.
func TestTimeUpIsSaidWhateverContextEnded(t *testing.T) {
	ctx, cancel := context.WithTimeoutCause(t.Context(), 0, errTimeUp)
	defer cancel()
	err := finish(ctx, func() bool { return true }, func() error { return context.Canceled })
	if !errors.Is(err, errTimeUp) {
		t.Errorf("error %v, want that the time was up", err)
	}
}
