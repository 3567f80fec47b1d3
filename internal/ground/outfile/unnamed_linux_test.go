package outfile

import (
	"io"
	"os"
	"path/filepath"
	"testing"
)

// While content is written nothing lies in the folder, so that a kill leaves nothing there.
func TestNothingLiesAroundWhileContentIsWritten(t *testing.T) {
	dir := t.TempDir()
	f, err := openUnnamed(dir)
	if err != nil {
		t.Skipf("the file system makes no files without names: %v", err)
	}
	defer f.Close()
	seen := 0
	err = Write(t.Context(), filepath.Join(dir, "plan.json"), func(w io.Writer) error {
		entries, err := os.ReadDir(dir)
		seen = len(entries)
		if err == nil {
			_, err = io.WriteString(w, "new")
		}
		return err
	})
	if b, readErr := os.ReadFile(filepath.Join(dir, "plan.json")); err != nil || readErr != nil || string(b) != "new" {
		t.Errorf("the file holds %q (%v, %v)", b, err, readErr)
	}
	if entries, err := os.ReadDir(dir); err != nil || seen != 0 || len(entries) != 1 {
		t.Errorf("%d files while it was written, %d after it (%v)", seen, len(entries), err)
	}
}

// Where a file without a name cannot be named, its content is copied, with its permissions.
func TestContentIsCopiedWhereFilesCannotBeNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "plan.json")
	d, err := newDraft(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.WriteString("new"); err != nil {
		t.Fatal(err)
	}
	if err := d.Chmod(0o640); err != nil {
		t.Fatal(err)
	}
	if err := d.copyOut(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(d.hidden)
	info, statErr := os.Stat(d.hidden)
	if err != nil || statErr != nil || string(b) != "new" || info.Mode() != 0o640 {
		t.Errorf("the copy holds %q with %v (%v, %v)", b, info.Mode(), err, statErr)
	}
	if err := d.discard(); err != nil {
		t.Error(err)
	}
}
