package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/consensus"
	"github.com/batopo/batopo/internal/face/server/work"
	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/internal/show/present"
	"github.com/batopo/batopo/internal/show/report"

	"github.com/spf13/cobra"
)

type simulateFlags struct {
	work.SimulateRequest
	json, quiet, overRounds bool
	plot, start, cluster    string
	target                  float64
}

func newSimulate(env Env) *cobra.Command {
	how := simulateFlags{SimulateRequest: work.DefaultSimulation()}
	c := &cobra.Command{
		Use:   "simulate PLAN…",
		Short: "Consensus error over iterations and over time",
		Long: `simulate lets every node start with a number of its own, drawn from a standard
Gaussian or read from a file, and averages by the plan until the root mean square error over
all trials is down to the plan's target. Files may be
` + graphFormats + `;
those without a cluster of their own are priced on equal machines or on --cluster.`,
		Example: `  batopo simulate plan.json
  batopo simulate ring.json ours.json --plot error.svg
  batopo simulate mine.npy --cluster examples/node-level-16.yaml --json`,
		Args: arguments(1, anyNumber),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("target") {
				how.Target = &how.target // in place of what the plans state
			}
			return how.run(c.Context(), env, args)
		},
	}
	s, f := &how.SimulateRequest, c.Flags()
	f.BoolVar(&how.json, "json", false, "print every round as JSON")
	f.BoolVar(&how.quiet, "quiet", false, "no progress on stderr")
	f.BoolVar(&how.overRounds, "over-rounds", false, "plot over rounds instead of over time")
	f.StringVar(&how.plot, "plot", "", "draw the errors into this .svg file, or list the curves in this .csv file")
	f.StringVar(&how.start, "start", "", "read the start values, one number per node, from this text file")
	f.StringVar(&how.cluster, "cluster", "", "price on this cluster description")
	f.IntVar(&s.Trials, "trials", s.Trials, "number of Gaussian starts")
	f.IntVar(&s.MaxRounds, "rounds", s.MaxRounds, "give up after this many rounds")
	f.Uint64Var(&s.Seed, "seed", s.Seed, "seed of the starts")
	f.IntVar(&s.Workers, "workers", 0, "cores to use; the result does not depend on it (default: all)")
	f.Float64Var(&how.target, "target", 0, "stop at this error; 0 runs all rounds (default: the plan's target)")
	return c
}

func (f *simulateFlags) run(ctx context.Context, env Env, names []string) error {
	if err := canChart(f.plot); err != nil {
		return err
	}
	if f.start != "" {
		var err error
		if f.Start, err = readFile(ctx, "start", f.start, readStart); err != nil {
			return err
		}
	}
	var runs []present.Simulation
	var curves []report.Series
	var missed error
	for _, name := range names {
		var note string
		plan, err := await(ctx, func() (p *design.Plan, err error) {
			p, note, err = planOf(ctx, name, f.cluster)
			return p, err
		})
		if err != nil {
			return err
		}
		run, result, err := f.simulate(ctx, env, name, plan)
		if err != nil {
			return err
		}
		run.Note = note
		runs = append(runs, run)
		curves = append(curves, present.ErrorCurve(name, result, !f.overRounds))
		if run.Target > 0 && !run.Reached {
			missed = errors.New("the target was not reached; give more --rounds or a larger --target")
		}
		if run.Grows {
			missed = fmt.Errorf("%s: the consensus error grows from round to round; "+
				"do the weights of every node, its own included, lie between 0 and 1?", name)
		}
		if !result.Complete {
			rounds := present.Count(len(run.Rounds)-1, "round")
			missed = fmt.Errorf("%s: interrupted after %s; what was simulated is shown", name, rounds)
			break
		}
	}
	if err := f.show(ctx, env, runs, curves); err != nil {
		return err
	}
	if missed != nil {
		return answerNo{missed}
	}
	return nil
}

func (f *simulateFlags) simulate(
	ctx context.Context, env Env, name string, plan *design.Plan,
) (run present.Simulation, result *consensus.Result, err error) {
	progress := newProgress(env, f.quiet)
	defer progress.done()
	f.Progress = func(round int, rms float64) { progress.show("%s: round %d, error %.3g", name, round, rms) }
	return f.Simulate(ctx, name, plan)
}

func (f *simulateFlags) show(ctx context.Context, env Env, runs []present.Simulation, curves []report.Series) error {
	if f.plot != "" {
		chart := present.ErrorChart("Consensus error", curves, runs[0].Target, !f.overRounds)
		if err := writeChart(ctx, f.plot, chart); err != nil {
			return err
		}
	}
	if f.json {
		return present.WriteJSON(env.Stdout, runs)
	}
	return present.WriteSimulations(sentences(env), runs)
}

// readStart reads one number per node.
func readStart(r io.Reader) ([]float64, error) {
	text, err := limits.ReadText(r, limits.GraphBytes, "a file of start values")
	if err != nil {
		return nil, err
	}
	var values []float64
	for word := range strings.FieldsSeq(string(text)) {
		v, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, fmt.Errorf("value %d is %.40q; it must be a number, one per node, with spaces or lines between",
				len(values)+1, word)
		}
		values = append(values, v)
	}
	if len(values) == 0 {
		return nil, errors.New("it holds no start values; it must hold a number per node, with spaces or lines between")
	}
	return values, nil
}
