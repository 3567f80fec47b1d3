package advise

import (
	"context"
	"sync"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/workers"
)

// An offer finds something that may be run, in one form or several. Offers do not know of each other.
type offer func(ctx context.Context) []entry

// An entry of the list, or why there is none.
type entry struct {
	label
	process *process
	err     error
}

func (l *list) offerNothing(as label, why error) {
	l.offers = append(l.offers, func(context.Context) []entry { return []entry{{as, nil, why}} })
}

// offer offers what entries has.
func (l *list) offer(as label, build func(context.Context) (*design.Plan, error)) {
	c := l.c
	l.offers = append(l.offers, func(ctx context.Context) []entry { return entries(ctx, c, as, build) })
}

// entries has a plan, unless it is nil; if its peers change, also with half the weight given away.
func entries(ctx context.Context, c *cluster.Cluster, as label,
	build func(context.Context) (*design.Plan, error)) []entry {
	plan, err := build(ctx)
	if plan == nil && err == nil {
		return nil
	}
	var p *process
	if err == nil {
		p, err = newProcess(ctx, plan)
	}
	out := []entry{{as, p, err}}
	if err != nil || p.kind != Scheduled {
		return out
	}
	half, err := lazy(ctx, c, plan)
	if err == nil {
		half.Method = as.lazily().name
		half.Notes = append(half.Notes, "every node keeps half of the weight that it would give away")
		if p, err = newProcess(ctx, half); err == nil {
			p.lazy = true
		}
	}
	return append(out, entry{as.lazily(), p, err})
}

// look looks at all offers on all cores, and lists what they have in their order.
func (l *list) look(ctx context.Context, count *counter) {
	all := make([][]entry, len(l.offers))
	workers.Each(0, len(l.offers), func(k int) {
		all[k] = l.offers[k](ctx)
		count.done()
	})
	l.offers = nil
	for _, some := range all {
		l.addAll(some)
	}
}

func (l *list) addAll(some []entry) {
	for _, f := range some {
		l.add(f.label, f.process, f.err)
	}
}

// A counter reports how much of something is done.
type counter struct {
	lock sync.Mutex
	now  design.Progress
	tell func(design.Progress)
}

func newCounter(phase design.Phase, total int, tell func(design.Progress)) *counter {
	c := &counter{now: design.Progress{Phase: phase, Total: total}, tell: tell}
	tell(c.now)
	return c
}

// done tells that one more is done, under the lock: who listens hears of one at a time, and of more each time.
func (c *counter) done() {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.now.Done++
	c.tell(c.now)
}
