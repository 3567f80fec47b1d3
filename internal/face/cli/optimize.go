package cli

import (
	"context"
	"errors"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"

	"github.com/spf13/cobra"
)

type optimizeFlags struct {
	at     clusterFlags
	levels twoLevelFlag
	ask    questionFlags
	out    planOutput
	trace  traceOutput
}

func newOptimize(env Env) *cobra.Command {
	var o optimizeFlags
	c := &cobra.Command{
		Use:   "optimize [CLUSTER.yaml | --nodes N] --edges R",
		Short: "The best topology with at most R edges, with a proved bound",
		Long: `optimize searches for the graph and the weights that average fastest with at most R
edges, within what every resource of the cluster can carry at the bandwidth that R edges allow
(Algorithm 1 of the paper). The plan says how far from the best possible it can be at most.
The description - is standard input.

Methods: auto (enumeration of small cases, otherwise lift and swap), lift (symmetric graphs),
swap (edge exchanges), paper (Algorithm 2 of the paper as printed: one start from an annealed graph, a
fixed penalty, its stopping rule and rounding, M z = e), admm (the same iteration improved: several starts,
a growing penalty, polished weights, a cheap linear step, M z ≤ e).
The same seed and evaluations give the same plan on one machine. Ctrl-C returns the best plan so far.`,
		Example: `  batopo optimize --nodes 16 --edges 32
  batopo optimize examples/node-level-16.yaml --edges 48 -o plan.json
  batopo optimize --nodes 64 --edges 192 --max-degree 6 --time 10s
  batopo optimize --nodes 32 --edges 80 --method admm --json
  batopo optimize --nodes 16 --edges 32 --method paper --trace steps.csv --trace steps.svg
  batopo optimize examples/leaf-spine-32.yaml --two-level --edges 6 --objective time`,
		Args: arguments(0, 1),
		RunE: func(c *cobra.Command, args []string) error { return o.run(c.Context(), env, args) },
	}
	o.at.bind(c)
	o.ask.bind(c)
	o.ask.bindSearch(c)
	o.ask.bindPaper(c)
	o.out.bind(c)
	o.levels.bind(c)
	o.trace.bind(c)
	o.ask.means("objective", string(design.Rate),
		"rate: least r_asym; time: least time to the target, so that load counts")
	return c
}

func (f *optimizeFlags) run(ctx context.Context, env Env, args []string) error {
	hardware, err := f.at.required(args)
	if err != nil {
		return err
	}
	if f.ask.MaxEdges == 0 {
		return errors.New("how many edges at most? Give --edges R, or use plan, which chooses")
	}
	if err := f.out.check(); err != nil {
		return err
	}
	if err := f.trace.check(); err != nil {
		return err
	}
	plan, err := f.levels.plan(ctx, hardware, func(hardware *cluster.Cluster) (plan *design.Plan, err error) {
		err = f.ask.run(ctx, env, f.ask.options(), func(o batopo.Options) (err error) {
			f.trace.follow(&o)
			plan, err = batopo.Optimize(ctx, hardware, o)
			return err
		})
		return plan, err
	})
	if err != nil {
		return err
	}
	return errors.Join(f.trace.write(ctx), f.out.write(ctx, env, plan))
}
