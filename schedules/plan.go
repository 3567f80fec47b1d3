package schedules

import (
	"context"
	"errors"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
)

// Plan describes a gossip schedule as a plan.
func (r *Result) Plan(ctx context.Context, c *cluster.Cluster, s Settings) (*design.Plan, error) {
	if r.Schedule == nil {
		return nil, errors.New("schedules: only gossip has rounds that a plan can list")
	}
	p, err := design.NewSchedulePlan(ctx, c, r.Schedule)
	if err != nil {
		return nil, err
	}
	p.Method, p.Seed, p.Stop = "schedule", s.Seed, r.Stop
	p.Settings.Evaluations, p.TimeBound = s.Evaluations, r.Bound
	p.Notes = append(p.Notes, r.Name)
	return p, nil
}
