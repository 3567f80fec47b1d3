package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/batopo/batopo/advise"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/search"
	"github.com/batopo/batopo/planner"
	"github.com/batopo/batopo/present"

	"github.com/spf13/cobra"
)

// planFlags say what to plan for and where the answer goes.
type planFlags struct {
	at               clusterFlags
	ask              questionFlags
	how              searchFlags
	json             bool
	folder           string
	objective        string
	edges, maxDegree int
	static           bool
	setting          settingFlags
}

func newPlan(env Env) *cobra.Command {
	var p planFlags
	c := &cobra.Command{
		Use:   "plan [CLUSTER.yaml | --nodes N]",
		Short: "Say what to run on a cluster to train fastest",
		Long: `plan is the main job. It weighs all-reduce as DistributedDataParallel does it, exact averages
of models, schedules of few peers and static graphs, in every step or in every H-th, before or beside
the gradient. The time of an iteration is computed for the cluster; how many epochs each needs comes
from a law that was fitted to training runs, with its error. The answer is one sentence, the closest
rivals, what would change it, and the lines of Python that run it.

--static asks for the best graph that does not change, whose nodes agree first, as the BA-Topo paper
does: plan then finds the budgets that the cluster's bandwidths make meaningful, solves each, and
recommends the one that reaches the target error first. --purpose consensus is the same question.

The description - is standard input. With -o DIR it writes plan.json, pictures and a self-contained
report.html.`,
		Example: `  batopo plan --nodes 16
  batopo plan examples/node-level-16.yaml -o out
  batopo plan --nodes 16 --skew 0.1 --norm group
  nvidia-smi topo -m | batopo import nvidia-smi - --servers 2 | batopo plan -
  batopo plan --nodes 64 --static --time 30s`,
		Args: arguments(0, 1),
		RunE: func(c *cobra.Command, args []string) error { return p.run(c.Context(), env, args) },
	}
	p.at.bind(c)
	p.ask.bind(c)
	p.how.bind(c)
	p.setting.bind(c)
	f := c.Flags()
	purpose := f.Lookup("purpose")
	purpose.Usage = "training: what trains fastest; consensus: which static graph agrees first"
	purpose.DefValue = "training, or consensus with --static"
	f.BoolVar(&p.static, "static", false, "the best static graph, as the paper asks, and nothing else")
	f.BoolVar(&p.json, "json", false, "print budgets, recommendation and baselines as JSON")
	f.StringVarP(&p.folder, "output", "o", "", "write plan.json, pictures and report.html into this folder")
	f.IntVarP(&p.edges, "edges", "r", 0, "the most pairs that may talk, in a graph or a schedule (default: no limit)")
	f.IntVar(&p.maxDegree, "max-degree", 0, "the most peers of a node, in a graph or a schedule (default: no limit)")
	f.StringVar(&p.objective, "objective", string(design.Time),
		"time: reach the target error first; rate: least r_asym, whatever a round costs")
	return c
}

func (f *planFlags) run(ctx context.Context, env Env, args []string) error {
	problem, err := f.problem(args)
	if err != nil {
		return err
	}
	setting, err := f.setting.setting()
	if err != nil {
		return err
	}
	if !f.advises() && setting != (advise.Setting{}).WithDefaults() {
		return errors.New("--skew, --momentum and --norm are about training; which static graph agrees first does not " +
			"depend on them, so leave them out")
	}
	if f.folder != "" {
		if err := canFill(f.folder); err != nil {
			return err
		}
	}
	a := answer{problem: problem, file: filepath.ToSlash(filepath.Join(f.folder, present.PlanFile))}
	started := time.Now()
	err = f.how.run(ctx, env, func(ctx context.Context, s planner.Settings) (err error) {
		if !f.advises() {
			a.sweep, err = planner.Plan(ctx, problem, s)
			return err
		}
		if s.Evaluations == 0 {
			s.Evaluations = search.DefaultEvaluations(problem.Cluster.Nodes()) / adviceShare
		}
		if a.sweep, err = planner.Survey(ctx, problem, s); err != nil {
			return err
		}
		f.how.found.Store(true)
		setting.Seed, setting.MaxEdges, setting.MaxDegree = s.Seed, problem.MaxEdges, problem.MaxDegree
		a.advice, err = advise.From(ctx, problem.Cluster, a.sweep, setting, s.Progress)
		return err
	})
	if err != nil {
		return err
	}
	a.stamp(design.NewRun(started))
	if f.folder != "" {
		if err := a.writeFolder(ctx, env, f.folder); err != nil {
			return err
		}
	}
	if f.json {
		return a.writeJSON(env.Stdout)
	}
	if err := a.write(sentences(env)); err != nil {
		return err
	}
	if f.folder != "" {
		written := filepath.Join(f.folder, "plan.json, report.html and pictures")
		_, err = fmt.Fprintf(env.Stdout, "Written: %s\n", written)
	} else {
		_, err = fmt.Fprintln(env.Stdout, "-o DIR writes plan.json, pictures and report.html.")
	}
	return err
}

// adviceShare is the part of a search that an advice gets: the law tells no such small differences apart as the rest of
// it finds.
const adviceShare = 10

// advises reports whether the question is what to run, and not which static graph is best.
func (f *planFlags) advises() bool {
	return !f.static && design.Purpose(strings.ToLower(f.ask.purpose)) == design.Training &&
		design.Objective(strings.ToLower(f.objective)) == design.Time
}

// problem is the question that the flags ask.
func (f *planFlags) problem(args []string) (design.Problem, error) {
	hardware, err := f.at.required(args)
	if err != nil {
		return design.Problem{}, err
	}
	if !f.ask.limited.Flags().Changed("purpose") && !f.static {
		f.ask.purpose = string(design.Training)
	}
	p, err := f.ask.problem(hardware, max(f.edges, hardware.Nodes()-1))
	if err != nil {
		return p, err
	}
	p.MaxEdges, p.MaxDegree = f.edges, f.maxDegree
	p.Objective, err = rateOrTime(f.objective)
	return p, err
}
