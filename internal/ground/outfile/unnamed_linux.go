package outfile

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

const here = -100 // AT_FDCWD

// openUnnamed makes a file without a name on the file system of a folder.
func openUnnamed(folder string) (*os.File, error) {
	const unnamed = 0o20000000 // __O_TMPFILE
	return os.OpenFile(folder, os.O_RDWR|unnamed|syscall.O_DIRECTORY, 0o666)
}

// nameFile gives a file that has no name one that is not taken.
func nameFile(f *os.File, name string) error {
	from, err := syscall.BytePtrFromString(fmt.Sprintf("/proc/self/fd/%d", f.Fd()))
	if err != nil {
		return err
	}
	to, err := syscall.BytePtrFromString(name)
	if err != nil {
		return err
	}
	const follow = 0x400 // AT_SYMLINK_FOLLOW
	at := here
	_, _, failed := syscall.Syscall6(syscall.SYS_LINKAT,
		uintptr(at), uintptr(unsafe.Pointer(from)), uintptr(at), uintptr(unsafe.Pointer(to)), follow, 0)
	if failed != 0 {
		return failed
	}
	return nil
}
