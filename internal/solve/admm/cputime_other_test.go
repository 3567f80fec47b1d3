//go:build !unix

package admm

import "time"

var began = time.Now()

func cpuTime() time.Duration { return time.Since(began) }
