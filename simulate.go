package batopo

import (
	"context"
	"errors"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/consensus"
)

// The methods of Optimize: the best that is known, the paper's iteration improved, and Algorithm 2 as printed.
const (
	Auto    = sweep.Auto
	ADMM    = sweep.ADMM
	AsPaper = sweep.Paper
)

// What Simulate is asked and answers.
type (
	SimulationSettings = consensus.Settings // the zero value: 20 Gaussian starts, 1000 rounds
	Simulation         = consensus.Result   // the error left after every round, over rounds and over time
	Step               = design.Step        // one iteration of Algorithm 2; Options.Paper.Trace brings them
)

// Simulate has nodes that start with different numbers average by the plan, round after round. It ends at
// s.Target, after s.MaxRounds, or when ctx ends.
func Simulate(ctx context.Context, p *Plan, s SimulationSettings) (*Simulation, error) {
	w, err := p.Averages()
	if err != nil {
		return nil, err
	}
	return consensus.Simulate(ctx, w, s)
}

// Price returns the milliseconds of an iteration by the plan on any cluster with as many nodes.
func Price(p *Plan, c *Cluster) (ms float64, err error) {
	if p == nil || c == nil {
		return 0, errors.New("batopo: a price needs a plan and a cluster")
	}
	return p.IterationMS(c)
}
