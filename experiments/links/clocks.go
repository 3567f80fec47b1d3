package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/ground/outfile"
	"github.com/batopo/batopo/topology"
)

type clock struct {
	every, delay, pieces int
	wire                 design.Wire
}

// clockPlans are the plans with local SGD between groups that python/net/clocks.py runs.
var clockPlans = map[string]clock{
	"clocks-16":         {every: 16},
	"clocks-16-int8":    {every: 16, wire: design.INT8},
	"clocks-16-late-16": {every: 16, delay: 16},
	"clocks-6-int8":     {every: 6, wire: design.INT8},
	"clocks-4-int2":     {every: 4, pieces: 4, wire: design.INT2},
	"clocks-4-int1":     {every: 4, pieces: 4, wire: design.INT1},
	"clocks-4-late-1":   {every: 4, pieces: 4, delay: 1, wire: design.INT1},
	"clocks-64":         {every: 64},
	"clocks-64-late-64": {every: 64, delay: 64},
}

// makeClocks writes the plans with local SGD for the groups of a cluster, and the all-reduces of gradients. It
// returns the milliseconds of an iteration of training by them and by DistributedDataParallel over gloo, with
// buckets of that size.
func makeClocks(ctx context.Context, c *cluster.Cluster, folder string, bucketMB float64) (map[string]float64, error) {
	levels, err := cost.Divisions(c)
	if err != nil || len(levels) == 0 {
		return nil, errors.Join(errors.New("the cluster has no groups to average gradients in"), err)
	}
	plans, out := map[string]*design.Plan{}, map[string]float64{}
	for name, clock := range clockPlans {
		if plans[name], err = twoClocks(ctx, c, levels[0], clock); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if out[name], err = plans[name].IterationMS(c); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	alone, err := (&cost.Process{Nodes: c.Nodes(), Every: 1}).GradientsInside(c, levels[0], 1)
	if err != nil {
		return nil, err
	}
	processes := map[string]*cost.Process{"alone": alone}
	for wire, share := range map[string]float64{"": 1, "-fp16": 0.5} {
		if processes["ddp"+wire], err = overGloo(c, bucketMB, share); err != nil {
			return nil, err
		}
		if plans["hook"+wire], processes["hook"+wire], err = hook(ctx, c, share, bucketMB); err != nil {
			return nil, err
		}
	}
	for name, p := range processes {
		if out[name], err = p.MeanOver(cost.ComputeOf(c).Draws(1), 0); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	out["ddp-4-batches"] = out["ddp"] + 3*c.Model().ComputeMS
	return out, writePlans(ctx, folder, plans)
}

func twoClocks(ctx context.Context, c *cluster.Cluster, groups [][]int, how clock) (*design.Plan, error) {
	p, err := design.NewTwoClockPlan(c, groups, &design.Collective{Algorithm: "ring",
		Order: topology.InOrder(len(groups))})
	if err != nil {
		return nil, err
	}
	p.Every, p.DelaySteps, p.Wire, p.Pieces = how.every, how.delay, how.wire, how.pieces
	if how.wire.Few() {
		p.Average = design.Changes
	}
	return p.On(ctx, c)
}

// hook is DistributedDataParallel with the quickest all-reduce; share: of the bytes of 32-bit gradients.
func hook(ctx context.Context, c *cluster.Cluster, share, bucketMB float64) (*design.Plan, *cost.Process, error) {
	sent, err := withModel(c, share*c.Model().MessageMB, 0)
	if err != nil {
		return nil, nil, err
	}
	plan, err := sweep.CollectivePlan(ctx, sent, "", 1)
	if err != nil {
		return nil, nil, err
	}
	plan.Average, plan.BucketMB = design.Gradients, bucketMB*1e6/(1<<20) // of torch's megabytes
	plan.Seal()
	tariffs, err := cost.NewHook(c, plan.Collective.Runs())
	if err != nil {
		return nil, nil, err
	}
	p, err := tariffs.InBuckets(c, bucketMB, cost.Gradients(share))
	return plan, p, err
}

func writePlans(ctx context.Context, folder string, plans map[string]*design.Plan) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, plan := range plans {
		if err := outfile.Write(ctx, filepath.Join(folder, name+".json"), plan.Write); err != nil {
			return err
		}
	}
	return nil
}
