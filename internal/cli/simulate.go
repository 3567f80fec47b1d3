package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"batopo/consensus"
	"batopo/design"
	"batopo/internal/limits"
	"batopo/report"

	"github.com/spf13/cobra"
)

func newSimulate(env Env) *cobra.Command {
	var asJSON, quiet, overRounds bool
	var plot, start, clusterFile string
	settings := consensus.Settings{Seed: 1, Trials: 20, MaxRounds: 10000}
	var target float64
	c := &cobra.Command{
		Use:   "simulate PLAN…",
		Short: "Consensus error over iterations and over time",
		Long: `simulate lets every node start with a number of its own, drawn from a standard
Gaussian or read from a file, and averages by the plan until the root mean square error over
all trials is down to the plan's target. Files may be ` + graphFormats + `;
those without a cluster of their own are priced on equal machines or on --cluster.`,
		Example: `  batopo simulate plan.json
  batopo simulate ring.json ours.json --plot error.svg
  batopo simulate mine.npy --cluster examples/node-level-16.yaml --json`,
		Args: arguments(1, anyNumber),
		RunE: func(c *cobra.Command, args []string) error {
			if err := canDraw(plot); err != nil {
				return err
			}
			if start != "" {
				var err error
				if settings.Start, err = readStart(start); err != nil {
					return err
				}
			}
			var runs []simulation
			var series []report.Series
			var missed error
			for _, name := range args {
				plan, err := await(c.Context(), func() (*design.Plan, error) { return planOf(c.Context(), name, clusterFile) })
				if err != nil {
					return err
				}
				run, err := simulateOne(c, env, name, plan, settings, target, quiet)
				if err != nil {
					return err
				}
				runs = append(runs, run)
				series = append(series, errorSeries(run.Name, run.result, !overRounds))
				if run.Target > 0 && !run.Reached {
					missed = errors.New("the target was not reached; give more --rounds or a larger --target")
				}
				if !run.result.Complete {
					missed = fmt.Errorf("%s: interrupted after %s; what was simulated is shown", name, count(len(run.Rounds)-1, "round"))
					break
				}
			}
			if plot != "" {
				if err := drawErrors(c.Context(), plot, "Consensus error", series, runs[0].Target, !overRounds); err != nil {
					return err
				}
			}
			if asJSON {
				if err := writeJSON(env.Stdout, runs); err != nil {
					return err
				}
			} else if err := printRuns(env, runs); err != nil {
				return err
			}
			if missed != nil {
				return answerNo{missed}
			}
			return nil
		},
	}
	f := c.Flags()
	f.BoolVar(&asJSON, "json", false, "print every round as JSON")
	f.BoolVar(&quiet, "quiet", false, "no progress on stderr")
	f.BoolVar(&overRounds, "over-rounds", false, "plot over rounds instead of over time")
	f.StringVar(&plot, "plot", "", "draw the errors into this .svg file")
	f.StringVar(&start, "start", "", "read the start values, one number per node, from this text file")
	f.StringVar(&clusterFile, "cluster", "", "price on this cluster description")
	f.IntVar(&settings.Trials, "trials", settings.Trials, "number of Gaussian starts")
	f.IntVar(&settings.MaxRounds, "rounds", settings.MaxRounds, "give up after so many rounds")
	f.Uint64Var(&settings.Seed, "seed", settings.Seed, "seed of the starts")
	f.Float64Var(&target, "target", target, "stop at this error; 0 runs all rounds (default: the plan's target)")
	return c
}

// A simulation is the JSON form of one run.
type simulation struct {
	Name    string            `json:"name"`
	Plan    string            `json:"plan"` // hash
	Trials  int               `json:"trials"`
	Seed    uint64            `json:"seed"`
	Target  float64           `json:"target_error"`
	Reached bool              `json:"reached"`
	Rounds  []consensus.Error `json:"rounds"`
	result  *consensus.Result
}

func simulateOne(c *cobra.Command, env Env, name string, plan *design.Plan, s consensus.Settings, target float64, quiet bool) (simulation, error) {
	w, err := plan.Schedule()
	if err != nil {
		return simulation{}, fmt.Errorf("%s: %w", name, err)
	}
	if s.Target = plan.TargetError; c.Flags().Changed("target") {
		s.Target = target
	}
	progress := newProgress(env.Stderr, quiet)
	s.Progress = func(round int, rms float64) { progress.show("%s: round %d, error %.3g", name, round, rms) }
	result, err := consensus.Simulate(c.Context(), w, s)
	progress.done()
	if err != nil {
		return simulation{}, fmt.Errorf("%s: %w", name, err)
	}
	return simulation{name, plan.Hash, result.Trials, s.Seed, s.Target, result.Reached, result.Errors, result}, nil
}

// readStart reads one number per node.
func readStart(name string) ([]float64, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewReader(io.LimitReader(f, limits.GraphBytes))
	var values []float64
	for {
		var v float64
		if _, err := fmt.Fscan(in, &v); err != nil {
			if errors.Is(err, io.EOF) {
				return values, nil
			}
			return nil, fmt.Errorf("%s: value %d: %w; numbers separated by spaces or lines are needed", name, len(values)+1, err)
		}
		values = append(values, v)
	}
}

func printRuns(env Env, runs []simulation) error {
	t := report.Table{Columns: []report.Column{{Title: "plan"}, {Title: "rounds", Numeric: true}, {Title: "ms", Numeric: true},
		{Title: "error", Numeric: true}, {Title: "largest", Numeric: true}, {Title: "relative", Numeric: true}, {Title: "target"}}}
	for _, r := range runs {
		last := r.Rounds[len(r.Rounds)-1]
		verdict := "not reached"
		if r.Reached {
			verdict = "reached"
		}
		t.Add(r.Name, fmt.Sprint(last.Round), fixed(last.TimeMS, 1), fmt.Sprintf("%.3g", last.RMS), fmt.Sprintf("%.3g", last.Max),
			fmt.Sprintf("%.3g", last.Relative), fmt.Sprintf("%.0e %s", r.Target, verdict))
	}
	return t.WriteText(env.Stdout)
}
