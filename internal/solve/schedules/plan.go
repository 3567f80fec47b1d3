package schedules

import (
	"context"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
)

// Plan describes the result as a plan: gossip as a period of rounds, the other forms as a collective in steps.
func (r *Result) Plan(ctx context.Context, c *cluster.Cluster, s Settings) (*design.Plan, error) {
	p, err := r.described(ctx, c)
	if err != nil {
		return nil, err
	}
	p.Method, p.Seed, p.Stop = "schedule", s.Seed, r.Stop
	p.Settings.Evaluations, p.TimeBound = s.Evaluations, r.Bound
	p.Notes = append(p.Notes, r.Name)
	return p, nil
}

func (r *Result) described(ctx context.Context, c *cluster.Cluster) (*design.Plan, error) {
	if r.Algorithm != nil {
		return design.NewCollectivePlan(c, design.StepsOf(r.Algorithm))
	}
	return design.NewSchedulePlan(ctx, c, r.Schedule)
}
