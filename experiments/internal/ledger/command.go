package ledger

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/batopo/batopo/internal/spectral"
)

// Options are what every experiment is told on its command line.
type Options struct {
	Root    string // folder of the repository
	Results string // folder of the result files
	Fresh   string // rows whose key contains it are computed again; "all" for every row, "" for none
	Toy     bool   // only the rows that take seconds
	Log     io.Writer
}

// Main is the main function of an experiment: it reads the flags, runs what is missing and
// stops at Ctrl-C with everything that is finished in the file.
func Main[T any](name string, tasks func(Options) ([]Task[T], error)) {
	o := Options{Log: os.Stderr}
	flag.StringVar(&o.Root, "root", ".", "folder of the repository")
	flag.StringVar(&o.Results, "results", "experiments/results", "folder of the result files")
	flag.StringVar(&o.Fresh, "fresh", "", "compute rows again whose key contains this, such as auto; all for every row")
	flag.BoolVar(&o.Toy, "toy", false, "only the rows that take seconds")
	flag.Parse()
	spectral.UseSystemLAPACK(true) // the committed rows of 48 nodes and more were computed so
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if _, err := Run(ctx, name, o, tasks); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
