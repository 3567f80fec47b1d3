package work

import (
	"cmp"
	"context"
	"fmt"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/grace"
	"github.com/batopo/batopo/internal/outfile"
	"github.com/batopo/batopo/planner"
	"github.com/batopo/batopo/present"
	"github.com/batopo/batopo/server/jobs"
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
	c, err := r.build(l)
	if err != nil {
		return "", err
	}
	return "comparison on " + nodesTitle(c), nil
}

// build makes the cluster and complains about plans that are not for it.
func (r *CompareRequest) build(l Limits) (*cluster.Cluster, error) {
	c, err := l.build(r.Cluster)
	if err != nil || len(r.Plans) == 0 {
		return c, err
	}
	plans, err := l.readPlans(r.Plans)
	if err != nil {
		return nil, err
	}
	for k, p := range plans {
		if p.Nodes != c.Nodes() {
			return nil, fmt.Errorf("%s is for %d nodes, the cluster has %d", r.Plans[k].Name, p.Nodes, c.Nodes())
		}
	}
	return c, nil
}

func (r *CompareRequest) run(ctx context.Context, l Limits, feed *jobs.Feed) ([]outfile.File, error) {
	c, err := cluster.New(r.Cluster)
	if err != nil {
		return nil, err
	}
	rows, found, err := r.own(ctx, l, c)
	if err != nil {
		return nil, err
	}
	known, skipped := planner.PlacedBaselines(ctx, c, cmp.Or(r.Seed, 1))
	if rows = append(rows, known...); len(rows) == 0 {
		return nil, nil
	}
	all, err := alternatives(rows, c, found, nil)
	if err != nil {
		return nil, err
	}
	answer := CompareAnswer{ComparisonJSON: present.NewComparisonJSON(c, rows, skipped), Alternatives: all}
	late, cancel := grace.After(ctx, l.Drawing)
	defer cancel()
	answer.Curves, answer.LeftOut = curves(late, all, c.Model().TargetError)
	return written([]outfile.File{jsonFile(ResultFile, answer)})
}

// own prices the plans that were given.
func (r *CompareRequest) own(
	ctx context.Context, l Limits, c *cluster.Cluster,
) ([]planner.Row, map[*design.Plan]bool, error) {
	found := map[*design.Plan]bool{}
	if len(r.Plans) == 0 {
		return nil, found, nil
	}
	plans, err := l.readPlans(r.Plans)
	if err != nil {
		return nil, nil, err
	}
	var rows []planner.Row
	for k, p := range plans {
		s, err := p.Schedule()
		if err != nil {
			return nil, nil, err
		}
		priced, err := design.NewSchedulePlan(ctx, c, s)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", r.Plans[k].Name, err)
		}
		found[priced] = true
		rows = append(rows, planner.PlanRow(r.Plans[k].Name, priced))
	}
	return rows, found, nil
}
