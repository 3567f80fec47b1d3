package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
)

// Links are followed this far, as the kernel does.
const mostLinks = 40

// resolve follows links to the file that a name stands for, which need not be there: then info is nil.
func resolve(name string) (target string, info fs.FileInfo, err error) {
	if name == "" || os.IsPathSeparator(name[len(name)-1]) {
		return "", nil, errors.New("it is the name of a folder; give the name of a file")
	}
	info, err = os.Stat(name)
	switch {
	case err == nil && info.IsDir():
		return "", nil, fmt.Errorf("it is a folder; give the name of a file, such as %s", filepath.Join(name, "plan.json"))
	case err == nil && !info.Mode().IsRegular():
		return name, info, nil // what /dev/stdout leads to has no name of its own
	case err == nil:
		target, err = filepath.EvalSymlinks(name)
		return target, info, err
	case !errors.Is(err, fs.ErrNotExist):
		return "", nil, err
	}
	target = name
	for range mostLinks {
		folder, err := filepath.EvalSymlinks(filepath.Dir(target))
		if err != nil {
			return "", nil, fmt.Errorf("there is no folder %s", filepath.Dir(target))
		}
		target = filepath.Join(folder, filepath.Base(target))
		link, err := os.Readlink(target)
		if err != nil { // no link
			return target, nil, nil
		}
		if !filepath.IsAbs(link) {
			link = folder + string(filepath.Separator) + link // not cleaned: .. belongs to the folder the link leads to
		}
		target = link
	}
	return "", nil, syscall.ELOOP
}

// replacement makes a hidden file that looks like target; nil where target must be overwritten.
func replacement(target string, old fs.FileInfo) (*os.File, error) {
	if old == nil {
		return createBeside(target)
	}
	if err := writable(target); err != nil {
		return nil, err // what may not be written may not be replaced either
	}
	if shared(old) {
		return nil, nil
	}
	f, err := createBeside(target)
	if err != nil {
		return nil, nil
	}
	if errors.Join(keepOwner(f, old), f.Chmod(old.Mode())) != nil {
		_ = discard(f)
		return nil, nil
	}
	return f, nil
}

// createBeside makes a new hidden file in the folder of target, with the permissions that new files get.
func createBeside(target string) (*os.File, error) {
	for {
		name := fmt.Sprintf(".%s.%08x", filepath.Base(target), rand.Uint32())
		f, err := os.OpenFile(filepath.Join(filepath.Dir(target), name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// discard removes a file that is not wanted.
func discard(f *os.File) error { return errors.Join(f.Close(), os.Remove(f.Name())) }

func writable(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// syncFolder brings the names in a folder to the disk, where the system can.
func syncFolder(name string) error {
	d, err := os.Open(name)
	if err != nil {
		return nil // names can be written where they cannot be listed
	}
	defer d.Close()
	err = d.Sync()
	for _, harmless := range []error{syscall.EINVAL, errors.ErrUnsupported, fs.ErrPermission} {
		if errors.Is(err, harmless) {
			return nil
		}
	}
	return err
}
