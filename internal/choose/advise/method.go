package advise

import (
	"context"
	"slices"
	"sync"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/workers"
)

// A method averages by a plan that is looked for. Methods do not know of each other.
type method struct {
	label
	plan func(ctx context.Context) (*design.Plan, error) // neither: there is none, and nothing to say about that
}

// An entry of the list, or why there is none.
type entry struct {
	label
	process *process
	err     error
}

// consider adds a method to those that are looked at.
func (l *list) consider(as label, plan func(context.Context) (*design.Plan, error)) {
	l.methods = append(l.methods, method{as, plan})
}

// entries has a method's plan, if there is one; if its peers change, also with half the weight given away.
func (m method) entries(ctx context.Context, c *cluster.Cluster) []entry {
	plan, err := m.plan(ctx)
	if plan == nil && err == nil {
		return nil
	}
	var p *process
	if err == nil {
		p, err = newProcess(ctx, plan)
	}
	out := []entry{{m.label, p, err}}
	if err != nil || p.kind != Scheduled {
		return out
	}
	half, err := lazy(ctx, c, plan)
	if err == nil {
		half.Method = m.lazily().name
		half.Notes = append(half.Notes, "every node keeps half of the weight that it would give away")
		if p, err = newProcess(ctx, half); err == nil {
			p.lazy = true
		}
	}
	return append(out, entry{m.lazily(), p, err})
}

// begin looks at methods on all cores, beside other work; the function it returns waits for that and lists what they
// have in their order.
func (l *list) begin(ctx context.Context, methods []method, count *counter) (list func()) {
	all := make([][]entry, len(methods))
	wait := workers.Begin(func() {
		workers.Each(0, len(methods), func(k int) {
			all[k] = methods[k].entries(ctx, l.c)
			count.done()
		})
	})
	return func() {
		wait()
		l.addAll(slices.Concat(all...))
	}
}

func (l *list) addAll(some []entry) {
	for _, e := range some {
		l.add(e.label, e.process, e.err)
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
