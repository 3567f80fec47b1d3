package measure

import (
	"context"
	"math"

	"github.com/batopo/batopo/admm"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/workers"
	"github.com/batopo/batopo/planner"
)

// choose makes every run of the grid, with the linear step by formulas, since the iterates are the same, and puts the
// settings of the best into s.
func (g Grid) choose(ctx context.Context, p design.Problem, s *planner.Settings) error {
	space, err := p.PrintedSpace(ctx)
	if err != nil {
		return err
	}
	runs := make([]*admm.Result, len(g.Rho)*g.Seeds)
	errs := make([]error, len(runs))
	workers.Each(0, len(runs), func(k int) {
		runs[k], errs[k] = admm.Solve(ctx, space, admm.Settings{Literal: true, Rho: g.Rho[k/g.Seeds],
			Seed: uint64(k%g.Seeds) + 1, Iterations: g.Steps})
	})
	best := math.Inf(1)
	for k, r := range runs {
		if errs[k] != nil {
			return errs[k]
		}
		if r.RAsym < best {
			best = r.RAsym
			s.Rho, s.Seed = g.Rho[k/g.Seeds], uint64(k%g.Seeds)+1
		}
	}
	s.Iteration = planner.Iteration{ClosedForm: true, Steps: g.Steps}
	return nil
}
