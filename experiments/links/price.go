package main

import (
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/collective"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/iteration"
)

// bucketMB is the size of the buckets in which DistributedDataParallel averages gradients here.
const bucketMB = 0.25

// A Prediction is what a process should take. Mean times; a schedule's rounds differ.
type Prediction struct {
	RoundMS      float64 `json:"round_ms"`
	IterationMS  float64 `json:"iteration_ms,omitempty"`  // gradient, then round
	OverlappedMS float64 `json:"overlapped_ms,omitempty"` // round beside the gradient
}

func predict(c *cluster.Cluster, p *design.Plan) (Prediction, error) {
	var out Prediction
	var err error
	for t := range p.Rounds {
		if p.RoundMS[t], err = roundMS(c, p, t); err != nil {
			return out, err
		}
	}
	compute := iteration.ComputeOf(c)
	// Rounds one after the other are iterations without a gradient; who is not in a round goes on to the next.
	if out.RoundMS, err = meanMS(p, compute.Scaled(0)); err != nil {
		return out, err
	}
	if out.IterationMS, err = meanMS(p, compute); err != nil {
		return out, err
	}
	p.Overlap = true
	out.OverlappedMS, err = meanMS(p, compute)
	return out, err
}

func meanMS(p *design.Plan, compute iteration.Compute) (float64, error) {
	process, err := iteration.FromPlan(p)
	if err != nil {
		return 0, err
	}
	return process.MeanMS(compute, iteration.Settings{Seed: 1})
}

// roundMS prices one round on a cluster.
func roundMS(c *cluster.Cluster, p *design.Plan, t int) (float64, error) {
	if p.Inside != nil {
		return twoLevelMS(c, p, t)
	}
	w, err := p.Matrices()
	if err != nil {
		return 0, err
	}
	round, err := c.Round(w[t])
	return round.CommunicationMS, err
}

// twoLevelMS prices exact averages inside groups in one step, the edges between them, and handing results around.
func twoLevelMS(c *cluster.Cluster, p *design.Plan, t int) (float64, error) {
	var step []collective.Transfer
	for _, e := range p.Rounds[t].Edges {
		step = append(step, collective.Transfer{From: e.I, To: e.J, End: 1}, collective.Transfer{From: e.J, To: e.I, End: 1})
	}
	between := &collective.Algorithm{Name: "edges", Nodes: len(p.Inside.Groups), Steps: 1, Chunks: 1,
		At: func(int) []collective.Transfer { return step }}
	cost, err := collective.Levels(p.Inside.Groups, collective.Direct, between).Cost(c)
	return cost.MS, err
}

// predictDDP prices what gloo does: a ring all-reduce in the order of ranks, bucket by bucket.
func predictDDP(c *cluster.Cluster) (Prediction, error) {
	order := make([]int, c.Nodes())
	for i := range order {
		order[i] = i
	}
	whole, err := collective.Ring(order).Cost(c)
	if err != nil {
		return Prediction{}, err
	}
	price := func(mb float64) (float64, error) {
		part, err := withModel(c, mb, 0)
		if err != nil {
			return 0, err
		}
		cost, err := collective.Ring(order).Cost(part)
		return cost.MS, err
	}
	process, err := iteration.DDP(c.Nodes(), c.Model().MessageMB, bucketMB, price)
	if err != nil {
		return Prediction{}, err
	}
	ms, err := process.MeanMS(iteration.ComputeOf(c), iteration.Settings{Seed: 1})
	return Prediction{RoundMS: whole.MS, OverlappedMS: ms}, err
}
