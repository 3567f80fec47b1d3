package cli

import (
	"context"
	"fmt"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/design"

	"github.com/spf13/cobra"
)

type weightsFlags struct {
	out     planOutput
	ask     questionFlags
	cluster string
}

func newWeights(env Env) *cobra.Command {
	var w weightsFlags
	c := &cobra.Command{
		Use:   "weights GRAPH",
		Short: "The best weights for a graph you already have, with a proof",
		Long: `weights finds the weights that average fastest on the edges of a graph: by default
none negative (FMMC), with --negative-weights of either sign (FDLA). A certificate in the plan proves
that no other weights on these edges do better; verify rechecks it. Edges that the best weights
do not use are left out and named. Fastest means the least r_asym.

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
	c.Flags().StringVar(&w.cluster, "cluster", "",
		"price on this cluster description (default: the plan's, or equal machines)")
	return c
}

func (f *weightsFlags) run(ctx context.Context, env Env, name string) error {
	g, err := readGraph(ctx, name)
	if err != nil {
		return err
	}
	if g.graph == nil || g.schedule != nil && g.schedule.Directed() {
		return fmt.Errorf("%s: best weights are found for static undirected graphs only", name)
	}
	hardware, err := clusterOf(ctx, g, f.cluster)
	if err != nil {
		return err
	}
	if n := g.graph.Nodes(); n != hardware.Nodes() {
		return fmt.Errorf("%s: the graph has %d nodes, the cluster %d; they must be the same", name, n, hardware.Nodes())
	}
	options := f.ask.options()
	if _, err := options.WeightsProblem(hardware); err != nil {
		return err // about a flag, not about the file
	}
	if err := f.out.check(); err != nil {
		return err
	}
	var plan *design.Plan
	err = f.ask.run(ctx, env, options, func(o batopo.Options) (err error) {
		plan, err = batopo.Weights(ctx, hardware, g.graph.Edges(), o)
		return err
	})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return f.out.write(ctx, env, plan)
}
