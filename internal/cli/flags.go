package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/feasible"
	"github.com/batopo/batopo/planner"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// questionFlags are what a problem asks for besides the hardware.
type questionFlags struct {
	negative      bool
	purpose       string
	minEigenvalue float64
	limited       *cobra.Command // to see whether --min-eigenvalue was given
}

func (q *questionFlags) bind(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&q.negative, "negative-weights", false, "allow negative weights (FDLA instead of FMMC)")
	f.StringVar(&q.purpose, "purpose", string(design.Consensus),
		"consensus, or training: no negative eigenvalues, compute time counted")
	f.Float64Var(&q.minEigenvalue, "min-eigenvalue", 0,
		"keep every eigenvalue of W above this (default 0 for training, no limit for consensus)")
	q.limited = c
}

// problem is the question about weights and spectrum, asked of at most edges edges.
func (q *questionFlags) problem(c *cluster.Cluster, edges int) (design.Problem, error) {
	p := design.Problem{Cluster: c, MaxEdges: edges, Objective: design.Rate,
		Purpose: design.Purpose(strings.ToLower(q.purpose)), Sign: design.NonNegative}
	if q.negative {
		p.Sign = design.Free
	}
	if q.limited.Flags().Changed("min-eigenvalue") {
		p.MinEigenvalue = &q.minEigenvalue
	}
	return p.WithDefaults(), p.Validate()
}

// rateOrTime reads an objective of the commands that know these two.
func rateOrTime(asked string) (design.Objective, error) {
	o := design.Objective(strings.ToLower(asked))
	if o != design.Rate && o != design.Time {
		return o, fmt.Errorf("--objective is %q; it must be %q or %q", asked, design.Rate, design.Time)
	}
	return o, nil
}

// searchFlags say how to search and for how long.
type searchFlags struct {
	settings planner.Settings
	method   string
	given    *pflag.FlagSet // what the command line says; nil where a command has no flags about the search
	quiet    bool
	found    atomic.Bool // a search that is stopped now has an answer, which is worth waiting for
}

func (s *searchFlags) bind(c *cobra.Command) {
	names := make([]string, len(planner.Methods))
	for k, m := range planner.Methods {
		names[k] = string(m)
	}
	f := c.Flags()
	s.given = f
	f.StringVar(&s.method, "method", string(planner.Auto), strings.Join(names, ", "))
	f.Uint64Var(&s.settings.Seed, "seed", 1, "the same seed and evaluations give the same plan")
	f.IntVar(&s.settings.Evaluations, "evaluations", 0, "how many graphs to look at (default: some ten seconds of work)")
	f.Float64Var(&s.settings.Rho, "rho", 0, "penalty of the methods admm and paper (default: chosen by the program)")
	f.IntVar(&s.settings.Starts, "starts", 0,
		"independent runs of the methods admm and paper (default: chosen by the program; paper: 1)")
	s.bindIteration(c)
	f.IntVar(&s.settings.Workers, "workers", 0, "cores to use; the plan does not depend on it (default: all)")
	f.BoolVar(&s.quiet, "quiet", false, "no progress on stderr")
	_ = c.RegisterFlagCompletionFunc("method", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}

// run solves with progress on stderr, and sorts errors into answers and mistakes.
func (s *searchFlags) run(ctx context.Context, env Env, solve func(context.Context, planner.Settings) error) error {
	s.settings.Method = planner.Method(strings.ToLower(s.method))
	if err := s.othersFlag(); err != nil {
		return err
	}
	progress := newProgress(env, s.quiet)
	s.settings.Progress = func(p design.Progress) {
		if p.Feasible {
			s.found.Store(true)
		}
		progress.show("%s", progressText(p))
	}
	err := finish(ctx, s.found.Load, func() error { return solve(ctx, s.settings) })
	progress.done()
	if errors.Is(err, planner.ErrNoPlan) || feasible.NoGraph(err) {
		return answerNo{err}
	}
	return err
}
