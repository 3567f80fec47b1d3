// Package workers runs independent pieces of work side by side.
package workers

import (
	"runtime"
	"sync"
)

// Count is how many pieces of work run at the same time where most is asked for: 0 means one for each processor.
func Count(most int) int {
	if most == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return most
}

// Each calls work(0) … work(count−1), up to Count(most) of them at the same time, and returns when all are done. They
// begin in order.
func Each(most, count int, work func(i int)) {
	next := make(chan int)
	var group sync.WaitGroup
	for range min(Count(most), count) {
		group.Go(func() {
			for i := range next {
				work(i)
			}
		})
	}
	for i := range count {
		next <- i
	}
	close(next)
	group.Wait()
}
