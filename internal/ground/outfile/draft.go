package outfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// A draft is a new file in the folder of its target. Where the system can, it has no name until its content is whole,
// so that a kill leaves nothing behind; elsewhere it has a hidden one.
type draft struct {
	*os.File
	target string
	hidden string // "" where it has no name
}

// newDraft makes a draft with the permissions that new files get.
func newDraft(target string) (*draft, error) {
	if f, err := openUnnamed(filepath.Dir(target)); err == nil {
		return &draft{f, target, ""}, nil
	}
	f, err := createBeside(target)
	if err != nil {
		return nil, err
	}
	return &draft{f, target, f.Name()}, nil
}

// publish brings the content to the disk and gives it a hidden name, if it has none.
func (d *draft) publish() error {
	if err := d.Sync(); err != nil || d.hidden != "" {
		return err
	}
	name := beside(d.target)
	if nameFile(d.File, name) == nil {
		d.hidden = name
		return nil
	}
	return d.copyOut()
}

// copyOut is for file systems that make files without names and cannot name them.
func (d *draft) copyOut() error {
	info, err := d.Stat()
	if err != nil {
		return err
	}
	f, err := createBeside(d.target)
	if err != nil {
		return err
	}
	d.hidden = f.Name()
	_, err = io.Copy(f, io.NewSectionReader(d.File, 0, info.Size()))
	return errors.Join(err, keepOwner(f, info), f.Chmod(info.Mode()), f.Sync(), f.Close())
}

// discard removes a draft that is not wanted.
func (d *draft) discard() error {
	err := d.Close()
	if d.hidden != "" {
		err = errors.Join(err, os.Remove(d.hidden))
	}
	return err
}

// createBeside makes a new hidden file in the folder of target, with the permissions that new files get.
func createBeside(target string) (*os.File, error) {
	for {
		f, err := os.OpenFile(beside(target), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// beside is a new hidden name in the folder of target.
func beside(target string) string {
	return filepath.Join(filepath.Dir(target), fmt.Sprintf(".%s.%08x", filepath.Base(target), rand.Uint32()))
}
