package correct

import (
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/format/trial"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/topology"
)

// priceOf predicts an iteration of a way of training on a cluster.
func priceOf(c *cluster.Cluster, backend string, kind trial.Kind, plan *design.Plan) (float64, error) {
	var process *cost.Process
	var err error
	switch {
	case kind == trial.Alone:
		return slices.Max(cost.ComputeOf(c).MS), nil
	case kind == trial.DDP:
		process, err = cost.InBuckets(c, cost.Gradients(1), libraryWays(c, backend)...)
	case kind == trial.HalfDDP:
		process, err = cost.InBuckets(c, cost.Gradients(design.FP16.Share()), libraryWays(c, backend)...)
	case kind == trial.Hook || plan.Synchronous():
		// A trial runs the plan's own all-reduce, in the plan's buckets.
		hook := *plan
		hook.Clocks = design.Clocks{Average: design.Gradients, Wire: plan.Wire, BucketMB: plan.BucketMB,
			BatchWeights: plan.BatchWeights}
		return hook.IterationMS(c)
	default:
		return plan.IterationMS(c)
	}
	if err != nil {
		return 0, err
	}
	return process.OnCluster(c)
}

// libraryWays are the all-reduces of a library: gloo goes around the ring of its ranks, NCCL chooses.
func libraryWays(c *cluster.Cluster, backend string) []*collective.Algorithm {
	if backend == "gloo" {
		return []*collective.Algorithm{collective.Ring(topology.InOrder(c.Nodes()))}
	}
	return cost.LibraryWays(c)
}
