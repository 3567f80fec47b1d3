package main

import (
	"context"
	"fmt"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/experiments/internal/ledger"
	"github.com/batopo/batopo/experiments/internal/measure"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/planner"
)

// withLimits are the literal runs on unequal hardware.
var withLimits = measure.Grid{Rho: []float64{0.5, 1, 2, 5}, Seeds: 16, Steps: 5000}

const sweepFactor = 2 // a sweep divides its evaluations among budgets

// figures are the consensus-error curves: four kinds of hardware, the known topologies, the paper's method and ours at
// the paper's edge budgets, and what the paper does not show: ring all-reduce and one-peer schedules on the same
// hardware.
func figures(o ledger.Options) ([]measure.Task, error) {
	var list []measure.Task
	for _, s := range scenarios {
		if o.Toy && !s.toy {
			continue
		}
		c, err := s.cluster(o.Root)
		if err != nil {
			return nil, err
		}
		bench := measure.Bench{Experiment: "figures", Prefix: s.name, Results: o.Results, Cluster: c,
			Settings: map[string]any{"cluster": s.file}, Simulation: measure.Simulation{Trials: 1000, Seed: seed,
				Curve: true}}
		list = append(list, s.known(bench)...)
		list = append(list, s.solved(bench, o.Toy)...)
		for _, name := range s.baselines {
			list = append(list, baseline(s, c, name))
		}
	}
	return list, nil
}

// known are the topologies that the paper compares with.
func (s scenario) known(bench measure.Bench) (list []measure.Task) {
	n := bench.Cluster.Nodes()
	for _, family := range s.families {
		list = append(list, bench.Known(family, measure.Family(family, n)))
	}
	if s.doubled {
		list = append(list, bench.Known("torus-doubled", func() (*mixing.Matrix, error) { return doubledTorus(n) }))
	}
	for _, m := range s.shifts {
		list = append(list, bench.Drawn(fmt.Sprintf("u-equistatic-m%d", m), m, "best"))
	}
	return list
}

// solved are the paper's method and ours at each budget, and our choice of budget.
func (s scenario) solved(bench measure.Bench, toy bool) (list []measure.Task) {
	c := bench.Cluster
	search := measure.Question{Cluster: s.file, Nodes: c.Nodes(), Seed: seed, Method: planner.Auto,
		Evaluations: measure.Evaluations(c.Nodes())}
	for _, r := range s.budgets {
		q := measure.Question{Cluster: s.file, Nodes: c.Nodes(), Edges: r, Seed: seed, Method: planner.ADMM,
			PrintedStep: true}
		q.Exact = !c.Homogeneous()
		literal := measure.Question{Cluster: s.file, Nodes: c.Nodes(), Edges: r, Seed: seed,
			Method: planner.Paper, BestOf: &withLimits}
		if c.Homogeneous() {
			literal.BestOf = literalRuns(c.Nodes())
		}
		if !toy {
			list = append(list, bench.Solved(fmt.Sprintf("paper-r%d", r), q))
		}
		list = append(list, bench.Solved(fmt.Sprintf("literal-r%d", r), literal))
		q = search
		q.Edges = r
		if c.Homogeneous() {
			q = q.Even()
		}
		list = append(list, bench.Solved(fmt.Sprintf("auto-r%d", r), q))
	}
	if s.baselines != nil {
		search.Evaluations *= sweepFactor
		list = append(list, bench.Solved("plan", search))
	}
	return list
}

// baseline prices something that the paper does not compare with.
func baseline(s scenario, c *cluster.Cluster, name string) measure.Task {
	return measure.Task{Key: s.name + "/" + name, Settings: map[string]any{"cluster": s.file, "seed": seed},
		Compute: func(ctx context.Context) (m measure.Measurement, err error) {
			rows, skipped := planner.Baselines(ctx, c, seed)
			for _, r := range rows {
				if r.Name == name && r.TimeMS != nil {
					return measure.Measurement{Edges: r.Edges, MaxDegree: r.MaxDegree, MinEdgeGBs: r.MinEdgeGBs,
						RoundMS: r.CommunicationMS, Iterations: *r.Iterations, TimeMS: *r.TimeMS, Kind: r.Kind}, nil
				}
			}
			return m, fmt.Errorf("no row %q; skipped: %v", name, skipped)
		}}
}
