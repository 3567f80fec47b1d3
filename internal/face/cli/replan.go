package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/replan"
	"github.com/batopo/batopo/internal/ground/outfile"
	"github.com/batopo/batopo/internal/show/report"
	"github.com/batopo/batopo/topology"

	"github.com/spf13/cobra"
)

// replanFlags say what has changed and when a change of the plan is worth it.
type replanFlags struct {
	cluster, out        string
	json, quiet         bool
	settings            replan.Settings
	switchTime, horizon time.Duration
}

func newReplan(env Env) *cobra.Command {
	f := replanFlags{settings: replan.Settings{Seed: 1}.WithDefaults(), horizon: 10 * time.Minute}
	c := &cobra.Command{
		Use:   "replan PLAN --cluster NEW.yaml",
		Short: "Keep a running plan, or change it for a better one when bandwidths have changed",
		Long: `replan prices a running plan on today's cluster and looks for a better one of
its kind. A static graph changes a few edges. A schedule gets its nodes in other places, or is
searched again. All-reduces and averages among groups are made again. Clocks, wire and groups stay.

A change must save --gain of the predicted time, and more in the time ahead (--horizon) than it
costs (--switch). Beside a static graph stands one that is searched from scratch.
Ranks change over together with gossip.switch(plan); where
gradients are averaged they restart: see docs/measure.md. Plans with phases and rounds of parts are
refused with exit code 1.`,
		Example: `  batopo replan plan.json --cluster now.yaml -o next.json
  batopo replan plan.json --cluster now.yaml --gain 0.1 -o next.json`,
		Args: arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c.Context(), env, args[0]) },
	}
	v := c.Flags()
	v.StringVar(&f.cluster, "cluster", "", "the cluster today")
	v.StringVarP(&f.out, "output", "o", "", "write the new plan to this file when it is worth it")
	v.BoolVar(&f.json, "json", false, "print the answer as JSON")
	v.BoolVar(&f.quiet, "quiet", false, "print only what to do: the line that says keep or change")
	v.IntVar(&f.settings.Evaluations, "evaluations", f.settings.Evaluations, "how many schedules a search prices")
	v.Uint64Var(&f.settings.Seed, "seed", f.settings.Seed, "seed of the search")
	v.Float64Var(&f.settings.Changes, "changes", f.settings.Changes, "share of a static graph's edges that may change")
	v.Float64Var(&f.settings.Gain, "gain", f.settings.Gain, "the least share of the time that a change must save")
	v.DurationVar(&f.switchTime, "switch", 0, "what a change costs once, such as 2s")
	v.DurationVar(&f.horizon, "horizon", f.horizon, "how long things are expected to stay as they are now")
	return c
}

func (f *replanFlags) run(ctx context.Context, env Env, name string) error {
	if f.cluster == "" {
		return errors.New("how is the cluster now? Give --cluster NEW.yaml")
	}
	if f.out != "" {
		if err := canWrite(f.out); err != nil {
			return err
		}
	}
	plan, err := readPlan(ctx, nil, name)
	if err != nil {
		return err
	}
	now, err := readCluster(ctx, nil, f.cluster)
	if err != nil {
		return err
	}
	f.settings.SwitchMS, f.settings.HorizonMS = 1e3*f.switchTime.Seconds(), 1e3*f.horizon.Seconds()
	started := time.Now()
	answer, err := await(ctx, func() (*replan.Answer, error) { return replan.Decide(ctx, plan, now, f.settings) })
	if errors.Is(err, replan.ErrKind) {
		return answerNo{err}
	}
	if err != nil {
		return err
	}
	// That nothing is known about a fresh graph is said where it would stand.
	fresh, noFresh := await(ctx, func() (*replan.FreshGraph, error) { return answer.Fresh(ctx, now, f.settings) })
	if !answer.Keep && f.out != "" {
		answer.New.Run = design.NewRun(started)
		if err := outfile.Write(context.WithoutCancel(ctx), f.out, answer.New.Write); err != nil {
			return err
		}
	}
	return f.print(env, answer, fresh, noFresh)
}

// replanAnswer is the answer as JSON.
type replanAnswer struct {
	Keep    bool           `json:"keep"`
	Why     string         `json:"why"`
	Now     replanFigures  `json:"now"`
	New     *replanFigures `json:"new"`
	Fresh   *replanFigures `json:"fresh"` // what a search from scratch finds with as many edges
	Dropped [][2]int       `json:"dropped"`
	Added   [][2]int       `json:"added"`
}

type replanFigures struct {
	Hash            string  `json:"hash"`
	Edges           int     `json:"edges"`
	CommunicationMS float64 `json:"communication_ms"`
	Iterations      int     `json:"iterations"`
	TimeMS          float64 `json:"time_ms"`
	RAsym           float64 `json:"r_asym"`
	IterationMS     float64 `json:"iteration_ms"` // of training, with the plan's every and overlap
}

func figures(p *design.Plan, iterationMS float64) replanFigures {
	return replanFigures{p.Hash, len(replan.Links(p)), p.CommunicationMS, p.Iterations, p.TimeMS, p.RAsym, iterationMS}
}

func (f *replanFlags) print(env Env, a *replan.Answer, fresh *replan.FreshGraph, noFresh error) error {
	if f.json {
		out := replanAnswer{Keep: a.Keep, Why: a.Why, Now: figures(a.Now, a.IterationNow)}
		if a.New != nil {
			next := figures(a.New, a.IterationNew)
			out.New = &next
		}
		if fresh != nil {
			found := figures(fresh.Plan, fresh.IterationMS)
			out.Fresh = &found
		}
		for _, e := range a.Dropped {
			out.Dropped = append(out.Dropped, [2]int{e.I, e.J})
		}
		for _, e := range a.Added {
			out.Added = append(out.Added, [2]int{e.I, e.J})
		}
		e := json.NewEncoder(env.Stdout)
		e.SetIndent("", "  ")
		return e.Encode(out)
	}
	word := "change"
	if a.Keep {
		word = "keep"
	}
	fmt.Fprintf(env.Stdout, "%s: %s\n", word, a.Why)
	if f.quiet {
		return nil
	}
	line := func(label string, p *design.Plan, iterationMS float64) {
		fmt.Fprintf(env.Stdout, "  %-8s %d links, %s a round, %d rounds, %s in all, r_asym %.4f, %s an iteration\n", label,
			len(replan.Links(p)), report.Time(p.CommunicationMS), p.Iterations, report.Time(p.TimeMS), p.RAsym,
			report.Time(iterationMS))
	}
	line("running", a.Now, a.IterationNow)
	if a.New != nil {
		line("changed", a.New, a.IterationNew)
		fmt.Fprintf(env.Stdout, "  dropped  %s\n  added    %s\n", pairs(a.Dropped), pairs(a.Added))
	}
	switch {
	case noFresh != nil:
		fmt.Fprintf(env.Stdout, "  fresh    not known: %v\n", noFresh)
	case fresh != nil:
		line("fresh", fresh.Plan, fresh.IterationMS)
		f.compareFresh(env, a, fresh)
	}
	if !a.Keep && f.out != "" {
		fmt.Fprintf(env.Stdout, "written: %s\n", f.out)
	}
	return nil
}

// muchFaster is how many times as fast a fresh graph must be for the advice to take it.
const muchFaster = 1.25

// compareFresh says how far the answer is from a graph that is searched from scratch, and how to get that.
func (f *replanFlags) compareFresh(env Env, a *replan.Answer, fresh *replan.FreshGraph) {
	least := a.ScoreNow
	if a.New != nil {
		least = min(least, a.ScoreNew)
	}
	switch times := least / fresh.Score; {
	case math.IsInf(times, 1): // the running one never agrees
	case times <= 1:
		fmt.Fprintln(env.Stdout, "A search from scratch with as many edges finds nothing faster.")
	case times < muchFaster:
		fmt.Fprintf(env.Stdout, "A graph searched from scratch would be %.2f times as fast.\n", times)
	default:
		fmt.Fprintf(env.Stdout, "A graph searched from scratch would be %.2f times as fast: batopo optimize --edges %d "+
			"finds it, and the ranks restart with it.\n", times, len(a.Now.Edges()))
	}
}

// pairs writes edges as 0–1 2–3, or counts them where they are many.
func pairs(edges []topology.Edge) string {
	switch n := len(edges); {
	case n == 0:
		return "none"
	case n > 32:
		return fmt.Sprintf("%d links; --json lists them", n)
	}
	text := ""
	for k, e := range edges {
		if k > 0 {
			text += " "
		}
		text += fmt.Sprintf("%d–%d", e.I, e.J)
	}
	return text
}
