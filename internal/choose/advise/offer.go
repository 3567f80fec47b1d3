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

// offerPlan offers a plan, unless it is nil.
func (l *list) offerPlan(as label, build func(context.Context) (*design.Plan, error)) {
	l.offers = append(l.offers, func(ctx context.Context) []entry { return planEntries(ctx, as, build) })
}

// offerSchedule offers a plan; if its peers change, also with half the weight given away.
func (l *list) offerSchedule(as label, build func(context.Context) (*design.Plan, error)) {
	c := l.c
	l.offers = append(l.offers, func(ctx context.Context) []entry { return scheduleEntries(ctx, c, as, build) })
}

func planEntries(ctx context.Context, as label, build func(context.Context) (*design.Plan, error)) []entry {
	plan, err := build(ctx)
	if plan == nil && err == nil {
		return nil
	}
	var p *process
	if err == nil {
		p, err = newProcess(ctx, plan)
	}
	return []entry{{as, p, err}}
}

func scheduleEntries(ctx context.Context, c *cluster.Cluster, as label,
	build func(context.Context) (*design.Plan, error)) []entry {
	out := planEntries(ctx, as, build)
	if len(out) == 0 || out[0].err != nil || out[0].process.kind != Scheduled {
		return out
	}
	var p *process
	half, err := lazy(ctx, c, out[0].process.plan)
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
