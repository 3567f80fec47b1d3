package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/batopo/batopo/design"
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
}

func newPlan(env Env) *cobra.Command {
	var p planFlags
	c := &cobra.Command{
		Use:   "plan [CLUSTER.yaml | --nodes N]",
		Short: "Choose everything: how many edges, which, and with what weights",
		Long: `plan is the main job. It finds the budgets that the cluster's bandwidths make
meaningful, solves each, and recommends the one that reaches the target error first: more edges
agree in fewer rounds, but every round takes longer. The answer is shown beside every known topology,
the one-peer schedules and ring all-reduce, also where they win.

With -o DIR it writes plan.json, pictures and a self-contained report.html.`,
		Example: `  batopo plan --nodes 16
  batopo plan examples/node-level-16.yaml -o out
  batopo plan --nodes 64 --purpose training --time 30s`,
		Args: arguments(0, 1),
		RunE: func(c *cobra.Command, args []string) error { return p.run(c.Context(), env, args) },
	}
	p.at.bind(c)
	p.ask.bind(c)
	p.how.bind(c)
	f := c.Flags()
	f.BoolVar(&p.json, "json", false, "print budgets, recommendation and baselines as JSON")
	f.StringVarP(&p.folder, "output", "o", "", "write plan.json, pictures and report.html into this folder")
	f.IntVarP(&p.edges, "edges", "r", 0, "the most edges a budget may have (default: no limit)")
	f.IntVar(&p.maxDegree, "max-degree", 0, "the most neighbours a node may have (default: no limit)")
	f.StringVar(&p.objective, "objective", string(design.Time),
		"time: reach the target error first; rate: least r_asym, whatever a round costs")
	return c
}

func (f *planFlags) run(ctx context.Context, env Env, args []string) error {
	problem, err := f.problem(args)
	if err != nil {
		return err
	}
	if f.folder != "" {
		if err := canFill(f.folder); err != nil {
			return err
		}
	}
	started := time.Now()
	var sweep *planner.Sweep
	err = f.how.run(ctx, env, func(ctx context.Context, s planner.Settings) (err error) {
		sweep, err = planner.Plan(ctx, problem, s)
		return err
	})
	if err != nil {
		return err
	}
	run := design.NewRun(started)
	for _, o := range sweep.Outcomes {
		if o.Plan != nil {
			o.Plan.Run = run
		}
	}
	sweep.Best().Run = run
	if f.folder != "" {
		if err := writePlanFolder(ctx, env, f.folder, problem, sweep); err != nil {
			return err
		}
	}
	if f.json {
		return present.WriteJSON(env.Stdout, present.NewSweepJSON(sweep))
	}
	if err := present.WriteSweep(env.Stdout, problem, sweep); err != nil {
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

// problem is the question that the flags ask.
func (f *planFlags) problem(args []string) (design.Problem, error) {
	hardware, err := f.at.required(args)
	if err != nil {
		return design.Problem{}, err
	}
	p, err := f.ask.problem(hardware, max(f.edges, hardware.Nodes()-1))
	if err != nil {
		return p, err
	}
	p.MaxEdges, p.MaxDegree = f.edges, f.maxDegree
	p.Objective, err = rateOrTime(f.objective)
	return p, err
}
