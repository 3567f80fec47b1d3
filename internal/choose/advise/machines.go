package advise

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/adamw"
	"github.com/batopo/batopo/internal/choose/subset"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/internal/solve/schedules"
	"github.com/batopo/batopo/topology"
)

// Alone is a single node that trains by itself.
const Alone Kind = "alone"

// Machines are those of a candidate. Nodes have the same batch each, so fewer nodes have a smaller batch in all, and
// need more steps.
type Machines struct {
	On     *subset.Part // nil: all of them
	Whole  bool         // these nodes compute the batch of all, in parts, one after the other
	Shares []float64    // of the batch, in proportion to the speed of nodes; nil: equal ones, or those that are wished for
}

// where names the machines; "" for all of them with equal batches.
func (m Machines) where() string {
	switch {
	case m.Whole:
		return "whole batch, " + m.On.Where()
	case m.On != nil:
		return m.On.Where()
	case m.Shares != nil:
		return "batches by speed"
	}
	return ""
}

// Nodes are those that take part; nil: all.
func (m Machines) Nodes() []int {
	if m.On == nil {
		return nil
	}
	return m.On.Keep
}

// usual reports whether these are all machines, with the batches that were asked for.
func (m Machines) usual() bool { return m.On == nil && m.Shares == nil }

// mostParts is how many parts of a cluster are priced.
const mostParts = 8

// parts lists what is as simple as DistributedDataParallel on all machines: the same with batches by the speed of
// nodes, on the parts that may beat it, and single nodes.
func (l *list) parts(ctx context.Context) {
	ddp := slices.IndexFunc(l.processes, func(p *process) bool { return p.kind == DDP })
	if !l.setting.Balance && ddp >= 0 {
		if shares := subset.Shares(l.c); shares != nil {
			for _, p := range slices.Clone(l.processes) {
				if p.kind == DDP || p.kind == HalfDDP {
					l.place(p, Machines{Shares: shares})
				}
			}
		}
	}
	for _, part := range l.promising(ctx, l.libraryMS()) {
		if err := l.partOf(ctx, part); err != nil {
			l.leave(sweep.Skip(ddpLabel.name+", "+part.Where(), err))
		}
	}
	for _, one := range subset.Singles(l.c) {
		p := &process{kind: Alone, shape: exactShape(1)}
		p.price = func(scene) (priced, error) {
			waits := &cost.Process{Nodes: 1, Every: 1, Buckets: []cost.Bucket{{Share: 1}}}
			return priced{buckets: []bucketing{{mb: cost.BucketMB, waits: waits}}}, nil
		}
		p.label = called(one.Only+" alone", "train.py")
		l.place(p, Machines{On: &one})
		l.place(p, Machines{On: &one, Whole: true})
	}
}

// libraryMS is what DistributedDataParallel on all machines is ranked by; +Inf where it cannot run.
func (l *list) libraryMS() float64 {
	least, w := math.Inf(1), newPredictor(MeasuredConvergence(), l.setting)
	here := scene{c: l.c, faster: 1, compute: l.setting.draws(l.c), like: l.c}
	for _, p := range l.processes {
		if p.kind != DDP && p.kind != HalfDDP && !p.kind.Sharded() || w.setting.fits(p, l.c) != nil {
			continue
		}
		if best, err := w.best(p, here); err == nil {
			least = min(least, best.PessimisticMS)
		}
	}
	return least
}

// promising are the parts whose machines and links do not rule out that they beat a limit, the most promising first.
func (l *list) promising(ctx context.Context, limitMS float64) (out []subset.Part) {
	all, err := grace.Await(ctx, func() ([]subset.Part, error) { return subset.Parts(l.c) })
	if err != nil {
		l.leave(sweep.Skip("parts of the machines", err))
	}
	least := make([]float64, len(all))
	for k, part := range all {
		links := 0.0
		if b := schedules.LowerBound(part.Cluster, false); b != nil {
			links = l.setting.rounded().Share() * b.MS
		}
		compute := slices.Max(l.setting.draws(part.Cluster).Compute.MS)
		least[k] = max(links, compute*part.Larger())
		if !l.setting.Exact {
			least[k] = min(least[k], max(links, compute)*l.setting.fewer(&part).Ratio)
		}
	}
	order := topology.InOrder(len(all))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(least[a], least[b]) })
	for _, k := range order {
		if least[k] < limitMS && len(out) < mostParts {
			out = append(out, all[k])
		}
	}
	return out
}

// partOf lists DistributedDataParallel on a part of the machines.
func (l *list) partOf(ctx context.Context, part subset.Part) error {
	plans, err := libraryPlans(ctx, part.Cluster, l.setting.Seed)
	if err != nil {
		return err
	}
	there := &list{c: part.Cluster, setting: l.setting}
	there.ddp(ctx, plans)
	for _, p := range there.processes {
		l.place(p, Machines{On: &part})
		if !p.kind.Sharded() { // which would gather the model for every part of the batch
			l.place(p, Machines{On: &part, Whole: true})
		}
	}
	for _, s := range there.skipped {
		l.leave(sweep.Skip(s.Name+", "+part.Where(), s.Err))
	}
	return nil
}

// place lists a process on some of the machines, or with other batches.
func (l *list) place(p *process, on Machines) {
	q := *p
	q.Machines = on
	if p.kind != Alone { // whose name says where
		q.name = strings.Replace(p.name, ddpLabel.name, "DDP", 1) + ", " + on.where()
	} else if on.Whole {
		q.name += ", whole batch"
	}
	if on.Whole {
		q.accumulate = int(math.Ceil(on.On.Larger()))
	}
	q.meet(nil)
	l.processes = append(l.processes, &q)
}

// libraryPlans are the all-reduces that libraries have, as they suit a cluster.
func libraryPlans(ctx context.Context, c *cluster.Cluster, seed uint64) (plans []*design.Plan, err error) {
	var none error
	for _, form := range offered[c.Backend()] {
		plan, err := sweep.CollectivePlan(ctx, c, form, seed)
		if err != nil {
			none = err
			continue
		}
		plans = append(plans, plan)
	}
	if len(plans) == 0 {
		err = fmt.Errorf("advise: no all-reduce that libraries have can be run on this cluster: %w", none)
	}
	return plans, err
}

// DDPIterationMS predicts an iteration of DistributedDataParallel.
func DDPIterationMS(ctx context.Context, c *cluster.Cluster, seed uint64) (float64, error) {
	plans, err := libraryPlans(ctx, c, seed)
	if err != nil {
		return 0, err
	}
	w := newPredictor(MeasuredConvergence(), Setting{}.WithDefaults())
	best, err := w.best(library{plans, 1, 1}.process(DDP, c.Nodes()), scene{c: c, faster: 1, compute: cost.DrawsOf(c)})
	return best.IterationMS, err
}

// fewer is what the smaller batch of a part costs: steps, where runs with AdamW show how many smaller batches need, or
// as many more as it has fewer samples.
func (s Setting) fewer(part *subset.Part) adamw.Steps {
	if s.Optimizer == AdamW {
		return adamw.Measured().Part(len(part.Keep), part.Of)
	}
	more := part.Larger()
	return adamw.Steps{Low: more, Ratio: more, High: more}
}

// batches is what a larger or smaller batch costs a process, where it has one.
func (s Setting) batches(p *process) (adamw.Steps, bool) {
	switch {
	case p.Whole:
		return adamw.Steps{Low: 1, Ratio: 1, High: 1, Rate: 1, Source: "The batch is that of all nodes."}, true
	case p.On != nil:
		return s.fewer(p.On), true
	case p.kind == Accumulated:
		steps, unknown := s.sums(p.accumulate)
		return steps, unknown == nil
	}
	return adamw.Steps{}, false
}

// sceneOf is the scene of a process that has machines or batches of its own: with their links and compute times, and
// the message and latency of the scene.
func (w *predictor) sceneOf(p *process, s scene) (scene, error) {
	if p.usual() {
		return s, nil
	}
	scenes, key := w.known[p].scenes, sceneKey{s.c, s.pace}
	if known, ok := scenes[key]; ok {
		known.faster = s.faster
		return known, nil
	}
	there := s
	compute := cost.DrawsWith(s.c, p.Shares).Compute
	switch {
	case p.kind == Alone:
		i := p.On.Keep[0]
		compute = cost.Compute{MS: compute.MS[i : i+1], JitterMS: compute.JitterMS[i : i+1], Forward: compute.Forward}
	case p.On != nil:
		var err error
		there.c, err = p.On.Cluster.WithMessage(s.c.Model().MessageMB)
		if err == nil && there.c.LatencyMS() != s.c.LatencyMS() {
			there.c, err = there.c.WithLatency(s.c.LatencyMS())
		}
		if err != nil {
			return s, err
		}
		there.like, compute = p.On.Cluster, w.setting.draws(p.On.Cluster).Compute
	}
	pace := cmp.Or(s.pace, 1)
	if p.Whole {
		pace *= p.On.Larger() / float64(p.accumulate) // of a part of the batch
	}
	there.compute = compute.Scaled(pace).Draws(1)
	scenes[key] = there
	return there, nil
}

type sceneKey struct {
	c    *cluster.Cluster
	pace float64
}

// simple are what people try first: DistributedDataParallel with gradients as they are or in 16 bits, of one batch or
// several, with batches by speed, on fewer machines, or one machine.
func (c Candidate) simple() bool {
	return slices.Contains([]Kind{DDP, HalfDDP, Accumulated, Alone}, c.Kind)
}

// BestSimple is the one of these that would be recommended; nil where there is none.
func (a *Advice) BestSimple() *Candidate {
	var some []Candidate
	for _, c := range a.All {
		if c.simple() {
			some = append(some, c)
		}
	}
	for _, c := range []*Candidate{a.DDP, a.half} {
		if c != nil && !slices.ContainsFunc(some, func(o Candidate) bool { return o.Name == c.Name }) {
			some = append(some, *c)
		}
	}
	if len(some) == 0 {
		return nil
	}
	return &some[Choose(some)]
}

// Leave are the machines that the answer leaves out; nil where it takes all of them.
func (a *Advice) Leave() *subset.Part { return a.Recommended.On }

// Cluster is the one that the answer's plan is for; nil where a single node trains by itself.
func (c Candidate) Cluster(whole *cluster.Cluster) *cluster.Cluster {
	if c.On == nil {
		return whole
	}
	return c.On.Cluster
}
