package cli

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/internal/solve/schedules"

	"github.com/spf13/cobra"
)

// questionFlags fill the options that the library answers; what is not given stays 0 there, which means the default.
type questionFlags struct {
	batopo.Options
	minEigenvalue float64
	command       *cobra.Command
	quiet         bool
}

// bind adds what a question about weights and spectrum asks for besides the hardware.
func (q *questionFlags) bind(c *cobra.Command) {
	q.command = c
	f := c.Flags()
	f.BoolVar(&q.NegativeWeights, "negative-weights", false, "allow negative weights (FDLA instead of FMMC)")
	f.StringVar((*string)(&q.Purpose), "purpose", "",
		"consensus, or training: no negative eigenvalues, compute time counted")
	f.Float64Var(&q.minEigenvalue, "min-eigenvalue", 0,
		"keep every eigenvalue of W above this (default 0 for training, no limit for consensus)")
	f.BoolVar(&q.quiet, "quiet", false, "no progress on stderr")
	q.means("purpose", string(design.Consensus), "")
}

// means says in the help text what a flag stands for where it is left out and, unless it is empty, how it is used.
func (q *questionFlags) means(flag, defaultValue, usage string) {
	f := q.command.Flags().Lookup(flag)
	f.DefValue = defaultValue
	if usage != "" {
		f.Usage = usage
	}
}

// bindSearch adds which graphs are looked for, and how long.
func (q *questionFlags) bindSearch(c *cobra.Command) {
	names := make([]string, len(sweep.Methods))
	for k, m := range sweep.Methods {
		names[k] = string(m)
	}
	f := c.Flags()
	f.StringVar((*string)(&q.Objective), "objective", "", "")
	f.IntVarP(&q.MaxEdges, "edges", "r", 0, "the most edges allowed")
	f.IntVar(&q.MaxDegree, "max-degree", 0, "the most neighbours a node may have (default: no limit)")
	f.StringVar((*string)(&q.Method), "method", "", strings.Join(names, ", "))
	f.Uint64Var(&q.Seed, "seed", 0, "the same seed and evaluations give the same plan")
	f.IntVar(&q.Evaluations, "evaluations", 0, "how many graphs to look at (default: some ten seconds of work)")
	f.Float64Var(&q.Paper.Rho, "rho", 0, "penalty of the methods admm and paper (default: chosen by the program)")
	f.IntVar(&q.Paper.Starts, "starts", 0,
		"independent runs of the methods admm and paper (default: chosen by the program; paper: 1)")
	f.IntVar(&q.Workers, "workers", 0, "cores to use; the plan does not depend on it (default: all)")
	q.means("method", string(sweep.Auto), "")
	q.means("seed", "1", "")
	_ = c.RegisterFlagCompletionFunc("method", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}

// bindPaper adds what only optimize asks of the methods admm and paper.
func (q *questionFlags) bindPaper(c *cobra.Command) {
	i, f := &q.Paper, c.Flags()
	f.Float64Var(&i.Growth, "growth", 0,
		"admm and paper: factor on the penalty after every step (default: admm 1.001, paper 1)")
	f.Float64Var(&i.Share, "share", 0,
		"admm and paper: part of the first weights on the annealed graph, the rest is random "+
			"(default: admm ½ and 0 in turns, paper 1)")
	f.Float64Var(&i.Alpha, "alpha", 0, "admm and paper: α of the paper's lemma (default 1)")
	f.Float64Var(&i.Epsilon, "epsilon", 0,
		"admm and paper: ε, where to stop (default 1e-6; paper: of ‖X − Y‖², as printed; admm: of both relative residuals)")
	f.IntVar(&i.Steps, "steps", 0, "admm and paper: the most steps of a run (default: admm 2000, paper 5000)")
	f.BoolVar(&i.BoundedStart, "bounded-start", false,
		"admm and paper: anneal the first graph with at most an even share of the edges at a node, ⌈2R/n⌉")
	f.BoolVar(&i.Exact, "exact", false, "admm: use the resources up, M z = e, instead of staying within them, M z ≤ e")
	f.BoolVar(&i.SparseWeights, "sparse-weights", false,
		"admm: keep at most R weights also where resources limit the edges, as (28) has it")
	f.BoolVar(&i.PrintedStep, "printed-step", false, "admm: solve the linear system by Bi-CGSTAB with ILU, as paper does")
	f.BoolVar(&i.ClosedForm, "closed-form", false,
		"paper: solve the linear system by formulas, as admm does: the same iterates up to rounding")
}

func (q *questionFlags) options() batopo.Options {
	o := q.Options
	if q.command.Flags().Changed("min-eigenvalue") {
		o.MinEigenvalue = &q.minEigenvalue
	}
	return o
}

// run solves with progress on stderr, and sorts errors into answers and mistakes.
func (q *questionFlags) run(ctx context.Context, env Env, o batopo.Options, solve func(batopo.Options) error) error {
	return watched(ctx, env, q.quiet, progressText, func(progress func(design.Progress)) error {
		o.Progress = progress
		return solve(o)
	})
}

// watched runs a search with its progress on stderr, and sorts errors into answers and mistakes.
func watched(ctx context.Context, env Env, quiet bool, text func(design.Progress) string,
	search func(func(design.Progress)) error) error {
	var found atomic.Bool // a search that is stopped now has an answer, which is worth waiting for
	line := newProgress(env, quiet)
	err := finish(ctx, found.Load, func() error {
		return search(func(p design.Progress) {
			if p.Feasible || p.Phase == design.Listing { // the sweep has ended and candidates are listed
				found.Store(true)
			}
			line.show("%s", text(p))
		})
	})
	line.done()
	if errors.Is(err, sweep.ErrNoPlan) || errors.Is(err, schedules.ErrNone) || feasible.NoGraph(err) {
		return answerNo{err}
	}
	return err
}
