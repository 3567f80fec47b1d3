package train

import (
	"sync"
	"sync/atomic"

	"github.com/batopo/batopo/internal/ground/workers"
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
	share func() // shareOut, made once
	panic atomic.Pointer[workers.Panic]
}

// newCrew starts the workers; stop ends them.
func newCrew(size int) *crew {
	c := &crew{begin: make(chan struct{}), size: size}
	c.share = c.shareOut
	if size > 1 {
		for range size {
			go c.serve()
		}
	}
	return c
}

func (c *crew) serve() {
	for range c.begin {
		if p := workers.Catch(c.share); p != nil {
			c.panic.CompareAndSwap(nil, p)
		}
		c.done.Done()
	}
}

// shareOut works as long as there are items.
func (c *crew) shareOut() {
	for item := c.next.Add(1) - 1; item < c.count; item = c.next.Add(1) - 1 {
		c.work(int(item))
	}
}

// each runs work for the items 0 … count−1 and returns when all are done. Items must not depend on each other. It
// panics where one of them does.
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
	c.panic.Load().Throw()
}

func (c *crew) stop() { close(c.begin) }
