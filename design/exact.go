package design

import "github.com/batopo/batopo/cluster"

// NewCollectivePlan describes an all-reduce over all nodes on a cluster: one round, after which everybody agrees.
func NewCollectivePlan(c *cluster.Cluster, how *Collective) (*Plan, error) {
	return newExact(c, nil, how)
}

// NewTwoClockPlan describes groups whose nodes average gradients in every step, and an all-reduce among the groups,
// whose node k stands for group k. The caller sets how often it is made, and the other clocks, and seals the plan.
func NewTwoClockPlan(c *cluster.Cluster, groups [][]int, how *Collective) (*Plan, error) {
	return newExact(c, &Inside{Groups: groups, Gradients: true}, how)
}

func newExact(c *cluster.Cluster, inside *Inside, how *Collective) (*Plan, error) {
	p := blank(c)
	p.Kind, p.Every, p.Order, p.Sign = CollectiveKind, 1, AdaptThenCombine, NonNegative
	p.Collective, p.Inside, p.Iterations = how, inside, 1
	if err := p.checkInside(); err != nil {
		return nil, err
	}
	if err := how.check(p.parties()); err != nil {
		return nil, err
	}
	if err := p.setCosts(c); err != nil {
		return nil, err
	}
	p.Seal()
	return p, nil
}
