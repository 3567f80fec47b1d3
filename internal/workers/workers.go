// Package workers runs independent pieces of work side by side.
package workers

import (
	"runtime"
	"sync"
)

// Each calls work(0) … work(count−1), up to most of them at the same time, and returns when all are done. They begin
// in order. With most 0 there is one for each processor.
func Each(most, count int, work func(i int)) {
	if most == 0 {
		most = runtime.GOMAXPROCS(0)
	}
	next := make(chan int)
	var group sync.WaitGroup
	for range min(most, count) {
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
