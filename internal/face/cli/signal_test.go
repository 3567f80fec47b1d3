//go:build unix

package cli_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// A stopped program has a second by contract; the rest is for machines that are busy with other tests. Without the
// signal each of these commands would go on for longer, or say something else at its end.
const soon = 5 * time.Minute

// patience is how long a program may run until it is stopped: first a time in which a quiet machine has something to
// show, and longer ones for machines that had not.
var patience = []time.Duration{300 * time.Millisecond, time.Second, 5 * time.Second, 30 * time.Second, 3 * time.Minute}

// programs is a folder for the program, which the tests of this package share.
var programs string

func TestMain(m *testing.M) {
	var err error
	if programs, err = os.MkdirTemp("", "batopo-cli-"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(programs)
	os.Exit(code)
}

var build = sync.OnceValues(func() ([]byte, error) {
	return exec.Command("go", "build", "-o", programs, "../../../cmd/batopo").CombinedOutput()
})

// binary builds the program.
func binary(t *testing.T) string {
	t.Helper()
	if out, err := build(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return filepath.Join(programs, "batopo")
}

type outcome struct {
	code         int
	stdout, errs string
	took         time.Duration // from the signal, or from the start without one
}

// started runs the program and sends it a signal after a while; none when it is 0.
func started(t *testing.T, program string, after time.Duration, signal syscall.Signal, args ...string) outcome {
	t.Helper()
	var out, errs bytes.Buffer
	c := exec.Command(program, args...)
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if signal != 0 {
		time.Sleep(after)
		begin = time.Now()
		if err := c.Process.Signal(signal); err != nil {
			t.Errorf("batopo %s ended before it was stopped: %v", strings.Join(args, " "), err)
		}
	}
	giveUp := time.AfterFunc(2*soon, func() { _ = c.Process.Kill() })
	defer giveUp.Stop()
	var exit *exec.ExitError
	if err := c.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return outcome{c.ProcessState.ExitCode(), out.String(), errs.String(), time.Since(begin)}
}

// Ctrl-C and SIGTERM end every command soon: with the best plan so far, or with the word that there is none.
func TestSignalsStopEveryCommand(t *testing.T) {
	program := binary(t)
	dir := t.TempDir()
	plan, large := filepath.Join(dir, "path.json"), filepath.Join(dir, "large.edges")
	must(t, "topology", "path", "--nodes", "256", "-o", plan)
	if err := os.WriteFile(large, []byte("60000\n"+ringLines(60000)), 0o600); err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(dir, "pipe.svg")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	best := filepath.Join(dir, "best.json")
	signals := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM}
	if testing.Short() {
		signals = signals[:1] // one handler serves both; make deep sends each
	}
	for _, tc := range []struct {
		args []string
		code int
		want string // on standard output or error
	}{
		{[]string{"optimize", "--nodes", "64", "--edges", "192", "--evaluations", "100000000", "-o", best}, 0, "64 nodes"},
		{[]string{"plan", "--nodes", "40", "--evaluations", "100000000", "-o", filepath.Join(dir, "out")}, 0, "run.sh train.py"},
		{[]string{"compare", "--nodes", "2000"}, 1, "interrupted before"},
		{[]string{"simulate", plan, "--target", "0", "--rounds", "2000000"}, 1, "interrupted after"},
		{[]string{"train", "--nodes", "4", "--iterations", "2000000"}, 1, "interrupted; what was trained is shown"},
		{[]string{"topology", "random-regular", "--nodes", "100000"}, 1, "interrupted before"},
		{[]string{"draw", plan, "-o", pipe}, 1, "interrupted"},
		{[]string{"weights", large}, 1, ""},
	} {
		for _, signal := range signals {
			var got outcome
			right := false
			for k := 0; k < len(patience) && !right; k++ {
				got = started(t, program, patience[k], signal, tc.args...)
				right = got.code == tc.code && got.took <= soon && strings.Contains(got.stdout+got.errs, tc.want)
			}
			if !right {
				t.Errorf("batopo %s, %v: exit %d after %v\n%s%s\nwant %d, soon, and %q", strings.Join(tc.args, " "), signal,
					got.code, got.took, got.stdout, got.errs, tc.code, tc.want)
			}
		}
	}
	if b, err := os.ReadFile(best); err != nil || !bytes.Contains(b, []byte(`"stop": "interrupted"`)) {
		t.Errorf("the best plan so far was not written as interrupted: %v", err)
	}
	must(t, "verify", best)
	must(t, "verify", filepath.Join(dir, "out", "plan.json"))
}

// --time is kept by commands that search and by those that only compute.
func TestTimeLimitIsKept(t *testing.T) {
	program := binary(t)
	plan := filepath.Join(t.TempDir(), "path.json")
	must(t, "topology", "path", "--nodes", "256", "-o", plan)
	for _, tc := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"optimize", "--nodes", "64", "--edges", "192", "--evaluations", "100000000"}, 0, "64 nodes"},
		{[]string{"compare", "--nodes", "2000"}, 1, "the time of --time ended"},
		{[]string{"simulate", plan, "--target", "0", "--rounds", "2000000"}, 1, "interrupted after"},
		{[]string{"topology", "random-regular", "--nodes", "100000"}, 1, "the time of --time ended"},
	} {
		var got outcome
		right := false
		for k := 0; k < len(patience) && !right; k++ {
			got = started(t, program, 0, 0, append(tc.args, "--time", patience[k].String())...)
			right = got.code == tc.code && got.took <= patience[k]+soon && strings.Contains(got.stdout+got.errs, tc.want)
		}
		if !right {
			t.Errorf("batopo %s: exit %d after %v\n%s%s\nwant %d, soon, and %q", strings.Join(tc.args, " "), got.code, got.took,
				got.stdout, got.errs, tc.code, tc.want)
		}
	}
}

// A result that nobody can read is not a success, whatever becomes of it.
func TestFullDiskAndClosedPipe(t *testing.T) {
	if testing.Short() {
		t.Skip("fills a disk; make deep does")
	}
	program := binary(t)
	plan := filepath.Join(t.TempDir(), "ring.json")
	must(t, "topology", "ring", "--nodes", "8", "-o", plan)
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	read, closed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer closed.Close()
	read.Close()
	for _, out := range []*os.File{full, closed} {
		c := exec.Command(program, "verify", plan)
		c.Stdout = out
		if err := c.Run(); err == nil {
			t.Errorf("verify into %s exits with 0", out.Name())
		}
	}
}
