//go:build unix

package outfile_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/batopo/batopo/internal/ground/outfile"
)

var names = []string{"plan.json", "report.html", "graph.svg", "front.svg"}

// numbered is a set whose files all hold the same number.
func numbered(k int, names ...string) []outfile.File {
	var files []outfile.File
	for _, name := range names {
		files = append(files,
			outfile.File{Name: name, Write: func(w io.Writer) error { _, err := fmt.Fprintln(w, k); return err }})
	}
	return files
}

func TestSetsReplaceSets(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	if err := os.Mkdir(dir, 0o750); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "plan.json"), "old", 0o600)
	put(t, filepath.Join(dir, "graph.svg"), "old", 0o644)
	put(t, filepath.Join(dir, "notes.txt"), "mine", 0o640)
	if err := outfile.WriteSet(t.Context(), dir, names, numbered(7, "plan.json", "report.html")); err != nil {
		t.Fatal(err)
	}
	holds(t, filepath.Join(dir, "plan.json"), "7\n", 0o600)
	holds(t, filepath.Join(dir, "notes.txt"), "mine", 0o640)
	only(t, dir, "plan.json", "report.html", "notes.txt") // graph.svg was of the old set
	only(t, filepath.Dir(dir), "out")
}

// Whatever else lies in the folder, it stays the same folder, with all that is tied to it.
func TestSetsKeepTheFolder(t *testing.T) {
	for name, prepare := range map[string]func(dir string) error{
		"a file inside":   func(dir string) error { return os.WriteFile(filepath.Join(dir, "mine"), nil, 0o600) },
		"a folder inside": func(dir string) error { return os.Mkdir(filepath.Join(dir, "mine"), 0o755) },
		"a link inside":   func(dir string) error { return os.Symlink("elsewhere", filepath.Join(dir, "mine")) },
		"hard links": func(dir string) error {
			return os.Link(filepath.Join(dir, "plan.json"), filepath.Join(dir, "mine"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, filepath.Join(dir, "plan.json"), "old", 0o600)
			put(t, filepath.Join(dir, "graph.svg"), "old", 0o644)
			if err := prepare(dir); err != nil {
				t.Fatal(err)
			}
			before, _ := os.Stat(dir)
			if err := outfile.WriteSet(t.Context(), dir, names, numbered(7, "plan.json", "report.html")); err != nil {
				t.Fatal(err)
			}
			holds(t, filepath.Join(dir, "plan.json"), "7\n", 0o600)
			only(t, dir, "plan.json", "report.html", "mine")
			if after, _ := os.Stat(dir); !os.SameFile(before, after) {
				t.Error("the folder is another one")
			}
		})
	}
	t.Run("working directory", func(t *testing.T) {
		t.Chdir(t.TempDir())
		if err := outfile.WriteSet(t.Context(), ".", names, numbered(7, "plan.json")); err != nil {
			t.Fatal(err)
		}
		only(t, ".", "plan.json")
	})
}

func TestFailedSetLeavesTheOldOne(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "plan.json"), "old", 0o600)
	files := append(numbered(7, "plan.json"),
		outfile.File{Name: "report.html", Write: func(io.Writer) error { return io.ErrUnexpectedEOF }})
	if err := outfile.WriteSet(t.Context(), dir, names, files); err == nil {
		t.Error("no error")
	}
	holds(t, filepath.Join(dir, "plan.json"), "old", 0o600)
	only(t, dir, "plan.json")
	only(t, filepath.Dir(dir), "out")
}

// A program that writes sets until it is killed leaves whole files, and none that is older than the first of the set.
func TestKilledWriterLeavesWholeFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("kills writers many times; make deep does")
	}
	if dir := os.Getenv("OUTFILE_TEST_WRITE"); dir != "" {
		first, err := strconv.Atoi(os.Getenv("OUTFILE_TEST_FIRST"))
		if err != nil {
			t.Fatal(err)
		}
		for k := first; ; k++ {
			if err := outfile.WriteSet(context.Background(), dir, names, numbered(k, names...)); err != nil {
				t.Fatal(err)
			}
		}
	}
	dir := filepath.Join(t.TempDir(), "out")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "notes.txt"), "mine", 0o640)
	if err := outfile.WriteSet(t.Context(), dir, names, numbered(0, names...)); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	next := 1
	for range 40 {
		writer := exec.Command(os.Args[0], "-test.run=^TestKilledWriterLeavesWholeFiles$")
		writer.Env = append(os.Environ(), "OUTFILE_TEST_WRITE="+dir, fmt.Sprintf("OUTFILE_TEST_FIRST=%d", next))
		if err := writer.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(30*time.Millisecond + time.Duration(rng.IntN(20_000))*time.Microsecond)
		if err := writer.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = writer.Wait() // killed
		var found []int
		for _, name := range names {
			b, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			k, err := strconv.Atoi(strings.TrimSuffix(string(b), "\n"))
			if err != nil {
				t.Fatalf("%s holds %q", name, b)
			}
			found = append(found, k)
		}
		for _, k := range found {
			if k < found[0] {
				t.Fatalf("%v: %s is of set %d and another file older", found, names[0], found[0])
			}
			next = max(next, k+1)
		}
		holds(t, filepath.Join(dir, "notes.txt"), "mine", 0o640)
	}
}
