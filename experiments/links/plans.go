package main

import (
	"context"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/mixing"
)

// processes are what runs on every network beside DistributedDataParallel: known graphs, our static plan, the same as
// one-peer rounds, a known schedule, and all-reduce inside groups of four with one edge between them.
var processes = []string{"ring", "exponential", "static", "schedule", "one-peer", "two-level"}

// The search for our plan; graphs of 8 nodes need few evaluations.
const (
	evaluations = 4000
	maxEdges    = 12 // sparse, as training wants it; with more, averaging over all 28 edges would win
)

func makePlans(ctx context.Context, c *cluster.Cluster, folder string) error {
	static, err := sweep.Optimize(ctx, design.Problem{Cluster: c, MaxEdges: maxEdges, Objective: design.Time},
		sweep.Settings{Seed: 1, Evaluations: evaluations})
	if err != nil {
		return err
	}
	plans := map[string]*design.Plan{"static": static}
	if plans["two-level"], err = twoLevel(ctx, c); err != nil {
		return err
	}
	for _, name := range []string{"ring", "exponential"} {
		family, err := mixing.FindFamily(name)
		if err != nil {
			return err
		}
		w, err := family.Build(mixing.Params{Nodes: c.Nodes()})
		if err != nil {
			return err
		}
		if plans[name], err = sweep.Describe(ctx, c, w); err != nil {
			return err
		}
	}
	if plans["schedule"], plans["one-peer"], err = schedules(ctx, c, static); err != nil {
		return err
	}
	return writePlans(ctx, folder, plans)
}

// schedules returns the matchings of our plan, and the one-peer exponential graph.
func schedules(ctx context.Context, c *cluster.Cluster, static *design.Plan) (ours, known *design.Plan, err error) {
	if ours, err = sweep.EdgesInTurn(ctx, c, static); err != nil {
		return nil, nil, err
	}
	family, err := mixing.FindSchedule("one-peer-exponential")
	if err != nil {
		return nil, nil, err
	}
	s, err := family.Build(mixing.ScheduleParams{Nodes: c.Nodes()})
	if err != nil {
		return nil, nil, err
	}
	known, err = design.NewSchedulePlan(ctx, c, s)
	return ours, known, err
}

// twoLevel averages exactly inside the two halves, which are the racks and servers where there are any.
func twoLevel(ctx context.Context, c *cluster.Cluster) (*design.Plan, error) {
	half := c.Nodes() / 2
	groups := make([][]int, 2)
	for i := range c.Nodes() {
		groups[i/half] = append(groups[i/half], i)
	}
	return sweep.TwoLevelPlan(ctx, c, sweep.TwoLevel{Groups: groups,
		Settings: sweep.Settings{Seed: 1, Evaluations: evaluations}})
}
