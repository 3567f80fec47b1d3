//go:build unix

package outfile_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/batopo/batopo/internal/ground/outfile"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

func put(t *testing.T, name, content string, mode fs.FileMode) {
	t.Helper()
	if err := errors.Join(os.WriteFile(name, []byte(content), 0o600), os.Chmod(name, mode)); err != nil {
		t.Fatal(err)
	}
}

func holds(t *testing.T, name, want string, mode fs.FileMode) {
	t.Helper()
	b, err := os.ReadFile(name)
	info, statErr := os.Stat(name)
	if err != nil || statErr != nil || string(b) != want || info.Mode() != mode {
		t.Errorf("%s holds %q with %v (%v, %v), want %q with %v", name, b, info.Mode(), err, statErr, want, mode)
	}
}

// only checks that nothing temporary was left.
func only(t *testing.T, folder string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != len(names) {
		t.Errorf("%s holds %v (%v), want %v", folder, entries, err, names)
	}
}

func TestNewFilesHonourTheUmask(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o027))
	dir := t.TempDir()
	file := filepath.Join(dir, "plan.json")
	if err := outfile.Write(t.Context(), file, text("new")); err != nil {
		t.Fatal(err)
	}
	holds(t, file, "new", 0o640)
	only(t, dir, "plan.json")
}

func TestPermissionsStay(t *testing.T) {
	for _, mode := range []fs.FileMode{0o600, 0o644, 0o666, 0o755} {
		dir := t.TempDir()
		file := filepath.Join(dir, "plan.json")
		put(t, file, "old", mode)
		if err := outfile.Write(t.Context(), file, text("new")); err != nil {
			t.Fatal(err)
		}
		holds(t, file, "new", mode)
		only(t, dir, "plan.json")
	}
}

func TestLinksAreFollowed(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755),
		os.Symlink("a/b", filepath.Join(dir, "deep"))); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "a", "there"), "old", 0o600)
	for link, to := range map[string]string{"there.json": "../there", "new.json": "../new"} {
		// Both links lie in a/b, reached by a link itself, so .. is a and not the folder of the first link.
		if err := os.Symlink(to, filepath.Join(dir, "deep", link)); err != nil {
			t.Fatal(err)
		}
		if err := outfile.Write(t.Context(), filepath.Join(dir, "deep", link), text("new")); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Lstat(filepath.Join(dir, "deep", link)); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is a link no more", link)
		}
	}
	holds(t, filepath.Join(dir, "a", "there"), "new", 0o600)
	if b, err := os.ReadFile(filepath.Join(dir, "a", "new")); string(b) != "new" {
		t.Errorf("the file that the dangling link names holds %q (%v)", b, err)
	}
	loop := filepath.Join(dir, "loop")
	if err := os.Symlink("loop", loop); err != nil {
		t.Fatal(err)
	}
	if err := outfile.Write(t.Context(), loop, text("new")); err == nil {
		t.Error("a link to itself was written to")
	}
}

func TestHardLinksStayOneFile(t *testing.T) {
	dir := t.TempDir()
	one, other := filepath.Join(dir, "one"), filepath.Join(dir, "other")
	put(t, one, "an old and longer text", 0o600)
	if err := os.Link(one, other); err != nil {
		t.Fatal(err)
	}
	if err := outfile.Write(t.Context(), one, text("new")); err != nil {
		t.Fatal(err)
	}
	holds(t, other, "new", 0o600)
	only(t, dir, "one", "other")
}

func TestPipesAreWrittenTo(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("longer than a pipe holds\n", 10_000)
	read := make(chan string)
	go func() {
		b, _ := os.ReadFile(pipe)
		read <- string(b)
	}()
	if err := outfile.Write(t.Context(), pipe, text(long)); err != nil {
		t.Fatal(err)
	}
	if got := <-read; got != long {
		t.Errorf("the reader got %d bytes of %d", len(got), len(long))
	}
	if info, err := os.Lstat(pipe); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		t.Errorf("the pipe became %v", info.Mode())
	}
	only(t, dir, "pipe")
}

func TestWaitForAReaderEndsWithTheContext(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := outfile.Write(ctx, pipe, text("new")); err == nil || !strings.Contains(err.Error(), "nobody read") {
		t.Errorf("nobody reads: %v", err)
	}
}

func TestDevices(t *testing.T) {
	if err := outfile.Write(t.Context(), "/dev/null", text("new")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat("/dev/null"); err != nil || info.Mode()&fs.ModeDevice == 0 {
		t.Errorf("/dev/null became %v (%v)", info, err)
	}
	if err := outfile.Write(t.Context(), "/dev/full", text("new")); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("/dev/full: %v, want that there is no space", err)
	}
}

// Content that cannot be made leaves the old file, and the error says what went wrong with it.
func TestFailedContentLeavesTheOldFile(t *testing.T) {
	dir := t.TempDir()
	broken := errors.New("no such matrix")
	half := func(w io.Writer) error { return errors.Join(text("half")(w), broken) }
	for _, links := range []int{1, 2} {
		file := filepath.Join(dir, "plan.json")
		put(t, file, "old", 0o600)
		if links == 2 {
			if err := os.Link(file, filepath.Join(dir, "other")); err != nil {
				t.Fatal(err)
			}
		}
		if err := outfile.Write(t.Context(), file, half); !errors.Is(err, broken) {
			t.Errorf("error %v, want %v", err, broken)
		}
		holds(t, file, "old", 0o600)
	}
	only(t, dir, "plan.json", "other")
}

func TestWhatCannotBeWrittenSaysWhy(t *testing.T) {
	dir := t.TempDir()
	for name, want := range map[string]string{
		dir:                                "it is a folder; give the name of a file, such as",
		dir + "/":                          "name of a folder",
		filepath.Join(dir, "no", "x.json"): "there is no folder " + filepath.Join(dir, "no"),
		"":                                 "name of a folder",
	} {
		for _, err := range []error{outfile.Write(t.Context(), name, text("new")), outfile.Check(name)} {
			if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "cannot write "+name) {
				t.Errorf("%q: error %v, want %q", name, err, want)
			}
		}
	}
	if err := outfile.Check(filepath.Join(dir, "plan.json")); err != nil {
		t.Error(err)
	}
	only(t, dir)
}
