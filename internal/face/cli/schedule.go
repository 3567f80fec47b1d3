package cli

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/schedules"

	"github.com/spf13/cobra"
)

type scheduleFlags struct {
	at       clusterFlags
	out      planOutput
	settings schedules.Settings
	form     string
	purpose  string
	exact    bool
	quiet    bool
}

func newSchedule(env Env) *cobra.Command {
	var o scheduleFlags
	c := &cobra.Command{
		Use:   "schedule [CLUSTER.yaml | --nodes N]",
		Short: "Rounds of unequal length that average in least time, with a proved bound",
		Long: `schedule searches for the sequence of rounds that averages in least time on a cluster: who talks
when, with what weights, and which node plays which part, so that slow nodes hold up few rounds.
The description - is standard input.

Forms: gossip (every round keeps the mean of all nodes, as training needs it), whole (exact: sums are
collected and handed back in whole messages), parts (exact: the message is cut up among trees, and pieces
follow each other). Gossip looks for the least time to the target error, or with --exact for the average itself
after one period; with --purpose training no round has a negative eigenvalue.
The same seed and evaluations give the same schedule. Ctrl-C returns the best so far.`,
		Example: `  batopo schedule examples/node-level-16.yaml --form parts
  batopo schedule --nodes 22 --exact -o rounds.json
  batopo schedule examples/bcube-16-1to2.yaml --purpose training --time 10s`,
		Args: arguments(0, 1),
		RunE: func(c *cobra.Command, args []string) error { return o.run(c.Context(), env, args) },
	}
	o.at.bind(c)
	o.out.bind(c)
	f := c.Flags()
	f.StringVar(&o.form, "form", string(schedules.Gossip), "gossip, whole or parts")
	f.BoolVar(&o.exact, "exact", false, "gossip: everybody holds the average after one period")
	f.StringVar(&o.purpose, "purpose", string(design.Consensus), "consensus, or training: no negative eigenvalues")
	f.Uint64Var(&o.settings.Seed, "seed", 1, "the same seed and evaluations give the same schedule")
	f.IntVar(&o.settings.Evaluations, "evaluations", 0,
		"how many schedules to look at (default: some seconds of work)")
	f.BoolVar(&o.quiet, "quiet", false, "no progress on stderr")
	return c
}

func (o *scheduleFlags) run(ctx context.Context, env Env, args []string) error {
	hardware, err := o.at.required(args)
	if err != nil {
		return err
	}
	purpose := design.Purpose(strings.ToLower(o.purpose))
	if purpose != design.Consensus && purpose != design.Training {
		return fmt.Errorf("--purpose is %q; it must be %q or %q", o.purpose, design.Consensus, design.Training)
	}
	if err := o.out.check(); err != nil {
		return err
	}
	problem := schedules.Problem{Cluster: hardware, Form: schedules.Form(strings.ToLower(o.form)), Exact: o.exact,
		Positive: purpose == design.Training}
	started := time.Now()
	var r *schedules.Result
	err = watched(ctx, env, o.quiet, scheduleProgress, func(progress func(design.Progress)) (err error) {
		o.settings.Progress = progress
		r, err = schedules.Search(ctx, problem, o.settings)
		return err
	})
	if err != nil {
		return err
	}
	plan, err := r.Plan(context.WithoutCancel(ctx), hardware, o.settings)
	if err != nil {
		return err
	}
	plan.Purpose = purpose
	plan.Run = design.NewRun(started)
	return o.out.write(ctx, env, plan)
}

// scheduleProgress is one line about a running search, in milliseconds.
func scheduleProgress(p design.Progress) string {
	text := fmt.Sprintf("%s %d/%d", p.Phase, p.Done, p.Total)
	if p.Feasible {
		text += fmt.Sprintf(", best %.2f ms", p.Best)
	}
	if p.Bound > 0 {
		text += fmt.Sprintf(", none below %.2f ms", p.Bound)
	}
	return text
}
