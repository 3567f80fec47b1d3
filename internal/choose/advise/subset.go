package advise

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/cost"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/subset"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/topology"
)

// A Subset is a part of the machines on which DistributedDataParallel processes more samples per second than on all of
// them. Every node has the same batch, so fewer nodes mean a smaller batch in all.
type Subset struct {
	subset.Part
	IterationMS float64 // of DistributedDataParallel on it
	Gain        float64 // samples per second over those of DistributedDataParallel on all nodes
}

// worthLeaving is how many times as many samples per second a subset must process to be mentioned.
const worthLeaving = 1.1

// BestSubset finds the machines to leave out: single nodes, all nodes of a kind, servers, racks and sites, or all but
// one of these. It returns nil where none gains a tenth, or where no all-reduce runs on the whole cluster.
func BestSubset(ctx context.Context, c *cluster.Cluster, seed uint64) *Subset {
	wholeMS, err := DDPIterationMS(ctx, c, seed)
	if err != nil {
		return nil
	}
	return bestSubset(ctx, c, seed, wholeMS)
}

// bestSubset is BestSubset where an iteration of DistributedDataParallel on all nodes is known.
func bestSubset(ctx context.Context, c *cluster.Cluster, seed uint64, wholeMS float64) *Subset {
	rate := float64(c.Nodes()) / wholeMS
	var all []Subset
	for _, part := range subset.Parts(c) {
		all = append(all, Subset{Part: part})
	}
	limits := make([]float64, len(all)) // samples per second that a subset cannot exceed
	for k := range all {
		part := all[k].Cluster
		limits[k] = float64(part.Nodes()) / max(cost.LowerBound(part).MS, slowest(part))
	}
	order := topology.InOrder(len(all))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(limits[b], limits[a]) })
	var best *Subset
	least := worthLeaving * rate
	for _, k := range order {
		if limits[k] <= least || ctx.Err() != nil {
			break
		}
		ms, err := DDPIterationMS(ctx, all[k].Cluster, seed)
		if found := float64(all[k].Cluster.Nodes()) / ms; err == nil && found > least {
			best, least = &all[k], found
			best.IterationMS, best.Gain = ms, found/rate
		}
	}
	return best
}

// slowest is how long the slowest node computes.
func slowest(c *cluster.Cluster) (ms float64) {
	for i := range c.Nodes() {
		ms = max(ms, c.ComputeMS(i))
	}
	return ms
}

// DDPIterationMS predicts an iteration of DistributedDataParallel.
func DDPIterationMS(ctx context.Context, c *cluster.Cluster, seed uint64) (float64, error) {
	var plans []*design.Plan
	var none error
	for _, form := range offered {
		plan, err := sweep.CollectivePlan(ctx, c, form, seed)
		if err != nil {
			none = err
			continue
		}
		plans = append(plans, plan)
	}
	if len(plans) == 0 {
		return 0, fmt.Errorf("advise: no all-reduce that libraries have can be run on this cluster: %w", none)
	}
	w := newWeigher(MeasuredLaw(), Setting{}.WithDefaults())
	best, err := w.best(library{plans, 1, 1}.process(DDP, c.Nodes()), scene{c: c, faster: 1, compute: cost.DrawsOf(c)})
	return best.IterationMS, err
}

// leaveOut looks for machines that do better without the others.
func (a *Advice) leaveOut(ctx context.Context, c *cluster.Cluster) {
	if a.DDP != nil {
		a.Subset = bestSubset(ctx, c, a.Setting.Seed, a.DDP.IterationMS)
	}
}

// A Simple alternative is what people try first: DistributedDataParallel in one form or on fewer machines.
type Simple struct {
	Text        string
	PredictedMS float64 // the time that is worth an iteration of exact averaging on all nodes
}

// BestSimple is the soonest of these; without a text where there is none.
func (a *Advice) BestSimple() (best Simple) {
	for _, c := range a.All {
		if (c.Kind == DDP || c.Kind == HalfDDP) && (best.Text == "" || c.PredictedMS < best.PredictedMS) {
			best = Simple{c.Text, c.PredictedMS}
		}
	}
	if s := a.Subset; s != nil {
		if ms := a.DDP.IterationMS / s.Gain; ms < best.PredictedMS {
			best = Simple{"DistributedDataParallel without " + s.Without, ms}
		}
	}
	return best
}
