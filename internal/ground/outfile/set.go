package outfile

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// A File of a set has a name within its folder and a function that writes its content.
type File struct {
	Name  string
	Write func(io.Writer) error
}

// WriteSet writes files that belong together into a folder that is there. Names are all names that a set may hold:
// those among them that files lacks are removed. Other files in the folder stay.
//
// All files are on the disk before the first takes its name, and the first of files takes its name last. So where
// that one is new all of them are; a kill before that can leave the old one among new ones.
func WriteSet(ctx context.Context, folder string, names []string, files []File) error {
	ready := make([]*pending, 0, len(files))
	defer func() {
		for _, p := range ready {
			p.abandon()
		}
	}()
	for _, f := range files {
		name := filepath.Join(folder, f.Name)
		p, err := prepare(ctx, name, f.Write)
		if err != nil {
			return cannot(name, err)
		}
		ready = append(ready, p)
	}
	for _, name := range names {
		if !slices.ContainsFunc(files, func(f File) bool { return f.Name == name }) {
			if err := os.Remove(filepath.Join(folder, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	for k := len(ready) - 1; k >= 0; k-- {
		if err := ready[k].commit(); err != nil {
			return cannot(filepath.Join(folder, files[k].Name), err)
		}
	}
	return nil
}
