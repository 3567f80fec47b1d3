package advise

import (
	"context"
	"fmt"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/planner"
)

// levels lists plans on two levels, where the cluster has groups. A tree of racks and hosts has several levels to
// average inside of.
func (l *list) levels(ctx context.Context) {
	levels, err := planner.Levels(l.c)
	if err != nil {
		return // there is nothing to average inside of
	}
	for _, groups := range levels {
		of := ""
		if len(levels) > 1 {
			of = fmt.Sprintf(" %d groups of %d", len(groups), len(groups[0]))
		}
		l.level(ctx, groups, of)
	}
}

// level lists schedules and the best static graph between groups; of tells the levels of a cluster apart.
func (l *list) level(ctx context.Context, groups [][]int, of string) {
	between, err := planner.BetweenGroups(l.c, groups)
	if err != nil {
		l.leave("two levels"+of, planner.Infeasible, err)
		return
	}
	for _, f := range mixing.Schedules {
		if f.Takes(mixing.ParamBase) {
			continue
		}
		plan, err := scheduleBetween(ctx, between, f, l.seed)
		if err == nil {
			plan, err = planner.TwoLevelPlan(ctx, l.c, planner.TwoLevel{Groups: groups, Between: plan})
		}
		l.addPlan(ctx, levelLabel(f.Name, groups, of), plan, err)
	}
	const evaluations = 20_000 // graphs of a few servers
	plan, err := planner.TwoLevelPlan(ctx, l.c, planner.TwoLevel{Groups: groups, Purpose: design.Training,
		Settings: planner.Settings{Seed: l.seed, Evaluations: evaluations}})
	l.addPlan(ctx, levelLabel("static graph", groups, of), plan, err)
}

func scheduleBetween(ctx context.Context, c *cluster.Cluster, f mixing.ScheduleFamily,
	seed uint64) (*design.Plan, error) {
	s, err := f.Build(mixing.ScheduleParams{Nodes: c.Nodes(), Seed: seed})
	if err != nil {
		return nil, err
	}
	return design.NewSchedulePlan(ctx, c, s)
}
