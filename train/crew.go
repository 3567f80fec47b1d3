package train

import (
	"sync"
	"sync/atomic"
)

// A crew is goroutines that share out the items of one piece of work after the other. Unlike workers.Each it stays for
// many pieces and allocates nothing.
type crew struct {
	next  atomic.Int64
	count int64
	work  func(item int)
	begin chan struct{} // one value per worker and piece of work
	done  sync.WaitGroup
	size  int
}

// newCrew starts the workers; stop ends them.
func newCrew(workers int) *crew {
	c := &crew{begin: make(chan struct{}), size: workers}
	if workers > 1 {
		for range workers {
			go c.serve()
		}
	}
	return c
}

func (c *crew) serve() {
	for range c.begin {
		for item := c.next.Add(1) - 1; item < c.count; item = c.next.Add(1) - 1 {
			c.work(int(item))
		}
		c.done.Done()
	}
}

// each runs work for the items 0 … count−1 and returns when all are done. Items must not depend on each other.
func (c *crew) each(count int, work func(item int)) {
	if c.size == 1 {
		for item := range count {
			work(item)
		}
		return
	}
	c.next.Store(0)
	c.count, c.work = int64(count), work
	c.done.Add(c.size)
	for range c.size {
		c.begin <- struct{}{}
	}
	c.done.Wait()
}

func (c *crew) stop() { close(c.begin) }
