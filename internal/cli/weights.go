package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/planner"

	"github.com/spf13/cobra"
)

// weightsFlags say which weights are wanted and where the plan goes.
type weightsFlags struct {
	out                planOutput
	ask                questionFlags
	cluster, objective string
	quiet              bool
}

func newWeights(env Env) *cobra.Command {
	var w weightsFlags
	c := &cobra.Command{
		Use:   "weights GRAPH",
		Short: "The best weights for a graph you already have, with a proof",
		Long: `weights finds the weights that average fastest on the edges of a graph: by default
none negative (FMMC), with --negative-weights of either sign (FDLA). A certificate in the plan proves
that no other weights on these edges do better; verify rechecks it. Edges that the best weights
do not use are left out and named. Fastest means the least r_asym, or with --objective time the
fewest rounds to the target error.

The graph may be
` + graphFormats + `;
weights in the file are not looked at.`,
		Example: `  batopo weights mine.edges
  batopo weights mine.g6 --negative-weights -o best.json
  batopo weights plan.json --purpose training`,
		Args: arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error { return w.run(c.Context(), env, args[0]) },
	}
	w.out.bind(c)
	w.ask.bind(c)
	f := c.Flags()
	f.StringVar(&w.cluster, "cluster", "", "price on this cluster description (default: the plan's, or equal machines)")
	f.StringVar(&w.objective, "objective", string(design.Rate),
		"what best means: rate (least r_asym) or time (fewest rounds to the target)")
	f.BoolVar(&w.quiet, "quiet", false, "no progress on stderr")
	return c
}

func (f *weightsFlags) run(ctx context.Context, env Env, name string) error {
	g, err := readGraph(name)
	if err != nil {
		return err
	}
	problem, err := f.problem(name, g)
	if err != nil {
		return err
	}
	if err := f.out.check(); err != nil {
		return err
	}
	progress := newProgress(env, f.quiet)
	started := time.Now()
	var plan *design.Plan
	err = finish(ctx, func() bool { return false }, func() (err error) {
		plan, err = planner.BestWeights(ctx, problem, g.graph, func(p design.Progress) {
			progress.show("%s", progressText(p))
		})
		return err
	})
	progress.done()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	plan.Run = design.NewRun(started)
	return f.out.write(ctx, env, plan)
}

// problem is the question about the weights of a file's graph.
func (f *weightsFlags) problem(name string, g graphFile) (design.Problem, error) {
	var none design.Problem
	if g.graph == nil || g.schedule != nil && g.schedule.Directed() {
		return none, fmt.Errorf("%s: best weights are found for static undirected graphs only", name)
	}
	hardware, err := clusterOf(g, f.cluster)
	if err != nil {
		return none, err
	}
	p, err := f.ask.problem(hardware, hardware.Nodes()-1)
	if err != nil {
		return none, err
	}
	p.Objective, err = rateOrTime(f.objective)
	return p, err
}
