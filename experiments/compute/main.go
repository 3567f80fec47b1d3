// Command compute computes the experiments that its arguments name, all without any: the rows that are missing or
// have other settings. Every experiment has a file here, and its rows one in the folder of results. Ctrl-C leaves
// everything that is finished there.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"

	"github.com/batopo/batopo/experiments/internal/ledger"
	"github.com/batopo/batopo/internal/ground/spectral"
)

// seed is used by every search and simulation; ablations count on from it.
const seed = 1

// An experiment computes the rows of one result file.
type experiment struct {
	name    string
	compute func(context.Context, ledger.Options) error
}

func of[T any](name string, tasks func(ledger.Options) ([]ledger.Task[T], error)) experiment {
	return experiment{name, func(ctx context.Context, o ledger.Options) error {
		return ledger.Run(ctx, name, o, tasks)
	}}
}

// experiments stand in the order in which they need each other.
var experiments = []experiment{
	of("table1", table1), of("figures", figures), of("table2", table2), of("ablations", ablations),
	of("solver", linearSolver),
}

func main() {
	o := ledger.Options{Log: os.Stderr}
	flag.StringVar(&o.Root, "root", ".", "folder of the repository")
	flag.StringVar(&o.Results, "results", "experiments/results", "folder of the result files")
	flag.StringVar(&o.Fresh, "fresh", "", "compute rows again whose key contains this, such as auto; all for every row")
	flag.BoolVar(&o.Toy, "toy", false, "only the rows that take seconds")
	flag.Parse()
	spectral.UseSystemLAPACK(true) // the committed rows of 48 nodes and more were computed so
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := compute(ctx, o, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// compute computes the experiments of these names; without names, all.
func compute(ctx context.Context, o ledger.Options, names []string) error {
	for _, name := range names {
		if !slices.ContainsFunc(experiments, func(e experiment) bool { return e.name == name }) {
			return fmt.Errorf("there is no experiment %q; compute has a file for each", name)
		}
	}
	for _, e := range experiments {
		if len(names) == 0 || slices.Contains(names, e.name) {
			if err := e.compute(ctx, o); err != nil {
				return err
			}
		}
	}
	return nil
}
