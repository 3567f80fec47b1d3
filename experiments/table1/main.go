// Command table1 computes Table I of the BA-Topo paper: r_asym and time to consensus error
// 10⁻⁴ for 4 … 128 equal nodes, of the known topologies, of the paper's method and of ours,
// and what is proved about the best possible.
package main

import (
	"context"
	"fmt"
	"path/filepath"

	"batopo/experiments/internal/ledger"
	"batopo/experiments/internal/measure"
	"batopo/mixing"
	"batopo/planner"
)

func main() { ledger.Main("table1", tasks) }

// sizes are the columns of the table.
var sizes = []int{4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128}

const (
	toySize     = 6    // tests repeat the columns up to this one
	printedSize = 16   // the printed linear solver takes minutes beyond; its iterates are those of method admm
	equiSeeds   = 1000 // draws of U-EquiStatic
	seed        = 1
)

var simulation = measure.Simulation{Trials: 1000, Seed: 1}

type task = ledger.Task[measure.Measurement]

func tasks(o ledger.Options) ([]task, error) {
	var list []task
	for _, n := range sizes {
		if o.Toy && n > toySize {
			break
		}
		// Half the sum of degrees of the exponential graph: the budget that the paper gives itself.
		degree := mixing.DefaultShifts(n, true)
		budget := n * degree / 2
		list = append(list, exponential(n))
		for m := (degree + 1) / 2; m <= (degree+1)/2+1 && 2*m < n; m++ {
			for _, rule := range measure.Rules {
				list = append(list, equiStatic(n, m, rule))
			}
		}
		q := measure.Question{Nodes: n, Edges: budget, Method: planner.ADMM, Seed: seed}
		list = append(list, solved(o, "admm", q))
		if n <= printedSize {
			q.Method = planner.Paper
			list = append(list, solved(o, "paper", q))
		}
		q.Method, q.Evaluations = planner.Auto, measure.Evaluations(n)
		list = append(list, solved(o, "auto", q), solved(o, "auto-even", q.Even()))
	}
	return list, nil
}

func exponential(n int) task {
	return task{Key: fmt.Sprintf("n=%d/exponential", n), Settings: simulation,
		Compute: func(ctx context.Context) (measure.Measurement, error) {
			c, err := measure.Equal(n)
			if err != nil {
				return measure.Measurement{}, err
			}
			return measure.Family(ctx, c, "exponential", simulation)
		}}
}

func equiStatic(n, shifts int, rule string) task {
	settings := map[string]any{"shifts": shifts, "seeds": equiSeeds, "rule": rule, "simulation": simulation}
	return task{Key: fmt.Sprintf("n=%d/u-equistatic-m%d-%s", n, shifts, rule), Settings: settings,
		Compute: func(ctx context.Context) (measure.Measurement, error) {
			c, err := measure.Equal(n)
			if err != nil {
				return measure.Measurement{}, err
			}
			draws, err := measure.EquiStatic(n, shifts, equiSeeds)
			if err != nil {
				return measure.Measurement{}, err
			}
			m, err := measure.Matrix(ctx, c, draws.ByRule(rule).Matrix, simulation)
			m.Note = draws.Note(rule)
			return m, err
		}}
}

func solved(o ledger.Options, name string, q measure.Question) task {
	key := fmt.Sprintf("n=%d/%s", q.Nodes, name)
	file := measure.PlanFile("table1", key)
	return task{Key: key, Settings: map[string]any{"question": q, "simulation": simulation}, Artifact: filepath.Join(o.Results, file),
		Compute: func(ctx context.Context) (measure.Measurement, error) {
			c, err := measure.Equal(q.Nodes)
			if err != nil {
				return measure.Measurement{}, err
			}
			return measure.Solved(ctx, c, q, o.Results, file, simulation)
		}}
}
