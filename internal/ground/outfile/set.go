package outfile

import (
	"context"
	"errors"
	"fmt"
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
// The folder has the old set or the new one at any moment: the new one is written into a folder beside it, with the
// other files linked into it, and then the two folders swap names in one step. That is not possible where the
// system cannot swap names (anything but Linux, a folder on its own disk, a parent that takes no new folders), and
// not done where it would do harm: in the working directory, which a shell would lose, and in a folder that holds
// folders of others or links. There all files are written beside the old ones first and take their names one after
// the other, the first of files last; a kill just then can leave a mixture.
func WriteSet(ctx context.Context, folder string, names []string, files []File) error {
	folder, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return err
	}
	s := set{folder: folder, names: names, files: files}
	if done, err := s.swap(ctx); done || err != nil {
		return err
	}
	return s.replace(ctx)
}

type set struct {
	folder string
	names  []string
	files  []File
}

// swap writes the set by swapping folders; done is false, and nothing has changed, where that cannot be.
func (s set) swap(ctx context.Context) (done bool, err error) {
	others, ok := s.others()
	if !ok {
		return false, nil
	}
	fresh, ok := s.freshFolder()
	if !ok {
		return false, nil
	}
	if done, err = s.fillAndExchange(ctx, fresh, others); done {
		if err := s.rescue(fresh); err != nil {
			return true, fmt.Errorf("%w; the files that were in %s before are in %s", err, s.folder, fresh)
		}
	}
	os.RemoveAll(fresh)
	if done {
		err = syncFolder(filepath.Dir(s.folder))
	}
	return done, err
}

// fillAndExchange makes the fresh folder the set's and the set's folder the fresh one.
func (s set) fillAndExchange(ctx context.Context, fresh string, others []string) (done bool, err error) {
	for _, name := range others {
		if os.Link(filepath.Join(s.folder, name), filepath.Join(fresh, name)) != nil {
			return false, nil
		}
	}
	for _, f := range s.files {
		if err := s.writeFresh(ctx, fresh, f); err != nil {
			return false, err
		}
	}
	return syncFolder(fresh) == nil && exchange(fresh, s.folder) == nil, nil
}

// others lists the files that are none of the set's; ok is false where they, or the set's own, cannot be taken along.
func (s set) others() (names []string, ok bool) {
	here, err := os.Stat(s.folder)
	if err != nil {
		return nil, false
	}
	if work, err := os.Stat("."); err != nil || os.SameFile(work, here) {
		return nil, false
	}
	entries, err := os.ReadDir(s.folder)
	if err != nil {
		return nil, false
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() {
			return nil, false
		}
		if !slices.Contains(s.names, e.Name()) {
			names = append(names, e.Name())
		} else if shared(info) {
			return nil, false
		}
	}
	return names, true
}

// freshFolder makes an empty folder beside the set's that looks like it.
func (s set) freshFolder() (name string, ok bool) {
	info, err := os.Stat(s.folder)
	if err != nil {
		return "", false
	}
	name = beside(s.folder)
	if os.Mkdir(name, 0o700) != nil {
		return "", false
	}
	f, err := os.Open(name)
	if err == nil {
		err = errors.Join(keepOwner(f, info), f.Chmod(info.Mode()), f.Close())
	}
	if err != nil {
		os.Remove(name)
		return "", false
	}
	return name, true
}

// writeFresh writes a file of the set into the new folder, with the permissions of the old one.
func (s set) writeFresh(ctx context.Context, fresh string, f File) error {
	path := filepath.Join(s.folder, f.Name)
	name := filepath.Join(fresh, f.Name)
	if old, err := os.Stat(path); err == nil {
		if err := writable(path); err != nil {
			return cannot(path, err)
		}
		empty, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			err = errors.Join(keepOwner(empty, old), empty.Chmod(old.Mode()), empty.Close())
		}
		if err != nil {
			return cannot(path, err)
		}
	}
	return Write(ctx, name, f.Write)
}

// rescue brings what others wrote into the old folder while the new one was filled into the new one.
func (s set) rescue(old string) error {
	entries, err := os.ReadDir(old)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if slices.Contains(s.names, e.Name()) {
			continue
		}
		from, to := filepath.Join(old, e.Name()), filepath.Join(s.folder, e.Name())
		there, err := os.Lstat(to)
		if info, infoErr := e.Info(); err == nil && infoErr == nil && os.SameFile(there, info) {
			continue
		}
		if err := os.Rename(from, to); err != nil {
			return err
		}
	}
	return nil
}

// replace writes the set file by file, as close to one step as that comes.
func (s set) replace(ctx context.Context) error {
	ready := make([]*pending, 0, len(s.files))
	defer func() {
		for _, p := range ready {
			p.abandon()
		}
	}()
	for _, f := range s.files {
		name := filepath.Join(s.folder, f.Name)
		p, err := prepare(ctx, name, f.Write)
		if err != nil {
			return cannot(name, err)
		}
		ready = append(ready, p)
	}
	for _, name := range s.names {
		if !slices.ContainsFunc(s.files, func(f File) bool { return f.Name == name }) {
			if err := os.Remove(filepath.Join(s.folder, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	for k := len(ready) - 1; k >= 0; k-- {
		if err := ready[k].commit(); err != nil {
			return cannot(filepath.Join(s.folder, s.files[k].Name), err)
		}
	}
	return nil
}
