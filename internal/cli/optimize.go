package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"batopo/cluster"
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
		Args: cobra.MaximumNArgs(1),
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
			return out.write(env, plan)
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

// required is resolve for commands that cannot do without a cluster.
func (f *clusterFlags) required(args []string) (*cluster.Cluster, error) {
	file := ""
	if len(args) > 0 {
		if file = args[0]; !isCluster(file) {
			return nil, fmt.Errorf("%s: a cluster description ends in .yaml", file)
		}
	}
	c, err := f.resolve(file)
	if c == nil && err == nil {
		return nil, errors.New("for which machines? Give --nodes N or a cluster description")
	}
	return c, err
}

// searchFlags say how to search and for how long.
type searchFlags struct {
	settings planner.Settings
	method   string
	limit    time.Duration
	quiet    bool
}

func (s *searchFlags) bind(c *cobra.Command) {
	names := make([]string, len(planner.Methods))
	for k, m := range planner.Methods {
		names[k] = string(m)
	}
	f := c.Flags()
	f.StringVar(&s.method, "method", string(planner.Auto), strings.Join(names, ", "))
	f.Uint64Var(&s.settings.Seed, "seed", 1, "the same seed and evaluations give the same plan")
	f.IntVar(&s.settings.Evaluations, "evaluations", 0, "how many graphs to look at (default: some ten seconds of work)")
	f.DurationVar(&s.limit, "time", 0, "stop after this long, such as 10s, with the best plan so far")
	f.Float64Var(&s.settings.Rho, "rho", 0, "penalty of the methods admm and paper (default: chosen by the program)")
	f.IntVar(&s.settings.Starts, "starts", 0, "independent runs of the methods admm and paper (default: chosen by the program)")
	f.BoolVar(&s.quiet, "quiet", false, "no progress on stderr")
	_ = c.RegisterFlagCompletionFunc("method", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
}

// run solves with progress on stderr and the time limit, and sorts errors into answers and mistakes.
func (s *searchFlags) run(ctx context.Context, env Env, solve func(context.Context, planner.Settings) error) error {
	if s.limit < 0 {
		return fmt.Errorf("--time is %v; it must be positive", s.limit)
	}
	if s.settings.Rho < 0 {
		return fmt.Errorf("--rho is %v; it must be positive", s.settings.Rho)
	}
	if s.limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.limit)
		defer cancel()
	}
	progress := newProgress(env.Stderr, s.quiet)
	s.settings.Method = planner.Method(strings.ToLower(s.method))
	s.settings.Progress = func(p design.Progress) { progress.show("%s", progressText(p)) }
	err := solve(ctx, s.settings)
	progress.done()
	if errors.Is(err, planner.ErrNoPlan) || errors.Is(err, planner.ErrInfeasible) {
		return answerNo{err}
	}
	return err
}

// progressText is one line about a running solve.
func progressText(p design.Progress) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", p.Phase)
	if p.Limit > 0 {
		fmt.Fprintf(&b, " %d/%d", p.Iteration, p.Limit)
	} else if p.Iteration > 0 {
		fmt.Fprintf(&b, " %d", p.Iteration)
	}
	if p.Primal > 0 || p.Dual > 0 {
		fmt.Fprintf(&b, ", residuals %.1e %.1e", p.Primal, p.Dual)
	}
	if p.Feasible {
		fmt.Fprintf(&b, ", best %.6f", p.Best)
	}
	if p.Bound > 0 {
		fmt.Fprintf(&b, ", bound %.6f", p.Bound)
		if p.Feasible {
			fmt.Fprintf(&b, ", gap at most %.1f %%", 100*(p.Best/p.Bound-1))
		}
	}
	return b.String()
}
