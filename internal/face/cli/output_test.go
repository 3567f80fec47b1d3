package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/face/cli"
)

// full is standard output on a disk that is full.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestUnprintedResultsAreErrors(t *testing.T) {
	plan := filepath.Join(t.TempDir(), "ring.json")
	must(t, "topology", "ring", "--nodes", "6", "-o", plan)
	for _, args := range [][]string{
		{"plan", "--nodes", "4"}, {"plan", "--nodes", "4", "--json"}, {"optimize", "--nodes", "6", "--edges",
			"7"}, {"topology", "ring", "--nodes", "6"},
		{"topology", "ring", "--nodes", "6", "-o", "-"}, {"weights", plan}, {"compare", "--nodes", "4"}, {"compare",
			"--nodes", "4", "--json"},
		{"simulate", plan}, {"simulate", plan, "--json"}, {"verify", plan}, {"verify", plan, "--json"}, {"export", plan,
			"--format", "csv"},
		{"draw", plan, "-o", "-"}, {"--help"}, {"verify", "--help"}, {"--version"}, {"completion", "bash"}, {},
	} {
		var errs bytes.Buffer
		env := cli.Env{Stdin: strings.NewReader(""), Stdout: full{}, Stderr: &errs, Getenv: func(string) string { return "" }}
		if code := cli.Run(context.Background(), env, args); code != 2 ||
			!strings.Contains(errs.String(), "cannot write standard output: no space left") {
			t.Errorf("batopo %s: exit %d, %q; want 2 and that there is no space", strings.Join(args, " "), code, errs.String())
		}
	}
}

func TestDashIsStandardOutput(t *testing.T) {
	t.Chdir(t.TempDir())
	plan := must(t, "topology", "ring", "--nodes", "6", "-o", "-")
	if !json.Valid([]byte(plan)) {
		t.Errorf("-o - printed\n%s", plan)
	}
	if err := os.WriteFile("ring.json", []byte(plan), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := must(t, "draw", "ring.json", "-o", "-"); !strings.HasPrefix(out, "<svg") {
		t.Errorf("draw -o - printed %.40q", out)
	}
	if out := must(t, "export", "ring.json", "--format", "csv", "-o", "-"); !strings.Contains(out, ",") {
		t.Errorf("export -o - printed %.40q", out)
	}
	if code, _, errs := run(t, "plan", "--nodes", "6", "-o", "-"); code != 2 || !strings.Contains(errs, "needs a folder") {
		t.Errorf("plan -o -: exit %d, %s", code, errs)
	}
	if entries, err := os.ReadDir("."); err != nil || len(entries) != 1 {
		t.Errorf("the folder holds %v (%v), want ring.json only", entries, err)
	}
}

// A folder for plan -o keeps what others put there, and what an earlier plan left is gone.
func TestPlanFolderKeepsOtherFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"notes.txt", "time.svg"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	must(t, "plan", "--nodes", "4", "-o", dir, "--quiet")
	if b, err := os.ReadFile(filepath.Join(dir, "notes.txt")); string(b) != "mine" {
		t.Errorf("notes.txt holds %q (%v)", b, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "time.svg")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("time.svg of an earlier plan is still there: %v", err)
	}
	if b, _ := os.ReadFile(filepath.Join(dir, "graph.svg")); !bytes.HasPrefix(b, []byte("<svg")) {
		t.Errorf("graph.svg holds %.20q", b)
	}
}

func TestMessagesAreShort(t *testing.T) {
	var all []error
	for range 1000 {
		all = append(all, errors.New(strings.Repeat("wrong ", 1000)))
	}
	got := cli.Shortened(errors.Join(all...).Error())
	if lines := strings.Split(got, "\n"); len(lines) != 20 || len(got) > 25_000 || lines[19] != "… and 981 lines more" {
		t.Errorf("%d lines, %d bytes, the last %q", len(lines), len(got), lines[len(lines)-1])
	}
}
