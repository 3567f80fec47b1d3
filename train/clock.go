package train

import (
	"fmt"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/collective"
	"github.com/batopo/batopo/topology"
)

// A clock says how long iterations take on a cluster: the gradient, and where nodes average the round after it or,
// overlapped, beside it.
type clock struct {
	computeMS float64
	extraMS   []float64 // what each round of a period adds to its iteration
	every     int
}

// newClock prices the rounds of an entry; without any it averages by ring all-reduce.
func newClock(c *cluster.Cluster, e Entry, s Settings) (clock, error) {
	t := clock{computeMS: c.Model().ComputeMS, every: s.Every}
	priced := c
	if s.Momentum == Mixed {
		var err error
		if priced, err = c.WithMessage(2 * c.Model().MessageMB); err != nil {
			return t, err
		}
	}
	rounds, err := e.rounds(priced)
	if err != nil {
		return t, err
	}
	for _, r := range rounds {
		t.extraMS = append(t.extraMS, r.CommunicationMS)
	}
	if s.Overlap {
		for k, ms := range t.extraMS {
			t.extraMS[k] = max(0, ms-t.computeMS)
		}
	}
	return t, nil
}

// rounds prices one period.
func (e Entry) rounds(c *cluster.Cluster) ([]cluster.Round, error) {
	switch {
	case e.Plan != nil:
		return e.Plan.RoundCosts(c)
	case e.W == nil:
		ring, err := collective.Ring(topology.InOrder(c.Nodes())).Cost(c)
		return []cluster.Round{{CommunicationMS: ring.MS}}, err
	}
	all := make([]cluster.Round, len(e.W.Rounds))
	for k, m := range e.W.Rounds {
		var err error
		if all[k], err = c.Round(m); err != nil {
			return nil, fmt.Errorf("round %d: %w", k, err)
		}
	}
	return all, nil
}

// at returns the time when an iteration ends, counted from 1. It is a function of the iteration alone, so that a run
// that was resumed shows the same times.
func (t clock) at(iteration int) float64 {
	rounds, period := iteration/t.every, 0.0
	for _, ms := range t.extraMS {
		period += ms
	}
	ms := float64(iteration)*t.computeMS + float64(rounds/len(t.extraMS))*period
	for k := range rounds % len(t.extraMS) {
		ms += t.extraMS[k]
	}
	return ms
}
