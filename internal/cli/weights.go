package cli

import (
	"fmt"
	"strings"
	"time"

	"batopo/design"
	"batopo/planner"

	"github.com/spf13/cobra"
)

func newWeights(env Env) *cobra.Command {
	var out planOutput
	var ask questionFlags
	var clusterFile, objective string
	var quiet bool
	c := &cobra.Command{
		Use:   "weights GRAPH",
		Short: "The best weights for a graph you already have, with a proof",
		Long: `weights finds the weights that average fastest on the edges of a graph: by default
none negative (FMMC), with --negative-weights of either sign (FDLA). A certificate in the plan proves
that no other weights on these edges do better; verify rechecks it. Edges that the best weights
do not use are left out and named. Fastest means the least r_asym, or with --objective time the
fewest rounds to the target error.

The graph may be ` + graphFormats + `; weights in the file are not looked at.`,
		Example: `  batopo weights mine.edges
  batopo weights mine.g6 --negative-weights -o best.json
  batopo weights plan.json --purpose training`,
		Args: arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			g, err := readGraph(args[0])
			if err != nil {
				return err
			}
			if g.graph == nil || g.schedule != nil && g.schedule.Directed() {
				return fmt.Errorf("%s: best weights are found for static undirected graphs only", args[0])
			}
			if err := g.connected(); err != nil {
				return err
			}
			hardware, err := clusterOf(g, clusterFile)
			if err != nil {
				return err
			}
			if hardware.Nodes() != g.graph.Nodes() {
				return fmt.Errorf("%s: has %d nodes, the cluster %d", args[0], g.graph.Nodes(), hardware.Nodes())
			}
			problem, err := ask.problem(hardware, len(g.graph.Edges()))
			if err != nil {
				return err
			}
			if problem.Objective = design.Objective(strings.ToLower(objective)); problem.Objective != design.Rate && problem.Objective != design.Time {
				return fmt.Errorf("--objective is %q; it must be %q or %q", objective, design.Rate, design.Time)
			}
			if err := out.check(); err != nil {
				return err
			}
			progress := newProgress(env.Stderr, quiet)
			started := time.Now()
			var plan *design.Plan
			err = finish(c.Context(), func() bool { return false }, func() (err error) {
				plan, err = planner.BestWeights(c.Context(), problem, g.graph, func(p design.Progress) {
					progress.show("iteration %d: value %.9f, proved %.9f", p.Iteration, p.Best, p.Bound)
				})
				return err
			})
			progress.done()
			if err != nil {
				return err
			}
			plan.Run = runBlock(started)
			return out.write(c.Context(), env, plan)
		},
	}
	out.bind(c)
	ask.bind(c)
	c.Flags().StringVar(&clusterFile, "cluster", "", "price on this cluster description (default: the plan's, or equal machines)")
	c.Flags().StringVar(&objective, "objective", string(design.Rate), "what best means: rate (least r_asym) or time (fewest rounds to the target)")
	c.Flags().BoolVar(&quiet, "quiet", false, "no progress on stderr")
	return c
}
