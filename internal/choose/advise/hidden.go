package advise

import (
	"context"
	"errors"
	"math"

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
	if tell == nil {
		tell = func(design.Progress) {}
	}
	row := s.Choose
	s.Choose = 0 // of the rows of a full search, unless this is the answer
	a, f, err := decideAmong((*list).fillExact, ctx, c, swept, s, tell)
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
		if a.Instead == nil && shards {
			f.processes = f.listed.processes // a smaller model may fit
			a.Flips, a.Unconfirmed = f.find(ctx, tell), f.unconfirmed
		} else if a.Instead == nil {
			a.Flips = f.ends(ctx)
		}
	}), nil
}

// First is the answer where the time ends before any other: DistributedDataParallel over a ring in the order of the
// nodes, which takes no search. It fails where that cannot run, and where a row of the whole table is asked for.
func First(ctx context.Context, c *cluster.Cluster, swept *sweep.Sweep, s Setting) (*Advice, error) {
	if s.Choose > 0 {
		return nil, ErrChoice
	}
	a, _, err := decideAmong((*list).fillFirst, ctx, c, swept, s, func(design.Progress) {})
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

// ends finds from where on the all-reduce that is recommended no longer hides behind computation.
func (f *flips) ends(ctx context.Context) (out []Flip) {
	c := f.here.c
	add := func(of Quantity, from float64, up bool, at func(value float64) (scene, error)) {
		if value, found := f.end(ctx, from, up, at); found {
			out = append(out, Flip{Of: of, Above: up, Value: value})
		}
	}
	add(ComputeTime, c.Model().ComputeMS, false, f.withCompute)
	add(MessageSize, c.Model().MessageMB, true, f.withMessage)
	add(Bandwidth, 1, false, f.withBandwidth)
	const shortest = 1e-3 // ms, of what is tried
	add(Latency, max(c.LatencyMS(), shortest), true, f.withLatency)
	return out
}

// end finds by steps, then by halving, the value from which on the all-reduce does not hide.
func (f *flips) end(ctx context.Context, from float64, up bool,
	at func(value float64) (scene, error)) (value float64, found bool) {
	hides, precision := from, 1e-3
	for _, value := range steps(from, up) {
		if ctx.Err() != nil {
			return 0, false
		}
		if f.hidesIn(at(value)) {
			hides = value
			continue
		}
		for math.Abs(value-hides) > precision*value {
			if middle := (value + hides) / 2; f.hidesIn(at(middle)) {
				hides = middle
			} else {
				value = middle
			}
		}
		return value, true
	}
	return 0, false
}

// hidesIn reports whether what is recommended hides its communication in a scene.
func (f *flips) hidesIn(s scene, err error) bool {
	if err != nil {
		return false
	}
	for _, p := range f.processes {
		if p.name == f.now.process {
			best, err := f.w.best(p, s)
			return err == nil && best.IterationMS <= hidden*s.computeMS()
		}
	}
	return false
}

// computeMS is what the slowest node computes in an iteration.
func (s scene) computeMS() float64 {
	most := 0.0
	for _, ms := range s.compute.Compute.MS {
		most = max(most, ms)
	}
	return most
}
