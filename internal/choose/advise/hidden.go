package advise

import (
	"context"
	"errors"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/internal/solve/schedules"
	"github.com/batopo/batopo/internal/train"
	"github.com/batopo/batopo/topology"
)

// AtOnce answers without searching where DistributedDataParallel hides its all-reduce behind computation: no schedule
// or graph can shorten the iteration then. It returns nil where that is not so, and where nodes see different data or
// momentum is quasi-global, since other averages may need fewer epochs there. Flips say from where on the all-reduce no
// longer hides.
func AtOnce(ctx context.Context, c *cluster.Cluster, swept *sweep.Sweep, s Setting,
	tell func(design.Progress)) (*Advice, error) {
	s = s.WithDefaults()
	wish := Wish{Choose: s.Choose, Balance: s.Balance, Wire: s.Wire}
	if s.Skew != 0 || s.Momentum != train.Local || s.Wish != wish || s.sends() != design.FP32 {
		return nil, nil
	}
	row := s.Choose
	s.Choose = 0 // of the rows of a full search, unless this is the answer
	a, d, err := decide(ctx, c, swept, s, (*list).fillExact, tell)
	if errors.Is(err, ErrMemory) {
		return nil, err
	}
	shards := err == nil && a.Recommended.Kind.Sharded() // what does not fit into a GPU is not searched for
	if ctx.Err() != nil && row == 0 {                    // there is no time for more
		if err == nil {
			a.Hurried = true
		}
		return a, err
	}
	if err != nil || !shards && (!a.hides() || a.Recommended.Kind != DDP || !a.Recommended.usual()) {
		return nil, nil // a full search says what is wrong
	}
	a.Setting.Choose = row
	if err := a.obey(c); err != nil {
		return nil, err
	}
	a.claim(c)
	a.Unsearched = !shards
	return a.extended(ctx, func(a *Advice) {
		if shards {
			a.NoGraph = errWhole
		}
		d.searched = false
		if a.Instead == nil {
			a.Changes = d.find(ctx)
		}
	}), nil
}

// First is the answer where the time ends before any other: DistributedDataParallel over a ring in the order of the
// nodes, which takes no search. It fails where that cannot run, and where a row of the whole table is asked for.
func First(ctx context.Context, c *cluster.Cluster, swept *sweep.Sweep, s Setting) (*Advice, error) {
	if s.Choose > 0 {
		return nil, ErrChoice
	}
	a, _, err := decide(ctx, c, swept, s, (*list).fillFirst, nil)
	if err == nil {
		a.Hurried = true
	}
	return a, err
}

// fillFirst lists the library with a ring, and says that there was no time for its other all-reduces.
func (l *list) fillFirst(ctx context.Context, _ *sweep.Sweep, _ func(design.Progress)) {
	how := &design.Collective{Algorithm: design.RingForm, Order: topology.InOrder(l.c.Nodes())}
	ring, err := design.NewCollectivePlan(l.c, how)
	if err != nil {
		l.add(ddpLabel, nil, err)
		return
	}
	ring.Method, ring.Seed = schedules.RingAllReduce, l.setting.Seed
	l.libraries(ctx, []*design.Plan{ring})
	for _, form := range offered[l.c.Backend()] {
		if form != ring.Method {
			l.leave(sweep.Skip(formLabel(form).name, grace.ErrGivenUp))
		}
	}
}

// fillExact lists all-reduces only.
func (l *list) fillExact(ctx context.Context, swept *sweep.Sweep, tell func(design.Progress)) {
	l.divide()
	count := newCounter(design.Listing, 1, tell)
	l.exact(ctx, swept)
	l.parts(ctx)
	count.done()
}

// computeMS is what the slowest node computes in an iteration.
func (s scene) computeMS() float64 {
	most := 0.0
	for _, ms := range s.compute.Compute.MS {
		most = max(most, ms)
	}
	return most
}
