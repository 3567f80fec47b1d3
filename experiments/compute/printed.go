package main

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/experiments/internal/ledger"
	"github.com/batopo/batopo/experiments/internal/measure"
	"github.com/batopo/batopo/internal/solve/admm"
)

// A linearStep is a way to solve the linear system of the primal update.
type linearStep struct {
	name     string
	settings admm.Settings
}

var linearSteps = []linearStep{
	{"ilu", admm.Settings{Method: admm.Printed}},
	{"no ilu", admm.Settings{Method: admm.Printed, NoILU: true}},
	{"formulas", admm.Settings{}},
}

const (
	comparedSteps = 50   // of Algorithm 2, in which ways to solve the system are compared
	wholeSteps    = 2000 // the most of a whole run
	denseSize     = 32   // beyond, a dense matrix does not fit: 2.7 GB at 64 nodes, 44 GB at 128
)

// linearSolver is what the paper says about its linear system: ILU against none, against formulas and against a dense
// direct solve, and whole runs of Algorithm 2 with the printed solver at the sizes that "hundreds of nodes" needs.
func linearSolver(o ledger.Options) (list []ledger.Task[measure.Linear], err error) {
	for _, s := range sizes {
		if o.Toy {
			break
		}
		p, err := s.problem()
		if err != nil {
			return nil, err
		}
		for _, way := range linearSteps {
			list = append(list, linearTask(p, way, comparedSteps, way.name))
		}
		if s.nodes <= denseSize {
			list = append(list, ledger.Task[measure.Linear]{Key: fmt.Sprintf("n=%d/dense", s.nodes),
				Settings: settings{"nodes": s.nodes, "edges": s.edges},
				Compute:  func(ctx context.Context) (measure.Linear, error) { return measure.DenseSolve(ctx, p) }})
		}
		list = append(list, linearTask(p, linearSteps[0], wholeSteps, "whole run"))
	}
	return list, nil
}

// linearTask runs that many steps of Algorithm 2 as printed.
func linearTask(p design.Problem, way linearStep, steps int, name string) ledger.Task[measure.Linear] {
	n, step := p.Cluster.Nodes(), way.settings
	step.Literal, step.Rho, step.Iterations = true, wholeRho(n), steps
	return ledger.Task[measure.Linear]{Key: fmt.Sprintf("n=%d/%s", n, name),
		Settings: settings{"nodes": n, "edges": p.MaxEdges, "step": way.name, "rho": step.Rho, "seed": seed, "steps": steps},
		Compute: func(ctx context.Context) (l measure.Linear, err error) {
			runtime.GC()
			started := time.Now()
			r, err := solve(ctx, p, seed, step)
			if err != nil {
				return l, err
			}
			return measure.NewLinear(r.Runs[0], r.RAsym, time.Since(started)), r.Runs[0].Err
		}}
}

// wholeRho is a penalty with which runs of that size settle or come near: see the literal rows of Table I.
func wholeRho(n int) float64 {
	if n >= 64 {
		return 1
	}
	return 5
}
