package train

import (
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/topology"
)

// newClock times an entry on a cluster.
func newClock(c *cluster.Cluster, e Entry, s Settings) (*cost.Clock, error) {
	priced := c
	if s.Momentum == Mixed {
		var err error
		if priced, err = c.WithMessage(2 * c.Model().MessageMB); err != nil {
			return nil, err
		}
	}
	process, err := e.process(priced)
	if err != nil {
		return nil, err
	}
	return process.Running(s.Every, cost.DelayOf(s.Overlap)).Clock(c)
}

// process prices the rounds of an entry; without any it averages by ring all-reduce.
func (e Entry) process(c *cluster.Cluster) (*cost.Process, error) {
	switch {
	case e.Plan != nil:
		return e.Plan.Process(c)
	case e.W == nil:
		return cost.NewProcess(c, []cost.Form{{Steps: collective.Ring(topology.InOrder(c.Nodes()))}})
	}
	return cost.NewProcess(c, cost.Forms(e.W.Rounds))
}
