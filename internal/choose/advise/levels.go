package advise

import (
	"context"
	"fmt"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/mixing"
)

// divide finds the groups of the cluster; without any there is nothing to average inside of.
func (l *list) divide() {
	if levels, err := cost.Divisions(l.c); err == nil {
		l.levelled, l.groups = levels, levels[0]
	}
}

// levels considers plans of hierarchical averaging, where the cluster has groups. A tree of racks and hosts has several
// levels to average inside of.
func (l *list) levels() {
	levels := l.levelled
	for _, groups := range levels {
		of := ""
		if len(levels) > 1 {
			of = fmt.Sprintf(" %d groups of %d", len(groups), len(groups[0]))
		}
		l.level(groups, of)
	}
}

// level considers schedules and the best static graph between groups; of tells the levels of a cluster apart.
func (l *list) level(groups [][]int, of string) {
	between, err := sweep.BetweenGroups(l.c, groups)
	if err != nil {
		l.consider(called("hierarchical"+of, ""), func(context.Context) (*design.Plan, error) { return nil, err })
		return
	}
	for _, f := range mixing.Schedules {
		if f.Takes(mixing.ParamBase) {
			continue
		}
		l.consider(levelLabel(f.Name, groups, of), func(ctx context.Context) (*design.Plan, error) {
			plan, err := scheduleBetween(ctx, between, f, l.setting.Seed)
			if err != nil {
				return nil, err
			}
			return sweep.TwoLevelPlan(ctx, l.c, sweep.TwoLevel{Groups: groups, Between: plan})
		})
	}
	const evaluations = 20_000 // graphs of a few servers
	l.consider(levelLabel("static graph", groups, of), func(ctx context.Context) (*design.Plan, error) {
		return sweep.TwoLevelPlan(ctx, l.c, sweep.TwoLevel{Groups: groups, Purpose: design.Training,
			Settings: sweep.Settings{Seed: l.setting.Seed, Evaluations: evaluations}})
	})
}

func scheduleBetween(ctx context.Context, c *cluster.Cluster, f mixing.ScheduleFamily,
	seed uint64) (*design.Plan, error) {
	s, err := f.Build(mixing.ScheduleParams{Nodes: c.Nodes(), Seed: seed})
	if err != nil {
		return nil, err
	}
	return design.NewSchedulePlan(ctx, c, s)
}
