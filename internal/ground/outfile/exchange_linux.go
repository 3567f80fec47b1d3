package outfile

import (
	"errors"
	"runtime"
	"syscall"
	"unsafe"
)

// renameat2 is the number of the system call, which package syscall does not name everywhere.
var renameat2 = map[string]uintptr{
	"amd64": 316, "arm64": 276, "riscv64": 276, "loong64": 276, "386": 353, "arm": 382, "ppc64le": 357, "s390x": 347,
}

// exchange swaps two names of one folder in one step.
func exchange(a, b string) error {
	number, known := renameat2[runtime.GOARCH]
	if !known {
		return errors.ErrUnsupported
	}
	from, err := syscall.BytePtrFromString(a)
	if err != nil {
		return err
	}
	to, err := syscall.BytePtrFromString(b)
	if err != nil {
		return err
	}
	const swap = 2 // RENAME_EXCHANGE
	at := here
	_, _, failed := syscall.Syscall6(number,
		uintptr(at), uintptr(unsafe.Pointer(from)), uintptr(at), uintptr(unsafe.Pointer(to)), swap, 0)
	if failed != 0 {
		return failed
	}
	return nil
}
