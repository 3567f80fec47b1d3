package correct

import (
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/format/trial"
	"github.com/batopo/batopo/internal/cost"
)

// priceOf predicts an iteration of a way of training on a cluster.
func priceOf(c *cluster.Cluster, kind trial.Kind, plan *design.Plan) (float64, error) {
	var process *cost.Process
	var err error
	switch {
	case kind == trial.Alone:
		return slices.Max(cost.ComputeOf(c).MS), nil
	case kind == trial.DDP:
		process, err = cost.InBuckets(c, cost.Gradients(1), cost.LibraryWays(c)...)
	case kind == trial.HalfDDP:
		process, err = cost.InBuckets(c, cost.Gradients(design.FP16.Share()), cost.LibraryWays(c)...)
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
