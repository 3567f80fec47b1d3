package main

import (
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/topology"
)

// bucketMB is the size of the buckets in which DistributedDataParallel averages gradients in python/net/__main__.py.
const bucketMB = 0.25

// A Prediction is what a process should take. Mean times; a schedule's rounds differ.
type Prediction struct {
	RoundMS      float64 `json:"round_ms"`
	IterationMS  float64 `json:"iteration_ms,omitempty"`  // gradient, then round
	OverlappedMS float64 `json:"overlapped_ms,omitempty"` // round overlapped with the gradient
}

func predict(c *cluster.Cluster, plan *design.Plan) (Prediction, error) {
	var out Prediction
	p, err := plan.Process(c)
	if err != nil {
		return out, err
	}
	compute := cost.ComputeOf(c)
	// Rounds one after the other are iterations without a gradient; who is not in a round goes on to the next.
	if out.RoundMS, err = p.MeanOver(compute.Scaled(0).Draws(1), 0); err != nil {
		return out, err
	}
	if out.IterationMS, err = p.MeanOver(compute.Draws(1), 0); err != nil {
		return out, err
	}
	out.OverlappedMS, err = p.Running(p.Every, 1).MeanOver(compute.Draws(1), 0)
	return out, err
}

// predictDDP prices what gloo does.
func predictDDP(c *cluster.Cluster) (Prediction, error) {
	whole, err := cost.Of(collective.Ring(topology.InOrder(c.Nodes())), c)
	if err != nil {
		return Prediction{}, err
	}
	process, err := overGloo(c, bucketMB, 1)
	if err != nil {
		return Prediction{}, err
	}
	ms, err := process.MeanOver(cost.ComputeOf(c).Draws(1), 0)
	return Prediction{RoundMS: whole.MS, OverlappedMS: ms}, err
}

// overGloo is DistributedDataParallel over gloo: a ring all-reduce in the order of ranks, bucket by bucket; share: of
// the bytes of a bucket that are sent.
func overGloo(c *cluster.Cluster, bucketMB, share float64) (*cost.Process, error) {
	library, err := cost.NewLibrary(c, collective.Ring(topology.InOrder(c.Nodes())))
	if err != nil {
		return nil, err
	}
	p, _, err := library.InBuckets(c, bucketMB, cost.Gradients(share))
	return p, err
}
