// Command figures computes the consensus-error curves of the BA-Topo paper: four kinds of
// hardware, the known topologies, the paper's method and ours at the paper's edge budgets,
// and what the paper does not show: ring all-reduce and one-peer schedules on the same hardware.
package main

import (
	"context"
	"fmt"
	"path/filepath"

	"batopo/cluster"
	"batopo/experiments/internal/ledger"
	"batopo/experiments/internal/measure"
	"batopo/planner"
)

func main() { ledger.Main("figures", tasks) }

const (
	equiSeeds   = 1000 // draws of U-EquiStatic; the best is shown
	seed        = 1
	sweepFactor = 2 // a sweep divides its evaluations among budgets
)

var simulation = measure.Simulation{Trials: 1000, Seed: 1, Curve: true}

type task = ledger.Task[measure.Measurement]

func tasks(o ledger.Options) ([]task, error) {
	var list []task
	for _, s := range scenarios {
		if o.Toy && !s.toy {
			continue
		}
		c, err := s.cluster(o.Root)
		if err != nil {
			return nil, err
		}
		for _, family := range s.families {
			list = append(list, known(s, c, family))
		}
		if s.doubled {
			list = append(list, doubled(s, c))
		}
		for _, m := range s.shifts {
			list = append(list, equiStatic(s, c, m))
		}
		q := measure.Question{Cluster: s.file, Nodes: c.Nodes(), Seed: seed}
		for _, r := range s.budgets {
			q.Edges, q.Method, q.Evaluations = r, planner.Paper, 0
			if !o.Toy {
				list = append(list, solved(o, s, c, fmt.Sprintf("paper-r%d", r), q))
			}
			q.Method, q.Evaluations = planner.Auto, measure.Evaluations(c.Nodes())
			if c.Homogeneous() {
				q = q.Even()
			}
			list = append(list, solved(o, s, c, fmt.Sprintf("auto-r%d", r), q))
			q.MaxDegree = 0
		}
		if s.opponents != nil {
			q.Edges, q.Evaluations = 0, sweepFactor*measure.Evaluations(c.Nodes())
			list = append(list, solved(o, s, c, "plan", q))
		}
		for _, name := range s.opponents {
			list = append(list, opponent(s, c, name))
		}
	}
	return list, nil
}

func known(s scenario, c *cluster.Cluster, family string) task {
	return task{Key: s.name + "/" + family, Settings: map[string]any{"cluster": s.file, "simulation": simulation},
		Compute: func(ctx context.Context) (measure.Measurement, error) {
			return measure.Family(ctx, c, family, simulation)
		}}
}

func doubled(s scenario, c *cluster.Cluster) task {
	return task{Key: s.name + "/torus-doubled", Settings: map[string]any{"cluster": s.file, "simulation": simulation},
		Compute: func(ctx context.Context) (measure.Measurement, error) {
			w, err := doubledTorus(c.Nodes())
			if err != nil {
				return measure.Measurement{}, err
			}
			return measure.Matrix(ctx, c, w, simulation)
		}}
}

func equiStatic(s scenario, c *cluster.Cluster, shifts int) task {
	settings := map[string]any{"cluster": s.file, "shifts": shifts, "seeds": equiSeeds, "rule": "best", "simulation": simulation}
	return task{Key: fmt.Sprintf("%s/u-equistatic-m%d", s.name, shifts), Settings: settings,
		Compute: func(ctx context.Context) (measure.Measurement, error) {
			draws, err := measure.EquiStatic(c.Nodes(), shifts, equiSeeds)
			if err != nil {
				return measure.Measurement{}, err
			}
			m, err := measure.Matrix(ctx, c, draws.Best.Matrix, simulation)
			m.Note = draws.Note("best")
			return m, err
		}}
}

func solved(o ledger.Options, s scenario, c *cluster.Cluster, name string, q measure.Question) task {
	key := s.name + "/" + name
	file := measure.PlanFile("figures", key)
	return task{Key: key, Settings: map[string]any{"question": q, "simulation": simulation}, Artifact: filepath.Join(o.Results, file),
		Compute: func(ctx context.Context) (measure.Measurement, error) {
			return measure.Solved(ctx, c, q, o.Results, file, simulation)
		}}
}

// opponent prices something that the paper does not compare with.
func opponent(s scenario, c *cluster.Cluster, name string) task {
	return task{Key: s.name + "/" + name, Settings: map[string]any{"cluster": s.file, "seed": seed},
		Compute: func(context.Context) (measure.Measurement, error) {
			rows, skipped := planner.Opponents(c, seed)
			for _, r := range rows {
				if r.Name == name && r.TimeMS != nil {
					return measure.Measurement{Edges: r.Edges, MaxDegree: r.MaxDegree, MinEdgeGBs: r.MinEdgeGBs, RoundMS: r.CommunicationMS,
						Iterations: *r.Iterations, TimeMS: *r.TimeMS, Note: r.Note}, nil
				}
			}
			return measure.Measurement{}, fmt.Errorf("no row %q; skipped: %v", name, skipped)
		}}
}
