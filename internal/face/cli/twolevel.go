package cli

import (
	"context"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"

	"github.com/spf13/cobra"
)

// twoLevelFlag lets a command plan between groups of nodes that average exactly inside.
type twoLevelFlag struct{ on bool }

func (f *twoLevelFlag) bind(c *cobra.Command) {
	c.Flags().BoolVar(&f.on, "two-level", false,
		"average exactly inside the cluster's groups, such as servers; the plan is between groups, in shards")
}

// plan makes the plan of a command: on the cluster itself, or between its groups.
func (f *twoLevelFlag) plan(
	ctx context.Context, c *cluster.Cluster, make func(c *cluster.Cluster) (*design.Plan, error),
) (*design.Plan, error) {
	if !f.on {
		return make(c)
	}
	groups, err := sweep.Groups(c)
	if err != nil {
		return nil, err
	}
	between, err := sweep.BetweenGroups(c, groups)
	if err != nil {
		return nil, err
	}
	p, err := make(between)
	if err != nil {
		return nil, err
	}
	whole, err := sweep.TwoLevelPlan(context.WithoutCancel(ctx), c, sweep.TwoLevel{Groups: groups, Between: p})
	if err == nil {
		whole.Run = p.Run
	}
	return whole, err
}
