//go:build linux || darwin

package jobs

import (
	"errors"
	"os"
	"syscall"
)

// lock takes a file for this process alone, or says at once that another has it.
func lock(f *os.File) error {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return errors.New("another batopo serve uses this folder; end it or take another folder")
	}
	return err
}
