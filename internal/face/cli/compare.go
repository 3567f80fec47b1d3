package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/sweep"
	"github.com/batopo/batopo/internal/show/present"
	"github.com/batopo/batopo/internal/solve/schedules"

	"github.com/spf13/cobra"
)

type compareFlags struct {
	at          clusterFlags
	json, quiet bool
	plot        string
	only        []string
	seed        uint64
}

func newCompare(env Env) *cobra.Command {
	var how compareFlags
	c := &cobra.Command{
		Use:   "compare [CLUSTER.yaml | --nodes N] [FILE…]",
		Short: "Price every known topology, and your own, on one cluster",
		Long: `compare shows every known topology under one bandwidth model: static families,
time-varying schedules, all-reduce in several forms, methods of other papers that know how fast links are,
and schedules that are searched for this cluster; and beside them any files given:
` + graphFormats + `.
Without a cluster, the one of the first plan is used, or equal machines.

Rows are sorted by the time until the error from a Gaussian start is down to the target.
All-reduce is exact, so it takes one iteration; a gossip round is not, but waits for neighbours only.`,
		Example: `  batopo compare --nodes 16
  batopo compare examples/node-level-16.yaml --plot error.svg
  batopo compare mine.npy --only ring,torus,exponential --plot error.svg
  batopo compare --nodes 16 plan.json other.edges --json`,
		RunE: func(c *cobra.Command, args []string) error { return how.run(c.Context(), env, args) },
	}
	how.at.bind(c)
	f := c.Flags()
	f.BoolVar(&how.json, "json", false, "print the comparison as JSON")
	f.BoolVar(&how.quiet, "quiet", false, "no progress on stderr")
	f.StringVar(&how.plot, "plot", "",
		"draw the consensus error over time into this .svg file, or list the curves in this .csv file")
	f.StringSliceVar(&how.only, "only", nil, "the files given and these `topologies`: parts of names, such as ring,torus")
	f.Uint64Var(&how.seed, "seed", 1, "seed of random families and of the simulated starts")
	return c
}

func (f *compareFlags) run(ctx context.Context, env Env, args []string) error {
	if err := canChart(f.plot); err != nil {
		return err
	}
	hardware, files, err := compareInput(ctx, &f.at, args)
	if err != nil {
		return err
	}
	var skipped []sweep.Skipped
	var least *design.TimeBound
	rows, err := await(ctx, func() (rows []sweep.Row, err error) {
		if rows, err = ownRows(ctx, hardware, files); err != nil {
			return nil, err
		}
		rows, skipped = batopo.Compare(ctx, hardware, rows, batopo.Options{Seed: f.seed})
		least = schedules.LowerBound(hardware, false)
		return rows, nil
	})
	if err != nil {
		return err
	}
	given := func(name string) bool {
		return slices.ContainsFunc(files, func(g graphFile) bool { return g.name == name })
	}
	if len(f.only) > 0 {
		if rows, err = f.chosen(rows, given); err != nil {
			return err
		}
		skipped = nil
	}
	if f.plot != "" {
		if err := plotRows(ctx, env, f.plot, hardware, rows, given, f.quiet); err != nil {
			return err
		}
	}
	if f.json {
		return present.WriteJSON(env.Stdout, present.NewComparisonJSON(hardware, rows, skipped, least))
	}
	return present.WriteComparison(sentences(env), hardware, rows, skipped, least)
}

// chosen keeps the files given and the rows that --only names.
func (f *compareFlags) chosen(rows []sweep.Row, given func(string) bool) (kept []sweep.Row, err error) {
	unknown := slices.Clone(f.only)
	for _, r := range rows {
		named := func(part string) bool { return strings.Contains(strings.ToLower(r.Name), strings.ToLower(part)) }
		if given(r.Name) || slices.ContainsFunc(f.only, named) {
			kept = append(kept, r)
		}
		unknown = slices.DeleteFunc(unknown, named)
	}
	if len(unknown) > 0 {
		var names []string
		for _, r := range rows {
			names = append(names, r.Name)
		}
		return nil, fmt.Errorf("--only %q fits no row; there are %s", unknown[0], strings.Join(names, ", "))
	}
	return kept, nil
}

// compareInput sorts arguments into a cluster and files of one's own.
func compareInput(ctx context.Context, at *clusterFlags, args []string) (*cluster.Cluster, []graphFile, error) {
	var description string
	var files []graphFile
	for _, name := range args {
		if !isCluster(name) {
			g, err := readGraph(ctx, name)
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
	c, err = clusterOf(ctx, files[0], "")
	return c, files, err
}

func ownRows(ctx context.Context, c *cluster.Cluster, files []graphFile) ([]sweep.Row, error) {
	var rows []sweep.Row
	for _, f := range files {
		p, note, err := f.priced(ctx, c)
		if err != nil {
			return nil, err
		}
		row := sweep.PlanRow(f.name, p)
		row.Note = strings.TrimPrefix(row.Note+"; "+note, "; ")
		row.Note = strings.TrimSuffix(row.Note, "; ")
		rows = append(rows, row)
	}
	return rows, nil
}

// plotRows simulates the files given and the fastest other rows and draws their error over time.
func plotRows(ctx context.Context, env Env, file string, c *cluster.Cluster, rows []sweep.Row,
	given func(name string) bool, quiet bool) error {
	rows = slices.SortedStableFunc(slices.Values(rows), func(a, b sweep.Row) int {
		first := func(r sweep.Row) int {
			if given(r.Name) {
				return 0
			}
			return 1
		}
		return cmp.Compare(first(a), first(b))
	})
	progress := newProgress(env, quiet)
	defer progress.done()
	target := c.Model().TargetError
	curves, err := present.RowCurves(ctx, rows, target, func(k int) {
		progress.show("simulating %s (%d of %d)", rows[k].Name, k+1, len(rows))
	})
	if err != nil {
		if ctx.Err() != nil {
			return stopped(ctx)
		}
		return err
	}
	return writeChart(ctx, file, present.ErrorChart(fmt.Sprintf("Consensus on %d nodes", c.Nodes()), curves, target, true))
}
