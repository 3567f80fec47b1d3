package advise

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/adamw"
	"github.com/batopo/batopo/internal/choose/subset"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/topology"
)

// A Subset is a part of the machines on which DistributedDataParallel processes more samples per second than on all of
// them. Every node has the same batch, so fewer nodes mean a smaller batch in all.
type Subset struct {
	subset.Part
	Simple         // DistributedDataParallel on it, compared with the answer
	Gain   float64 // samples per second over those of DistributedDataParallel on all nodes
	// Balanced is DistributedDataParallel on all nodes with batches in proportion to their speed, where that processes no
	// fewer samples per second; nil where it does not.
	Balanced *Simple
}

// A Simple alternative is what people try first: DistributedDataParallel in one form or on fewer machines.
type Simple struct {
	Text        string
	Rounded     bool // gradients travel in 16 bits
	IterationMS float64
	Epochs      float64 // iterations for each one of all machines; as steps, where the answer's steps were measured
	Deviation   float64 // of the logarithm of these
	PredictedMS float64 // the time that is worth an iteration of exact averaging on all nodes
	Source      string  // says where the steps come from; "": as many samples in all
}

// worthLeaving is how many times as fast a subset must be to be mentioned, and to be the answer.
const worthLeaving = 1.1

// BestSubset finds the machines to leave out: single nodes, all nodes of a kind, servers, racks and sites, or all but
// one of these. It returns nil where none gains a tenth, or where no all-reduce runs on the whole cluster.
func BestSubset(ctx context.Context, c *cluster.Cluster, s Setting) *Subset {
	whole, err := s.ddp(ctx, c)
	if err != nil {
		return nil
	}
	return s.bestSubset(ctx, c, whole.IterationMS)
}

// bestSubset is BestSubset where an iteration of DistributedDataParallel on all nodes is known.
func (s Setting) bestSubset(ctx context.Context, c *cluster.Cluster, wholeMS float64) *Subset {
	rate := float64(c.Nodes()) / wholeMS
	var all []Subset
	for _, part := range subset.Parts(c) {
		all = append(all, Subset{Part: part})
	}
	limits := make([]float64, len(all)) // samples per second that a subset cannot exceed
	for k := range all {
		part := all[k].Cluster
		limits[k] = float64(part.Nodes()) /
			max(s.rounded().Share()*cost.LowerBound(part).MS, slices.Max(s.draws(part).Compute.MS))
	}
	order := topology.InOrder(len(all))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(limits[b], limits[a]) })
	var best *Subset
	least := worthLeaving * rate
	for _, k := range order {
		if limits[k] <= least || ctx.Err() != nil {
			break
		}
		simple, err := s.ddp(ctx, all[k].Cluster)
		if found := float64(all[k].Cluster.Nodes()) / simple.IterationMS; err == nil && found > least {
			best, least = &all[k], found
			best.Simple, best.Gain = simple, found/rate
		}
	}
	return best
}

// ddp predicts DistributedDataParallel on a cluster, with gradients in 16 bits where that is worth it.
func (s Setting) ddp(ctx context.Context, c *cluster.Cluster) (Simple, error) {
	plans, err := libraryPlans(ctx, c, s.Seed)
	if err != nil {
		return Simple{}, err
	}
	ms, err := library{plans, 1, 1}.iterationMS(c, s.draws(c))
	out, rounded := Simple{Text: ddpLabel.text, IterationMS: ms}, s.rounded()
	if err == nil && rounded != design.FP32 {
		ms, err = library{plans, rounded.Share(), 1}.iterationMS(c, s.draws(c))
		if ms <= (1-worthRounding)*out.IterationMS || !s.rounds() {
			out = Simple{Text: halfLabel(rounded).text, Rounded: true, IterationMS: ms}
		}
	}
	return out, err
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

func (d library) iterationMS(c *cluster.Cluster, compute *cost.Draws) (float64, error) {
	w := newPredictor(MeasuredConvergence(), Setting{}.WithDefaults())
	best, err := w.best(d.process(DDP, c.Nodes()), scene{c: c, faster: 1, compute: compute})
	return best.IterationMS, err
}

// DDPIterationMS predicts an iteration of DistributedDataParallel.
func DDPIterationMS(ctx context.Context, c *cluster.Cluster, seed uint64) (float64, error) {
	plans, err := libraryPlans(ctx, c, seed)
	if err != nil {
		return 0, err
	}
	return library{plans, 1, 1}.iterationMS(c, cost.DrawsOf(c))
}

// leaveOut looks for machines that do better without the others, and compares them with the answer: by samples, or by
// steps to the same loss with AdamW, where runs show how many smaller batches need. Nodes that see other data than the
// rest are needed for it.
func (a *Advice) leaveOut(ctx context.Context, c *cluster.Cluster) {
	whole := a.simple()
	if whole == nil || a.Setting.Skew > 0 {
		return
	}
	s := a.Setting.bestSubset(ctx, c, whole.IterationMS)
	if s == nil {
		return
	}
	s.Epochs = float64(c.Nodes()) / float64(len(s.Keep))
	if a.Setting.Optimizer == AdamW {
		steps := adamw.Measured().Part(len(s.Keep), c.Nodes())
		s.Epochs, s.Deviation, s.Source = steps.Ratio, math.Log(steps.High/steps.Ratio), steps.Source
	}
	s.PredictedMS = s.IterationMS * s.Epochs
	if balanced := a.Setting; !balanced.Balance && subset.Shares(c) != nil {
		balanced.Balance = true
		if all, err := balanced.ddp(ctx, c); err == nil && s.Gain <= whole.IterationMS/all.IterationMS {
			s.Balanced = &all
		}
	}
	a.Subset = s
}

// simple is DistributedDataParallel on all machines, with gradients in 16 bits where that is worth it or wanted; nil
// where there is none.
func (a *Advice) simple() *Candidate {
	if h := a.half; h != nil && a.DDP != nil &&
		(h.IterationMS <= (1-worthRounding)*a.DDP.IterationMS || !a.Setting.rounds()) {
		return h
	}
	return a.DDP
}

// BestSimple is the soonest of these; without a text where there is none.
func (a *Advice) BestSimple() (best Simple) {
	if c := a.simple(); c != nil {
		best = Simple{Text: c.Text, Rounded: c.Kind == HalfDDP, IterationMS: c.IterationMS, Epochs: 1,
			PredictedMS: c.PredictedMS}
	}
	if s := a.Subset; s != nil && !a.Setting.Exact && s.PredictedMS < best.PredictedMS {
		best = s.Simple
		best.Text += " without " + s.Without
	}
	return best
}

// planned is what the planner recommends, whatever the user chose.
func (a *Advice) planned() Candidate {
	if a.Instead != nil {
		return *a.Instead
	}
	return a.Recommended
}

// Leave are the machines to leave out for the best answer; nil where all of them are of use, or where the user wants
// training unchanged, says how often nodes average or has chosen the best row. Gradients of all machines are as simple,
// so leaving some out must gain a tenth over these; anything else must beat it.
func (a *Advice) Leave() *Subset {
	s, worth := a.Subset, 1.0
	if a.planned().Kind.Gradients() {
		worth = worthLeaving
	}
	chosen := a.Setting.Exact || a.Setting.Every > 0 || a.Setting.Choose > 0 && a.Instead == nil
	if s == nil || s.Balanced != nil || chosen || worth*s.PredictedMS >= a.planned().PredictedMS {
		return nil
	}
	return s
}
