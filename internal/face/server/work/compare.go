package work

import (
	"context"
	"fmt"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/face/server/jobs"
	"github.com/batopo/batopo/internal/ground/grace"
	"github.com/batopo/batopo/internal/ground/outfile"
	"github.com/batopo/batopo/internal/show/present"
	"github.com/batopo/batopo/internal/solve/schedules"
)

// A CompareRequest asks what every known topology, and plans of one's own, cost on a cluster.
type CompareRequest struct {
	Cluster cluster.Spec `json:"cluster"`
	Plans   []NamedPlan  `json:"plans,omitempty"`
	Seed    uint64       `json:"seed,omitempty"` // of random families; 0 means 1
}

// A CompareAnswer lists them, soonest first.
type CompareAnswer struct {
	present.ComparisonJSON
	Alternatives []Alternative `json:"alternatives"`
	Curves       []Curve       `json:"curves"`
	LeftOut      []string      `json:"left_out,omitempty"`
}

func (r *CompareRequest) check(l Limits) (title string, err error) {
	c, _, err := l.clusterAndPlans(r.Cluster, r.Plans)
	if err != nil {
		return "", err
	}
	return "comparison on " + nodesTitle(c), nil
}

func (r *CompareRequest) run(ctx context.Context, l Limits, feed *jobs.Feed) ([]outfile.File, error) {
	c, plans, err := l.clusterAndPlans(r.Cluster, r.Plans)
	if err != nil {
		return nil, err
	}
	var own []sweep.Row
	found := map[*design.Plan]bool{}
	for k, p := range plans {
		priced, err := p.On(ctx, c)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.Plans[k].Name, err)
		}
		found[priced] = true
		own = append(own, sweep.PlanRow(r.Plans[k].Name, priced))
	}
	rows, skipped := batopo.Compare(ctx, c, own, batopo.Options{Seed: r.Seed})
	if len(rows) == 0 {
		return nil, nil
	}
	all, err := alternatives(rows, c, found, nil)
	if err != nil {
		return nil, err
	}
	least := schedules.LowerBound(c, false)
	answer := CompareAnswer{ComparisonJSON: present.NewComparisonJSON(c, rows, skipped, least), Alternatives: all}
	late, cancel := grace.After(ctx, l.Drawing)
	defer cancel()
	answer.Curves, answer.LeftOut = curves(late, all, c.Model().TargetError)
	return written([]outfile.File{jsonFile(ResultFile, answer)})
}

// clusterAndPlans builds a cluster and reads plans for it.
func (l Limits) clusterAndPlans(s cluster.Spec, named []NamedPlan) (*cluster.Cluster, []*design.Plan, error) {
	c, err := l.build(s)
	if err != nil {
		return nil, nil, err
	}
	plans, err := l.readPlans(named)
	if err != nil {
		return nil, nil, err
	}
	for k, p := range plans {
		if p.Nodes != c.Nodes() {
			return nil, nil, fmt.Errorf("%s is for %d nodes, the cluster has %d", named[k].Name, p.Nodes, c.Nodes())
		}
	}
	return c, plans, nil
}
