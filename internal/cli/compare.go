package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"batopo/cluster"
	"batopo/consensus"
	"batopo/design"
	"batopo/internal/limits"
	"batopo/planner"
	"batopo/report"

	"github.com/spf13/cobra"
)

func newCompare(env Env) *cobra.Command {
	var at clusterFlags
	var asJSON, quiet bool
	var plot string
	var seed uint64
	c := &cobra.Command{
		Use:   "compare [CLUSTER.yaml | --nodes N] [FILE…]",
		Short: "Price every known topology, and your own, on one cluster",
		Long: `compare shows every known topology under one bandwidth model: static families,
time-varying schedules and ring all-reduce, and beside them any files given: ` + graphFormats + `.
Without a cluster, the one of the first plan is used, or equal machines.

Rows are sorted by the time until the error from a Gaussian start is down to the target.
Ring all-reduce is exact, so it takes one iteration; a gossip round is not, but waits for neighbours only.`,
		Example: `  batopo compare --nodes 16
  batopo compare examples/node-level-16.yaml --plot error.svg
  batopo compare mine.npy
  batopo compare --nodes 16 plan.json other.edges --json`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := canDraw(plot); err != nil {
				return err
			}
			hardware, files, err := compareInput(&at, args)
			if err != nil {
				return err
			}
			var skipped []planner.Skipped
			rows, err := await(c.Context(), func() (rows []planner.Row, err error) {
				if rows, err = ownRows(c.Context(), hardware, files); err != nil {
					return nil, err
				}
				var known []planner.Row
				known, skipped = planner.Opponents(c.Context(), hardware, seed)
				rows = append(rows, known...)
				planner.SortByTime(rows)
				return rows, nil
			})
			if err != nil {
				return err
			}
			if plot != "" {
				if err := plotRows(c.Context(), env, plot, hardware, rows, quiet); err != nil {
					return err
				}
			}
			if asJSON {
				return writeJSON(env.Stdout, struct {
					Cluster     cluster.Spec      `json:"cluster"`
					TargetError float64           `json:"target_error"`
					Rows        []planner.Row     `json:"rows"`
					Skipped     []planner.Skipped `json:"skipped,omitempty"`
				}{hardware.Spec(), hardware.Model().TargetError, rows, skipped})
			}
			return printRows(env, hardware, rows, skipped)
		},
	}
	at.bind(c)
	f := c.Flags()
	f.BoolVar(&asJSON, "json", false, "print the comparison as JSON")
	f.BoolVar(&quiet, "quiet", false, "no progress on stderr")
	f.StringVar(&plot, "plot", "", "draw the consensus error over time into this .svg file")
	f.Uint64Var(&seed, "seed", 1, "seed of random families and of the simulated starts")
	return c
}

// compareInput sorts arguments into a cluster and files of one's own.
func compareInput(at *clusterFlags, args []string) (*cluster.Cluster, []graphFile, error) {
	var description string
	var files []graphFile
	for _, name := range args {
		if !isCluster(name) {
			g, err := readGraph(name)
			if err != nil {
				return nil, nil, err
			}
			files = append(files, g)
			continue
		}
		if description != "" {
			return nil, nil, fmt.Errorf("two clusters were given, %s and %s; compare works on one", description, name)
		}
		description = name
	}
	c, err := at.resolve(description)
	if c != nil || err != nil {
		return c, files, err
	}
	if len(files) == 0 {
		return nil, nil, errors.New("compare what? Give --nodes N, a cluster description, or a file of your own")
	}
	c, err = clusterOf(files[0], "")
	return c, files, err
}

// ownRows prices the user's files on the cluster.
func ownRows(ctx context.Context, c *cluster.Cluster, files []graphFile) ([]planner.Row, error) {
	var rows []planner.Row
	for _, f := range files {
		p, note, err := f.priced(ctx, c)
		if err != nil {
			return nil, err
		}
		row := planner.PlanRow(f.name, p)
		row.Note = strings.TrimPrefix(row.Note+"; "+note, "; ")
		row.Note = strings.TrimSuffix(row.Note, "; ")
		rows = append(rows, row)
	}
	return rows, nil
}

func printRows(env Env, c *cluster.Cluster, rows []planner.Row, skipped []planner.Skipped) error {
	fmt.Fprintf(env.Stdout, "%d nodes, message %s MB, target error %.0e\n\n", c.Nodes(), short(c.Model().MessageMB), c.Model().TargetError)
	if err := rowTable(rows, nil).WriteText(env.Stdout); err != nil {
		return err
	}
	for _, s := range skipped {
		fmt.Fprintf(env.Stdout, "\nnot listed: %s: %s", s.Name, s.Reason)
	}
	fmt.Fprintln(env.Stdout)
	return nil
}

// rowTable is a comparison as a table; the plan's own row stands out.
func rowTable(rows []planner.Row, own *design.Plan) report.Table {
	t := report.Table{Columns: []report.Column{
		{Title: "topology"}, {Title: "kind"}, {Title: "edges", Numeric: true}, {Title: "degree", Numeric: true}, {Title: "r_asym", Numeric: true},
		{Title: "ms/round", Numeric: true}, {Title: "rounds", Numeric: true}, {Title: "ms to target", Numeric: true}, {Title: "note"},
	}}
	for _, r := range rows {
		rate, rounds, total := "–", "never", "–"
		if r.RAsym != nil && !math.IsNaN(*r.RAsym) {
			rate = fmt.Sprintf("%.4f", *r.RAsym)
		}
		if r.Iterations != nil {
			rounds, total = fmt.Sprint(*r.Iterations), fixed(*r.TimeMS, 1)
		}
		cells := []string{r.Name, string(r.Kind), fmt.Sprint(r.Edges), fmt.Sprint(r.MaxDegree), rate, fixed(r.CommunicationMS, 2), rounds, total, r.Note}
		if own != nil && r.Plan == own {
			t.AddStrong(cells...)
		} else {
			t.Add(cells...)
		}
	}
	return t
}

// mostCurves keeps a picture readable.
const mostCurves = 12

// plotRows simulates the fastest rows and draws their error over time.
func plotRows(ctx context.Context, env Env, file string, c *cluster.Cluster, rows []planner.Row, quiet bool) error {
	progress := newProgress(env.Stderr, quiet)
	defer progress.done()
	var series []report.Series
	for k, r := range rows {
		if r.Plan == nil || r.Iterations == nil || len(series) == mostCurves {
			continue
		}
		progress.show("simulating %s (%d of %d)", r.Name, k+1, len(rows))
		s, err := r.Plan.Schedule()
		if err != nil {
			return err
		}
		result, err := consensus.Simulate(ctx, s, consensus.Settings{Seed: 1, Target: c.Model().TargetError,
			MaxRounds: min(10**r.Iterations, limits.Rounds)})
		if err != nil {
			return err
		}
		if !result.Complete {
			return stopped(ctx)
		}
		series = append(series, errorSeries(r.Name, result, true))
	}
	return drawErrors(ctx, file, fmt.Sprintf("Consensus on %d nodes", c.Nodes()), series, c.Model().TargetError, true)
}
