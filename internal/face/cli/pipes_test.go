//go:build unix

package cli_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Waiting for an input that nobody writes ends with --time, and so with Ctrl-C, which ends the same context.
func TestWaitingForAPipeEnds(t *testing.T) {
	dir := t.TempDir()
	ring := filepath.Join(dir, "ring.json")
	must(t, "topology", "ring", "--nodes", "4", "-o", ring)
	pipe := func(name string) string {
		file := filepath.Join(dir, name)
		if err := syscall.Mkfifo(file, 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	description, plan, graph := pipe("c.yaml"), pipe("p.json"), pipe("g.edges")
	for _, args := range [][]string{
		{"cluster", "show", description}, {"compare", description}, {"compare", plan}, {"compare", graph},
		{"weights", graph}, {"weights", plan}, {"weights", ring, "--cluster", description},
		{"replan", plan, "--cluster", description}, {"replan", ring, "--cluster", description},
		{"replan", ring, "--cluster", plan}, {"train", description}, {"train", plan}, {"train", graph},
		{"topology", "ring", "--cluster", description}, {"topology", "matchings", "--of", plan},
		{"simulate", ring, "--start", graph}, {"simulate", plan}, {"simulate", ring, "--cluster", description},
		{"plan", description}, {"optimize", description, "--edges", "5"}, {"schedule", description},
		{"export", plan, "--format", "npy"}, {"draw", plan, "-o", filepath.Join(dir, "x.svg")}, {"verify", plan},
	} {
		code, _, errs := run(t, append(args, "--time", "20ms")...)
		if code != 1 || !strings.Contains(errs, "the time of --time ended") {
			t.Errorf("batopo %s: exit %d, %s", strings.Join(args, " "), code, errs)
		}
	}
}
