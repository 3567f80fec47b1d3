package main

import (
	"context"
	"fmt"

	"github.com/batopo/batopo/experiments/internal/ledger"
	"github.com/batopo/batopo/experiments/internal/measure"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/mixing"
)

// withLimits are the literal runs on unequal hardware.
var withLimits = measure.Grid{Rho: []float64{0.5, 1, 2, 5}, Seeds: 16, Steps: 5000}

const sweepFactor = 2 // a sweep divides its evaluations among budgets

// figures are the consensus-error curves: four kinds of hardware, the known topologies, the paper's method and ours at
// the paper's edge budgets, and what the paper does not show: ring all-reduce and one-peer schedules on the same
// hardware.
func figures(o ledger.Options) (list []measure.Task, err error) {
	for _, s := range scenarios {
		if o.Toy && !s.toy {
			continue
		}
		c, err := s.cluster(o.Root)
		if err != nil {
			return nil, err
		}
		bench := measure.Bench{Experiment: "figures", Prefix: s.name, Results: o.Results, Cluster: c,
			Settings: settings{"cluster": s.file}, Simulation: measure.Simulation{Trials: 1000, Seed: seed, Curve: true}}
		list = append(list, compared(bench)...)
		list = append(list, s.solved(bench, o.Toy)...)
		if s.file != "" {
			list = append(list, baseline(bench, "ring all-reduce"), baseline(bench, "one-peer-exponential"))
		}
	}
	return list, nil
}

// compared are the topologies that the paper compares with. On eight nodes it leaves out U-EquiStatic, and the torus
// is also the one that counts coinciding neighbours twice.
func compared(bench measure.Bench) (list []measure.Task) {
	n := bench.Cluster.Nodes()
	for _, family := range []string{"ring", "grid", "torus", "exponential"} {
		list = append(list, bench.Known(family, measure.Family(family, n)))
	}
	if n == 8 {
		return append(list, bench.Known("torus-doubled", func() (*mixing.Matrix, error) { return doubledTorus(n) }))
	}
	return append(list, bench.Drawn("u-equistatic-m2", 2, "best"), bench.Drawn("u-equistatic-m3", 3, "best"))
}

// solved are the paper's method and ours at each budget, and our choice of budget.
func (s scenario) solved(bench measure.Bench, toy bool) (list []measure.Task) {
	c := bench.Cluster
	for _, r := range s.budgets {
		q := measure.Question{Cluster: s.file, Nodes: c.Nodes(), Edges: r, Seed: seed}
		paper, literal, auto := q, q, q
		paper.Method, paper.PrintedStep, paper.Exact = sweep.ADMM, true, !c.Homogeneous()
		literal.Method, literal.BestOf = sweep.Paper, &withLimits
		auto.Method, auto.Evaluations = sweep.Auto, measure.Evaluations(c.Nodes())
		if c.Homogeneous() { // elsewhere e bounds the first graph
			literal.BestOf, auto = literalRuns(c.Nodes()), auto.Even()
			bounded := literal
			bounded.Bounded = true
			list = append(list, bench.Solved(fmt.Sprintf("bounded-r%d", r), bounded))
		}
		if !toy {
			list = append(list, bench.Solved(fmt.Sprintf("paper-r%d", r), paper))
		}
		list = append(list, bench.Solved(fmt.Sprintf("literal-r%d", r), literal),
			bench.Solved(fmt.Sprintf("auto-r%d", r), auto))
	}
	if s.file != "" {
		list = append(list, bench.Solved("plan", measure.Question{Cluster: s.file, Nodes: c.Nodes(), Seed: seed,
			Method: sweep.Auto, Evaluations: sweepFactor * measure.Evaluations(c.Nodes())}))
	}
	return list
}

// baseline prices something that the paper does not compare with.
func baseline(bench measure.Bench, name string) measure.Task {
	return measure.Task{Key: bench.Prefix + "/" + name,
		Settings: settings{"cluster": bench.Settings["cluster"], "seed": seed},
		Compute: func(ctx context.Context) (m measure.Measurement, err error) {
			rows, skipped := sweep.Baselines(ctx, bench.Cluster, seed)
			for _, r := range rows {
				if r.Name == name && r.TimeMS != nil {
					return measure.Measurement{Edges: r.Edges, MaxDegree: r.MaxDegree, MinEdgeGBs: r.MinEdgeGBs,
						RoundMS: r.CommunicationMS, Iterations: *r.Iterations, TimeMS: *r.TimeMS, Kind: r.Kind}, nil
				}
			}
			return m, fmt.Errorf("no row %q; skipped: %v", name, skipped)
		}}
}
