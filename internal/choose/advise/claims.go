package advise

import (
	"reflect"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
)

// claim writes into the plan that is recommended what is said of it and of what it was compared with: plain DDP, the
// best of what people try first, and one machine alone. Package verify recomputes that.
func (a *Advice) claim(c *cluster.Cluster) {
	plan := a.Recommended.Plan
	if plan == nil {
		return
	}
	plan.Answer = &design.Answer{Optimizer: a.Setting.Optimizer}
	if a.Recommended.On != nil {
		spec := c.Spec()
		plan.Answer.Cluster = &spec
	}
	rows := []*Candidate{&a.Recommended, a.DDP, a.BestSimple(), nil}
	if k := slices.IndexFunc(a.All, func(one Candidate) bool { return one.Kind == Alone }); k >= 0 {
		rows[3] = &a.All[k]
	}
	for k, one := range rows {
		same := func(other *Candidate) bool { return one != nil && other != nil && other.Name == one.Name }
		if one == nil || slices.ContainsFunc(rows[:k], same) {
			continue
		}
		row := one.said()
		if row.BatchShares == nil && one.Kind != Alone {
			row.BatchShares = a.Setting.shares(one.Cluster(c))
		}
		if k > 0 && one.Plan != nil && !reflect.DeepEqual(one.Plan.Collective, plan.Collective) {
			row.Collective = one.Plan.Collective
		}
		plan.Answer.Rows = append(plan.Answer.Rows, row)
	}
}

// said is what the answer says of a candidate.
func (c *Candidate) said() design.AnswerRow {
	row := design.AnswerRow{Nodes: c.Nodes(), BatchShares: c.Shares, Sharded: c.Kind.Sharded(), LearningRate: c.Rate,
		Batches: c.Accumulate, Whole: c.Whole, Measured: c.Tried || c.excess != 0,
		CommunicationMS: c.CommunicationMS, IterationMS: c.IterationMS, RelativeSteps: c.Epochs}
	if c.Kind.Gradients() && c.Kind != Alone {
		row.BucketMB = c.BucketMB
	}
	if c.Plan != nil {
		row.Wire = c.Plan.Wire
	}
	return row
}
