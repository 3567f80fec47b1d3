package advise

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/gpu"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/topology"
)

// The kinds that divide a model among nodes. They train as DistributedDataParallel does.
const (
	FSDP Kind = "fsdp" // among all nodes
	HSDP Kind = "hsdp" // among those of every group; groups average the gradients of their shards
)

// Sharded reports whether a kind divides the model among nodes.
func (k Kind) Sharded() bool { return k == FSDP || k == HSDP }

// A Sharding says who holds which part of a model, and in which numbers it is computed with.
type Sharding struct {
	Groups [][]int       // each has the whole model, divided equally among its nodes
	Model  cluster.Model // parameters are gathered in 16 bits unless all is in 32
}

// Among is the number of nodes that a model is divided among; 0: it is not.
func (s *Sharding) Among() int {
	if s == nil {
		return 0
	}
	return len(s.Groups[0])
}

// sharded lists FSDP, and HSDP for every division into groups, where a GPU is too small for the whole model.
func (l *list) sharded(ctx context.Context, plans []*design.Plan) {
	if l.setting.holds(&process{kind: DDP}, l.c) == nil {
		return // a GPU has room for the whole model
	}
	all := [][]int{topology.InOrder(l.c.Nodes())}
	if l.setting.shares(l.c) != nil {
		l.leave(sweep.Skip(shardedLabel(l.c, all).name, fmt.Errorf("%w: it averages all nodes with equal weight, whatever "+
			"their batches", ErrWish)))
		return
	}
	var ways []collective.Halves
	for _, plan := range plans {
		if plan.Collective.Algorithm == design.RingForm || plan.Method == "two-level" { // trees leave no parts
			way := plan.Collective.Runs()
			ways = append(ways, way.Halved(way.Steps/2))
		}
	}
	l.shardedAmong(ctx, quickest(plans), all, ways)
	levels, _ := groupings(l.c)
	for _, groups := range levels {
		l.shardedAmong(ctx, quickest(plans), groups, cost.Among(l.c, groups))
	}
}

var errWhole = errors.New("no GPU holds the whole model")

// shardedAmong lists one sharding. Its plan is the average of gradients that comes closest, as the library's is.
func (l *list) shardedAmong(ctx context.Context, average *design.Plan, groups [][]int, ways []collective.Halves) {
	p := &process{kind: HSDP, shape: exactShape(l.c.Nodes()), shards: &Sharding{groups, l.c.Model()}}
	if len(groups) == 1 {
		p.kind = FSDP
	}
	as := shardedLabel(l.c, groups)
	plan, err := ofGradients(ctx, l.c, average, design.FP32)
	if err != nil {
		l.add(as, nil, err)
		return
	}
	plan.Method, plan.Library = as.name, true
	plan.Notes = append(plan.Notes, "PyTorch shards the model; this is the average of its gradients")
	plan.Seal()
	library := perLinks(func(c *cluster.Cluster) (cost.Sharded, error) { return cost.NewSharded(c, ways...) })
	p.price = func(s scene) (out priced, err error) {
		tariffs, err := library(s)
		if err != nil {
			return out, err
		}
		m := s.c.Model()
		waits, bottleneck, err := tariffs.InBlocks(s.c, gpu.Blocks(m.Parameters*s.faster), gpu.Gathered(m)/m.GradientBytes)
		out.buckets, out.bottleneck = []bucketing{{waits: waits}}, bottleneck
		return out, err
	}
	l.add(as, p, nil)
	p.plan = plan // which DistributedDataParallel has too
}

// shardedLabel names FSDP, or HSDP by its groups.
func shardedLabel(c *cluster.Cluster, groups [][]int) label {
	if len(groups) == 1 {
		return called("FSDP", "FSDP")
	}
	of := groupWord(c, len(groups))
	return called(fmt.Sprintf("HSDP inside %ss of %d", of, len(groups[0])),
		fmt.Sprintf("HSDP: shards inside %ss of %d, copies between the %d", of, len(groups[0]), len(groups)))
}

// groupWord is what a description calls that many groups.
func groupWord(c *cluster.Cluster, count int) string {
	if c.Spec().Servers != nil {
		return "server"
	}
	if c.Spec().Tree == nil {
		return "group"
	}
	for level := []cluster.Group{*c.Spec().Tree}; len(level) > 0; {
		var next []cluster.Group
		for _, g := range level {
			for _, inner := range g.Groups {
				next = append(next, slices.Repeat([]cluster.Group{inner}, max(1, inner.Count))...)
			}
		}
		other := func(g cluster.Group) bool { return g.Name == "" || g.Name != next[0].Name }
		if len(next) == count && !slices.ContainsFunc(next, other) {
			return next[0].Name
		}
		level = next
	}
	return "group"
}

// least is the least variant of a process that fits into a GPU in a scene. Other bandwidths change no model.
func (d *decider) least(p *process, s scene, limitMS float64) (variant, error) {
	c := s.c
	if s.faster != d.here.faster {
		c = d.here.c
	}
	if err := d.w.setting.holds(p, c); err != nil {
		return variant{}, err
	}
	return d.w.least(p, s, limitMS)
}

// short adds what a model would need that fits nowhere.
func (s Setting) short(c *cluster.Cluster, err error) error {
	if !errors.Is(err, ErrMemory) {
		return err
	}
	j := s.job(FSDP, nil, &Sharding{Groups: [][]int{topology.InOrder(c.Nodes())}})
	need, enough := s.NeedsGB(c, j), s.Enough(c, j)
	switch {
	case need <= s.GPUGB:
		return fmt.Errorf("%w; FSDP over all %d would need %.3g GB: it is left out for what else was asked", err, c.Nodes(),
			need)
	case enough == 0:
		return fmt.Errorf("%w; FSDP over all %d needs %.3g GB, and its blocks alone are too large", err, c.Nodes(), need)
	}
	return fmt.Errorf("%w; even FSDP over all %d needs %.3g GB of each: take at least %d such GPUs, or GPUs with more "+
		"than that", err, c.Nodes(), need, enough)
}

// WholeGB is what DistributedDataParallel would need of every GPU, without activations.
func (a *Advice) WholeGB(c *cluster.Cluster) float64 {
	return a.Setting.NeedsGB(c, a.Setting.job(DDP, nil, nil))
}
