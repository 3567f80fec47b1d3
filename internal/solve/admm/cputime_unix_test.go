//go:build unix

package admm

import (
	"syscall"
	"time"
)

// cpuTime is what the process has used so far: unlike the clock, it does not count the time
// that other programs take.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
