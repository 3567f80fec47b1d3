//go:build unix

package outfile

import (
	"io/fs"
	"os"
	"syscall"
)

// shared reports whether a file has several names.
func shared(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && s.Nlink > 1
}

// keepOwner gives a new file the owner and the group of an old one.
func keepOwner(f *os.File, old fs.FileInfo) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	now, ok := info.Sys().(*syscall.Stat_t)
	before, known := old.Sys().(*syscall.Stat_t)
	if !ok || !known || now.Uid == before.Uid && now.Gid == before.Gid {
		return nil
	}
	return f.Chown(int(before.Uid), int(before.Gid))
}
