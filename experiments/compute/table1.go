package main

import (
	"fmt"

	"github.com/batopo/batopo/experiments/internal/ledger"
	"github.com/batopo/batopo/experiments/internal/measure"
	"github.com/batopo/batopo/experiments/internal/paper"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/mixing"
)

const (
	toyColumn   = 6  // tests repeat the columns up to this one
	printedSize = 16 // the printed linear solver takes minutes beyond; its iterates are those of method admm
)

// table1 is Table I: r_asym and time to consensus error 10⁻⁴ for 4 … 128 equal nodes, of the known topologies, of the
// paper's method, as printed (literal) and improved (admm), and of ours, and what is proved about the best possible.
func table1(o ledger.Options) ([]measure.Task, error) {
	printed, err := paper.Read()
	if err != nil {
		return nil, err
	}
	var list []measure.Task
	for _, n := range printed.Table1.Nodes {
		if o.Toy && n > toyColumn {
			break
		}
		column, err := sizeTasks(n, o)
		if err != nil {
			return nil, err
		}
		list = append(list, column...)
	}
	return list, nil
}

// sizeTasks are the rows for n nodes.
func sizeTasks(n int, o ledger.Options) ([]measure.Task, error) {
	c, err := measure.Equal(n)
	if err != nil {
		return nil, err
	}
	bench := measure.Bench{Experiment: "table1", Prefix: fmt.Sprintf("n=%d", n), Results: o.Results, Cluster: c,
		Simulation: measure.Simulation{Trials: 1000, Seed: seed}, KeepStarts: true}
	exponential := bench.Known("exponential", measure.Family("exponential", n))
	exponential.Settings = bench.Simulation // as the first results have it
	list := []measure.Task{exponential}
	degree := mixing.DefaultShifts(n, true)
	for m := (degree + 1) / 2; m <= (degree+1)/2+1 && 2*m < n; m++ {
		for _, rule := range measure.Rules {
			list = append(list, bench.Drawn(fmt.Sprintf("u-equistatic-m%d-%s", m, rule), m, rule))
		}
	}
	// Half the sum of degrees of the exponential graph: the budget that the paper gives itself.
	q := measure.Question{Nodes: n, Edges: n * degree / 2, Method: sweep.ADMM, Seed: seed}
	list = append(list, bench.Solved("admm", q))
	if n <= printedSize {
		printed := q
		printed.PrintedStep = true
		list = append(list, bench.Solved("paper", printed))
	}
	literal := q
	literal.Method, literal.BestOf = sweep.Paper, literalRuns(n)
	bounded := literal
	bounded.Bounded = true
	list = append(list, bench.Solved("literal", literal), bench.Solved("bounded", bounded))
	q.Method, q.Evaluations = sweep.Auto, measure.Evaluations(n)
	return append(list, bench.Solved("auto", q), bench.Solved("auto-even", q.Even())), nil
}

// literalRuns are the runs of Algorithm 2 as printed; the best counts. There are fewer where they take longer.
func literalRuns(n int) *measure.Grid {
	switch {
	case n <= 32:
		return &measure.Grid{Rho: []float64{2, 3, 5, 7, 10}, Seeds: 16, Steps: 5000}
	case n <= 64:
		return &measure.Grid{Rho: []float64{2, 3}, Seeds: 10, Steps: 3000}
	}
	return &measure.Grid{Rho: []float64{1}, Seeds: 10, Steps: 2000}
}
