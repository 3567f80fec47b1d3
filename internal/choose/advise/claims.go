package advise

import (
	"reflect"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
)

// claim writes into the plan that is recommended what is said of it, and of what it was compared with: package verify
// recomputes it.
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
	rows := []*Candidate{&a.Recommended, a.DDP, a.BestSimple(), a.alone()}
	for k, one := range rows {
		same := func(other *Candidate) bool { return one != nil && other != nil && other.Name == one.Name }
		if one == nil || slices.ContainsFunc(rows[:k], same) {
			continue
		}
		row := one.said(design.AnswerRoles[k], a.sharesOf(c, one))
		if k > 0 && one.Plan != nil && !reflect.DeepEqual(one.Plan.Collective, plan.Collective) {
			row.Collective = one.Plan.Collective
		}
		plan.Answer.Rows = append(plan.Answer.Rows, row)
	}
}

// alone is the single machine that ranks first; nil where none was looked at.
func (a *Advice) alone() *Candidate {
	for k := range a.All {
		if a.All[k].Kind == Alone {
			return &a.All[k]
		}
	}
	return nil
}

// sharesOf are the shares of the batch that the machines of a candidate have; nil: equal ones.
func (a *Advice) sharesOf(c *cluster.Cluster, one *Candidate) []float64 {
	switch {
	case one.Shares != nil:
		return one.Shares
	case one.Kind == Alone:
		return nil
	}
	return a.Setting.shares(one.Cluster(c))
}

// said is what the answer says of a candidate.
func (c *Candidate) said(role string, shares []float64) design.AnswerRow {
	row := design.AnswerRow{Role: role, Kind: string(c.Kind), Nodes: c.Nodes(), BatchShares: shares,
		CommunicationMS: c.CommunicationMS, IterationMS: c.IterationMS, RelativeSteps: c.Epochs, LearningRate: c.Rate}
	if c.Kind.Gradients() && c.Kind != Alone {
		row.BucketMB = c.BucketMB
	}
	if c.Plan != nil {
		row.Wire = c.Plan.Wire
	}
	return row
}
