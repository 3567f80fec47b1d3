package main

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/batopo/batopo/admm"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/experiments/internal/ledger"
	"github.com/batopo/batopo/experiments/internal/measure"
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
	for _, s := range []size{small, medium, large, larger, largest} {
		if o.Toy {
			break
		}
		for _, way := range linearSteps {
			list = append(list, linearTask(o, s, way, comparedSteps, fmt.Sprintf("n=%d/%s", s.nodes, way.name)))
		}
		if s.nodes <= denseSize {
			list = append(list, ledger.Task[measure.Linear]{Key: fmt.Sprintf("n=%d/dense", s.nodes),
				Settings: map[string]any{"nodes": s.nodes, "edges": s.edges},
				Compute:  func(context.Context) (measure.Linear, error) { return measure.DenseSolve(s.nodes) }})
		}
		list = append(list, linearTask(o, s, linearSteps[0], wholeSteps, fmt.Sprintf("n=%d/whole run", s.nodes)))
	}
	return list, nil
}

// linearTask runs so many steps of Algorithm 2 as printed. A run that was broken off goes on where it last saved its
// state.
func linearTask(o ledger.Options, s size, way linearStep, steps int, key string) ledger.Task[measure.Linear] {
	settings := way.settings
	settings.Literal, settings.Seed, settings.Rho, settings.Iterations, settings.Starts = true, seed,
		wholeRho(s.nodes), steps, 1
	return ledger.Task[measure.Linear]{Key: key,
		Settings: map[string]any{"nodes": s.nodes, "edges": s.edges, "step": way.name, "rho": settings.Rho,
			"seed": seed, "steps": steps},
		Compute: func(ctx context.Context) (measure.Linear, error) {
			c, err := measure.Equal(s.nodes)
			if err != nil {
				return measure.Linear{}, err
			}
			space, err := design.Problem{Cluster: c, MaxEdges: s.edges}.Space(ctx)
			if err != nil {
				return measure.Linear{}, err
			}
			runtime.GC()
			saved := checkpoint{file: filepath.Join(o.Root, "out", strings.ReplaceAll(key, "/", "-")+".state"),
				log: o.Log}
			before, err := saved.attach(&settings)
			if err != nil {
				return measure.Linear{}, err
			}
			started := time.Now()
			r, err := admm.Solve(ctx, space, settings)
			if err != nil {
				return measure.Linear{}, err
			}
			run := r.Runs[0]
			if run.Err != nil {
				return measure.Linear{}, run.Err
			}
			if err := ctx.Err(); err != nil {
				return measure.Linear{}, err
			}
			return measure.NewLinear(run, r.RAsym, before+time.Since(started)), saved.remove()
		}}
}

// wholeRho is a penalty with which runs of that size settle or come near: see the literal rows of Table I.
func wholeRho(n int) float64 {
	if n >= 64 {
		return 1
	}
	return 5
}
