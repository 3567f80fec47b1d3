package advise

import (
	"context"
	"math"
	"sync"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/mixing"
)

// A Kind says what a candidate is.
type Kind string

// The kinds, from the one with the fewest surprises on.
const (
	DDP        Kind = "ddp"        // DistributedDataParallel: gradients averaged over all nodes
	Collective Kind = "collective" // models averaged over all nodes
	Static     Kind = "static"     // the same peers in every round
	Scheduled  Kind = "schedule"   // peers change from round to round
	TwoLevel   Kind = "two-level"  // exact inside groups, rounds between them
)

// A process is a way to average, whatever H and order are.
type process struct {
	label
	Machines
	kind    Kind
	plan    *design.Plan // in every step, adapt then combine; nil where a library averages
	shape   *shape
	lazy    bool
	meeting Meeting   // in rounds
	rests   bool      // some nodes, in some rounds
	ways    []way     // with AdamW: what is known of its clocks, once it was looked up
	unknown error     // why that is nothing; nil: it was not looked up, or something is known
	half    *process  // the same in 16 bits; nil: that is no choice
	shards  *Sharding // nil: every node has the whole model
	// accumulate is of how many batches, or parts of a whole one, gradients are added up; 0: 1.
	accumulate int
	periods    func(s scene) (*cost.Period, error)
	// numerics says how what it computes differs from 32 bits, unmeasured why its epochs are unknown.
	numerics, unmeasured string
	// price says how long rounds take on a cluster like the plan's and what makes the longest of them long.
	price func(s scene) (priced, error)
}

// A scene is where a process runs: a cluster, perhaps with other bandwidths, and how long gradients take there.
type scene struct {
	c *cluster.Cluster
	// Bandwidths are those of c times faster. A whole message over them takes as long as a message of the size of c's
	// over c's, so the message is faster times as large as c says.
	faster  float64
	compute *cost.Draws
	pace    float64          // compute takes that many times as long as the description says; 0: 1
	like    *cluster.Cluster // has the same links, whatever messages and latency c has; nil: only c itself
}

// links is a cluster with the links of the scene, the same for all scenes that are alike in them.
func (s scene) links() *cluster.Cluster {
	if s.like != nil {
		return s.like
	}
	return s.c
}

// perLinks finds something about the links of a scene, once for all scenes that are alike in them. Processes that
// differ in their batches share it.
func perLinks[T any](find func(c *cluster.Cluster) (T, error)) func(s scene) (T, error) {
	known, lock := map[*cluster.Cluster]T{}, new(sync.Mutex)
	return func(s scene) (T, error) {
		lock.Lock()
		defer lock.Unlock()
		if found, ok := known[s.links()]; ok {
			return found, nil
		}
		found, err := find(s.links())
		if err == nil {
			known[s.links()] = found
		}
		return found, err
	}
}

// priced is what a process costs on a cluster.
type priced struct {
	waits      *cost.Process        // nil where gradients are averaged
	slower     func() *cost.Process // the same over slower links
	longestMS  float64              // of its rounds
	meanMS     float64
	bottleneck string      // of the longest round
	buckets    []bucketing // of gradients, in different sizes
	callMS     float64     // of every bucket, what the description does not say
}

// newProcess is what a plan says, of whatever kind.
func newProcess(ctx context.Context, plan *design.Plan) (*process, error) {
	p := &process{kind: KindOf(plan), plan: plan, periods: perLinks(plan.Period)}
	p.price = prices(plan, p.periods)
	if p.timed() {
		p.shape = exactShape(plan.Nodes)
		return p, nil
	}
	averages, err := plan.Averages()
	if err != nil {
		return nil, err
	}
	p.shape, err = newShape(ctx, averages.Rounds)
	return p, err
}

// unlike says how the process differs from all that was measured; empty: it does not.
func (p *process) unlike(f Features) string {
	const nodes, mostSteps = 16, 2 // log2 of H
	switch {
	case p.rests:
		return "nodes that are idle in some rounds were never measured"
	case p.kind == TwoLevel && (p.plan.Nodes != nodes || f.Group != 0 || f.Steps > mostSteps || f.Steps > 0 && f.CTA == 0):
		return "hierarchical averaging was run only on 16 nodes with batch norm and, with cta, H up to 4"
	}
	return ""
}

// KindOf is the kind of process that a plan is; DDP has no plan of its own.
func KindOf(plan *design.Plan) Kind {
	switch {
	case plan.Inside != nil && plan.Inside.Gradients:
		return TwoClocks
	case plan.Kind == design.CollectiveKind:
		return Collective
	case plan.Inside != nil:
		return TwoLevel
	case plan.Static():
		return Static
	}
	return Scheduled
}

// prices are those of a plan: its rounds, and gradients inside groups. Scenes that differ in messages and latency share
// a period.
func prices(plan *design.Plan, periods func(scene) (*cost.Period, error)) func(s scene) (priced, error) {
	return func(s scene) (priced, error) {
		if plan.InSteps() && s.c == s.links() {
			return costOf(plan.Process(s.c)) // to the last digit what the plan states
		}
		period, err := periods(s)
		if err != nil {
			return priced{}, err
		}
		waits, err := period.At(s.c.Model().MessageMB*plan.MessageShare(), s.c.LatencyMS())
		if err == nil && KindOf(plan) == TwoClocks {
			waits, err = waits.GradientsInside(s.c, plan.Inside.Groups, plan.Wire.OfGradients().Share())
		}
		return costOf(waits, err)
	}
}

func costOf(waits *cost.Process, err error) (priced, error) {
	if err != nil {
		return priced{}, err
	}
	out := priced{waits: waits, longestMS: math.Inf(-1),
		slower: sync.OnceValue(func() *cost.Process { return waits.Slower(SlowerLinks) })}
	for _, round := range waits.Rounds {
		out.meanMS += round.MS / float64(len(waits.Rounds))
		if round.MS > out.longestMS {
			out.longestMS, out.bottleneck = round.MS, round.Bottleneck
		}
	}
	return out, nil
}

// lazy is a plan whose nodes keep half of the weight that they would give away: (I + W_t)/2.
func lazy(ctx context.Context, c *cluster.Cluster, plan *design.Plan) (*design.Plan, error) {
	rounds, err := plan.Matrices()
	if err != nil {
		return nil, err
	}
	s := &mixing.Schedule{Name: plan.Method}
	for _, w := range rounds {
		half, err := mixing.GivingAway(w, 0.5)
		if err != nil {
			return nil, err
		}
		s.Rounds = append(s.Rounds, half)
	}
	return design.NewSchedulePlan(ctx, c, s)
}
