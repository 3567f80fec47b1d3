package advise

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/adamw"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/topology"
)

// The kinds that average gradients over all nodes in every step, as DistributedDataParallel does.
const (
	HalfDDP     Kind = "ddp-half"       // with gradients in 16 bits
	Hook        Kind = "ddp-hook"       // batopo.ddp: the plan's all-reduce instead of the library's
	HalfHook    Kind = "ddp-hook-half"  // the same with gradients in 16 bits
	Accumulated Kind = "ddp-accumulate" // gradients of several batches are added before they are averaged
	LowRank     Kind = "ddp-powersgd"   // gradients are sent as products of thin matrices
)

// Gradients reports whether nodes average gradients in every step, and so have the same parameters after it.
func (k Kind) Gradients() bool {
	return k == DDP || k == Alone || k.Sharded() || strings.HasPrefix(string(k), "ddp-")
}

// exact reports whether nodes have the same parameters after every round.
func (k Kind) exact() bool { return k.Gradients() || k == Collective || k == TwoClocks }

// What a rank-4 approximation of square layers of 1024 rows sends of the bytes of a gradient, in two all-reduces.
const (
	lowRank      = 4
	lowRankShare = lowRank * 2. / 1024
)

// A library is DistributedDataParallel over whichever of the all-reduces of a library is quickest.
type library struct {
	plans []*design.Plan // of its all-reduces
	share float64        // of the bytes of a gradient that is sent
	calls float64        // all-reduces per bucket
}

// process prices the library with every size of buckets.
func (d library) process(kind Kind, nodes int) *process {
	all := perLinks(func(c *cluster.Cluster) (cost.Library, error) {
		var ways []*collective.Algorithm
		for _, plan := range d.plans {
			ways = append(ways, plan.Collective.Runs())
		}
		return cost.NewLibrary(c, ways...)
	})
	price := func(s scene) (out priced, err error) {
		tariffs, err := all(s)
		if err != nil {
			return out, err
		}
		for _, mb := range bucketSizes {
			waits, at, err := tariffs.InBuckets(s.c, mb, cost.Traffic{Share: d.share, Calls: d.calls, Faster: s.faster})
			if err != nil {
				return out, err
			}
			out.buckets = append(out.buckets, bucketing{mb: mb, waits: waits, plan: d.plans[at]})
			if mb == cost.BucketMB {
				out.bottleneck = tariffs[at].Price(s.c.Model().MessageMB*d.share, s.c.LatencyMS()).Bottleneck
			}
		}
		if s.c.PerCollectiveMS() == 0 {
			out.callMS = d.calls * guessedCallMS
		}
		return out, nil
	}
	return &process{kind: kind, shape: exactShape(nodes), price: price}
}

var ddpLabel = called("DistributedDataParallel", "DistributedDataParallel")

// halfLabel is for gradients in 16 bits.
func halfLabel(wire design.Wire) label {
	return called(fmt.Sprintf("DDP, %s gradients", wire), fmt.Sprintf("%s with gradients in %s", ddpLabel.text, wire))
}

// libraries lists DistributedDataParallel and what people try beside it, over the all-reduces that libraries have.
func (l *list) libraries(ctx context.Context, plans []*design.Plan) {
	l.ddp(ctx, plans)
	l.accumulated(ctx, plans)
	p := library{plans, lowRankShare * l.setting.sends().Share(), 2}.process(LowRank, l.c.Nodes())
	p.unmeasured = "no run of ours says how many steps it needs, least of all with AdamW; priced at rank 4 on layers of " +
		"1024 × 1024, without what it computes"
	l.add(called("DDP, PowerSGD", ddpLabel.text+" with PowerSGD"), p, nil)
}

// accumulated lists DistributedDataParallel that averages the gradients of several batches at once, in 32 and in 16
// bits: of as many as runs were made with, and of twice as many, which nobody measured.
func (l *list) accumulated(ctx context.Context, plans []*design.Plan) {
	const run = 2
	for _, batches := range []int{run, 2 * run} {
		_, unknown := l.setting.sums(batches)
		for _, wire := range slices.Compact([]design.Wire{design.FP32, l.setting.rounded()}) {
			if unknown != nil && wire != design.FP32 {
				continue
			}
			as := called(fmt.Sprintf("DDP, %d batches a step", batches),
				fmt.Sprintf("%s with %d batches a step", ddpLabel.text, batches))
			p, err := l.library(ctx, plans, Accumulated, wire)
			if err != nil {
				l.add(as, nil, err)
				continue
			}
			if p.accumulate = batches; unknown != nil {
				p.plan, p.unmeasured = nil, unknown.Error()
			} else if wire != design.FP32 {
				as, p.numerics = as.on(wire), gradientsOn16(wire)
			}
			average := p.plan // which DistributedDataParallel has too
			p.plan = nil
			l.add(as, p, nil)
			p.plan = average
		}
		if unknown != nil {
			return
		}
	}
}

// sums is what adding up the gradients of some batches costs.
func (s Setting) sums(batches int) (adamw.Steps, error) {
	if s.Optimizer != AdamW {
		return adamw.Steps{}, errors.New("no run with SGD says how many epochs that needs")
	}
	return adamw.Measured().Accumulated(batches, s.Steps)
}

// ddp lists DistributedDataParallel in 32 and in 16 bits, and sharding where the model does not fit into a GPU.
func (l *list) ddp(ctx context.Context, plans []*design.Plan) {
	p, err := l.library(ctx, plans, DDP, design.FP32)
	l.add(ddpLabel, p, err)
	if rounded := l.setting.rounded(); rounded != design.FP32 {
		if p, err = l.library(ctx, plans, HalfDDP, rounded); err == nil {
			p.numerics = gradientsOn16(rounded)
		}
		l.add(halfLabel(rounded), p, err)
	}
	l.sharded(ctx, plans)
}

// library is DistributedDataParallel, whose plan says what the library does.
func (l *list) library(ctx context.Context, plans []*design.Plan, kind Kind, wire design.Wire) (*process, error) {
	all := slices.Clone(plans)
	for k := range all {
		plan, err := ofGradients(ctx, l.c, all[k], wire)
		if err != nil {
			return nil, err
		}
		plan.Library = true
		plan.Seal()
		all[k] = plan
	}
	p := library{all, wire.Share(), 1}.process(kind, l.c.Nodes())
	p.plan = quickest(all)
	return p, nil
}

// quickest is the plan whose average takes the least time, of gradients all at once.
func quickest(plans []*design.Plan) *design.Plan {
	return slices.MinFunc(plans, func(x, y *design.Plan) int { return cmp.Compare(x.TimeMS, y.TimeMS) })
}

// hooks lists DistributedDataParallel with the quickest all-reduce that was found, in 32 bits and in 16, where that
// is quicker than what the library has.
func (l *list) hooks(ctx context.Context) {
	const quicker = 0.98
	var best *design.Plan
	library := math.Inf(1)
	for _, p := range l.processes {
		switch {
		case p.kind == DDP:
			library = p.plan.TimeMS
		case p.kind == Collective && (best == nil || p.plan.TimeMS < best.TimeMS):
			best = p.plan
		}
	}
	if best == nil || best.TimeMS > quicker*library {
		return
	}
	as := called("DDP, batopo's all-reduce", "DistributedDataParallel with batopo's all-reduce")
	p, err := l.hook(ctx, best, Hook, design.FP32)
	l.add(as, p, err)
	if rounded := l.setting.rounded(); rounded != design.FP32 {
		if p, err = l.hook(ctx, best, HalfHook, rounded); err == nil {
			p.numerics = gradientsOn16(rounded)
		}
		l.add(as.on(rounded), p, err)
	}
}

func (l *list) hook(ctx context.Context, average *design.Plan, kind Kind, wire design.Wire) (*process, error) {
	plan, err := ofGradients(ctx, l.c, average, wire)
	if err != nil {
		return nil, err
	}
	once := *plan // the average alone, all gradients at once
	once.Clocks = design.Clocks{Wire: wire}
	whole, hook := prices(&once, perLinks(once.Period)), perLinks(func(c *cluster.Cluster) (*cost.Hook, error) {
		return cost.NewHook(c, plan.Collective.Runs())
	})
	p := &process{kind: kind, plan: plan, shape: exactShape(plan.Nodes)}
	p.price = func(s scene) (priced, error) {
		out, err := whole(s)
		if err != nil {
			return priced{}, err
		}
		out.waits = nil
		tariffs, err := hook(s)
		if err != nil {
			return priced{}, err
		}
		for _, mb := range bucketSizes {
			waits, err := tariffs.InBuckets(s.c, mb, cost.Traffic{Share: wire.Share(), Faster: s.faster})
			if err != nil {
				return priced{}, err
			}
			out.buckets = append(out.buckets, bucketing{mb: mb, waits: waits})
		}
		return out, nil
	}
	return p, nil
}

// ofGradients is the plan of an all-reduce, of gradients and on that wire.
func ofGradients(ctx context.Context, c *cluster.Cluster, average *design.Plan,
	wire design.Wire) (*design.Plan, error) {
	plan := *average
	plan.Every, plan.Order, plan.Overlap = 1, design.AdaptThenCombine, false
	plan.Clocks = design.Clocks{Average: design.Gradients, Wire: wire}
	out, err := plan.On(ctx, c)
	if err != nil {
		return nil, err
	}
	out.Method, out.Seed, out.Notes = average.Method, average.Seed, slices.Clone(average.Notes)
	if wire == design.FP32 {
		out.TimeBound = average.TimeBound
	}
	return out, nil
}

// inBuckets compares gradients in buckets of the usual size, or of another where that gains enough to be worth setting.
func (w *predictor) inBuckets(p *process, price priced, compute *cost.Draws,
	limitMS float64) (best variant, err error) {
	least, most := math.Inf(1), math.Inf(1)
	g, buckets := w.epochs(p, 1, design.AdaptThenCombine), price.buckets
	if way, ok := w.setting.tried(p, 1); ok { // what was measured is surer than what other buckets may gain
		if k := slices.IndexFunc(buckets, func(b bucketing) bool { return b.mb == bucketTried(way) }); k >= 0 {
			buckets = buckets[k : k+1]
		}
	}
	for k, b := range buckets {
		now, late := iterations{waits: b.waits}, iterations{waits: b.waits.Slower(SlowerLinks)}
		v, err := w.predict(p, price, g, b.waits.Every, now, late, compute, limitMS)
		if err != nil {
			return v, err
		}
		v.BucketMB, v.Overlap = b.mb, true
		if b.plan != nil && p.plan != nil {
			v.Plan = b.plan
		}
		v.CommunicationMS, v.LongestMS = b.waits.AllMS(), b.waits.AllMS()
		rank := v.PessimisticMS + price.callMS*b.waits.Calls()
		if k == 0 {
			best, least, most = v, rank, (1-worthSetting)*rank
		}
		if rank < min(most, least) {
			best, least = v, rank
		}
	}
	late := best.lateMS
	best.Accumulate = p.accumulate
	best.lateMS = best.added(late, compute)
	best.PessimisticMS *= best.lateMS / late
	return best, nil
}

// added is what a step takes that adds up the gradients of several batches, and averages with the last one: for every
// batch, or for the whole one where it is computed in parts.
func (v *variant) added(ms float64, compute *cost.Draws) float64 {
	if v.Accumulate < 2 {
		return ms
	}
	k := float64(v.Accumulate)
	ms += (k - 1) * slices.Max(compute.Compute.MS)
	if v.Whole {
		return ms
	}
	return ms / k
}

// Ranks is an order of the nodes in which a ring is quicker than in the order of their numbers.
type Ranks struct {
	Order      []int
	MS         float64 // an all-reduce of the whole message around the ring
	NumberedMS float64 // the same in the order of the numbers; 0: it cannot run
}

// order finds whether the order of ranks matters to a library that has no other.
func (l *list) order(quick *design.Plan) {
	const matters = 1.05
	if quick.Collective.Algorithm != design.RingForm {
		return // trees and levels are the library's own business
	}
	r := &Ranks{Order: quick.Collective.Order, MS: quick.TimeMS}
	if price, err := cost.Of(collective.Ring(topology.InOrder(l.c.Nodes())), l.c); err == nil {
		r.NumberedMS = price.MS
	}
	if r.NumberedMS == 0 || r.NumberedMS > matters*r.MS {
		l.ranks = r
	}
}
