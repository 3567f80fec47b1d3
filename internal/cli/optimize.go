package cli

import (
	"context"
	"errors"
	"strings"
	"time"

	"batopo/design"
	"batopo/planner"

	"github.com/spf13/cobra"
)

func newOptimize(env Env) *cobra.Command {
	var at clusterFlags
	var ask questionFlags
	var how searchFlags
	var out planOutput
	var edges, maxDegree int
	var objective string
	c := &cobra.Command{
		Use:   "optimize [CLUSTER.yaml | --nodes N] --edges R",
		Short: "The best topology with at most R edges, with a proved bound",
		Long: `optimize searches for the graph and the weights that average fastest with at most R
edges, within what every resource of the cluster can carry at the bandwidth that R edges allow
(Algorithm 1 of the paper). The plan says how far from the best possible it can be at most.

Methods: auto (enumeration of small cases, otherwise lift and swap), lift (symmetric graphs),
swap (edge exchanges), admm (the paper's method with a cheap linear step), paper (as printed).
The same seed and evaluations give the same plan on one machine. Ctrl-C returns the best plan so far.`,
		Example: `  batopo optimize --nodes 16 --edges 32
  batopo optimize examples/node-level-16.yaml --edges 48 -o plan.json
  batopo optimize --nodes 64 --edges 192 --max-degree 6 --time 10s
  batopo optimize --nodes 32 --edges 80 --method admm --json`,
		Args: arguments(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			hardware, err := at.required(args)
			if err != nil {
				return err
			}
			if edges == 0 {
				return errors.New("how many edges at most? Give --edges R, or use plan, which chooses")
			}
			problem, err := ask.problem(hardware, edges)
			if err != nil {
				return err
			}
			problem.MaxDegree, problem.Objective = maxDegree, design.Objective(strings.ToLower(objective))
			if err := out.check(); err != nil {
				return err
			}
			started := time.Now()
			var plan *design.Plan
			err = how.run(c.Context(), env, func(ctx context.Context, s planner.Settings) (err error) {
				plan, err = planner.Optimize(ctx, problem, s)
				return err
			})
			if err != nil {
				return err
			}
			plan.Run = runBlock(started)
			return out.write(c.Context(), env, plan)
		},
	}
	at.bind(c)
	ask.bind(c)
	how.bind(c)
	out.bind(c)
	f := c.Flags()
	f.IntVarP(&edges, "edges", "r", 0, "at most so many edges")
	f.IntVar(&maxDegree, "max-degree", 0, "at most so many neighbours per node (default: no limit)")
	f.StringVar(&objective, "objective", string(design.Rate), "rate: least r_asym; time: least time to the target, so that load counts")
	return c
}
