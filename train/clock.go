package train

import (
	"fmt"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/collective"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// A clock says how long iterations take on a cluster: the gradient, and where nodes average the round after it or,
// overlapped, beside it.
type clock struct {
	computeMS float64
	extraMS   []float64 // what each round of a period adds to its iteration
	every     int
}

// newClock prices a schedule, or ring all-reduce where there is none.
func newClock(c *cluster.Cluster, w *mixing.Schedule, s Settings) (clock, error) {
	t := clock{computeMS: c.Model().ComputeMS, every: s.Every}
	priced := c
	if s.Momentum == Mixed {
		var err error
		if priced, err = withMessages(c, 2); err != nil {
			return t, err
		}
	}
	if w == nil {
		ring, err := collective.Ring(topology.InOrder(c.Nodes())).Cost(priced)
		if err != nil {
			return t, err
		}
		t.extraMS = []float64{ring.MS}
	} else {
		for k, m := range w.Rounds {
			round, err := priced.Round(m)
			if err != nil {
				return t, fmt.Errorf("round %d: %w", k, err)
			}
			t.extraMS = append(t.extraMS, round.CommunicationMS)
		}
	}
	if s.Overlap {
		for k, ms := range t.extraMS {
			t.extraMS[k] = max(0, ms-t.computeMS)
		}
	}
	return t, nil
}

// withMessages returns the cluster with messages that many times as long.
func withMessages(c *cluster.Cluster, times float64) (*cluster.Cluster, error) {
	spec, model := c.Spec(), c.Model()
	model.MessageMB *= times
	spec.Model = &cluster.ModelSpec{
		MessageMB: &model.MessageMB, ComputeMS: &model.ComputeMS, TargetError: &model.TargetError,
	}
	return cluster.New(spec)
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
