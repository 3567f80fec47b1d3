// Package workers runs pieces of work side by side. A panic in one of them becomes a panic of the goroutine that waits
// for it, so that a server can recover from it as from any other.
package workers

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Count is how many pieces of work run at the same time where most is asked for: 0 means one for each processor.
func Count(most int) int {
	if most == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return most
}

// Each calls work(0) … work(count−1), up to Count(most) of them at the same time, and returns when all are done. They
// begin in order. After a panic no more begin, and Each panics with the first of them.
func Each(most, count int, work func(i int)) {
	var next atomic.Int64
	var first atomic.Pointer[Panic]
	var group sync.WaitGroup
	for range min(Count(most), count) {
		group.Go(func() {
			p := Catch(func() {
				for i := int(next.Add(1)) - 1; i < count && first.Load() == nil; i = int(next.Add(1)) - 1 {
					work(i)
				}
			})
			if p != nil {
				first.CompareAndSwap(nil, p)
			}
		})
	}
	group.Wait()
	first.Load().Throw()
}

// Begin runs work beside the caller. The function it returns waits for the end, and panics as work did.
func Begin(work func()) (wait func()) {
	var p *Panic
	done := make(chan struct{})
	go func() {
		defer close(done)
		p = Catch(work)
	}()
	return func() {
		<-done
		p.Throw()
	}
}

// A Panic of another goroutine, with the place where it happened.
type Panic struct {
	Value any
	Stack []byte
}

func (p *Panic) Error() string { return fmt.Sprintf("%v\n%s", p.Value, p.Stack) }

// Throw panics with p unless it is nil.
func (p *Panic) Throw() {
	if p != nil {
		panic(p)
	}
}

// Catch runs work and returns its panic; nil where there was none.
func Catch(work func()) (p *Panic) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Panic:
			p = r
		default:
			p = &Panic{r, debug.Stack()}
		}
	}()
	work()
	return nil
}
