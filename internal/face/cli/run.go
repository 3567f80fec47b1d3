// Package cli is the command line: one file per subcommand, flags bound to the
// library's own types. It is the only place where flags and environment are read.
package cli

//go:generate go test . -run Reference -update

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/internal/ground/spectral"
	"github.com/batopo/batopo/internal/show/present"

	"github.com/spf13/cobra"
)

// Env is everything a command may touch outside its arguments and the files they name.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
}

// Exit codes, part of the contract with scripts.
const (
	exitDone  = 0 // done
	exitNo    = 1 // it ran, and the answer is no: a claim is false, the problem is infeasible, a target was missed
	exitUsage = 2 // bad usage or bad input
)

// answerNo wraps an error that is an answer, not a mistake of the caller.
type answerNo struct{ error }

func (e answerNo) Unwrap() error { return e.error }

// Run runs one command line and returns its exit code.
func Run(ctx context.Context, env Env, args []string) int {
	out := &checkedWriter{Writer: env.Stdout}
	env.Stdout = out
	err := chooseLAPACK(env.Getenv("BATOPO_LAPACK"))
	if err == nil {
		root := newRoot(env)
		root.SetArgs(args)
		err = root.ExecuteContext(ctx)
	}
	if out.err != nil {
		err = fmt.Errorf("cannot write standard output: %w", out.err)
	}
	if err == nil {
		return exitDone
	}
	fmt.Fprintf(env.Stderr, "batopo: %s\n", strings.ReplaceAll(shortened(present.Reason(err)), "\n", "\n        "))
	var no answerNo
	if errors.As(err, &no) {
		return exitNo
	}
	return exitUsage
}

// chooseLAPACK switches an installed OpenBLAS on, unless the environment asks for our own code.
func chooseLAPACK(asked string) error {
	switch asked {
	case "", "gonum":
		spectral.UseSystemLAPACK(asked == "")
		return nil
	}
	return fmt.Errorf("the environment variable BATOPO_LAPACK is %q; it must be gonum, or not set", asked)
}

// checkedWriter remembers that something could not be printed: then no command has done its job.
type checkedWriter struct {
	io.Writer
	err error
}

func (w *checkedWriter) Write(b []byte) (int, error) {
	n, err := w.Writer.Write(b)
	if w.err == nil {
		w.err = err
	}
	return n, err
}

// shortened keeps as much of a message as somebody reads: the first lines, each up to a length.
func shortened(message string) string {
	const longest = 1000
	lines := strings.Split(message, "\n")
	if more := len(lines) - limits.Complaints + 1; more > 1 {
		lines = append(lines[:limits.Complaints-1], fmt.Sprintf("… and %d lines more", more))
	}
	for k, line := range lines {
		if runes := []rune(line); len(runes) > longest {
			lines[k] = string(runes[:longest]) + " …"
		}
	}
	return strings.Join(lines, "\n")
}

func newRoot(env Env) *cobra.Command {
	root := &cobra.Command{
		Use:   "batopo",
		Short: "What to run to train fastest on the machines and links you have",
		Long: `batopo says what to run to train fastest on the machines and links that you have:
DistributedDataParallel, another all-reduce, or gossip, where every machine averages with a few
chosen peers. It chooses them and their weights, and writes a plan that PyTorch runs.`,
		Example: `  batopo import nvidia-smi topo.txt -o c.yaml describe a server from what nvidia-smi topo -m prints
  batopo plan c.yaml -o out                   what to run on it, with pictures
  batopo plan --nodes 16                      the same for 16 equal machines
  batopo topology exponential --nodes 16      a known topology, described
  batopo compare --nodes 16                   every known topology side by side
  batopo verify plan.json                     recheck every claim of a plan`,
		Args:          arguments(0, anyNumber),
		RunE:          noCommand,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       versionText(),
	}
	root.SetIn(env.Stdin)
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	root.SetFlagErrorFunc(flagError)
	root.SetVersionTemplate("{{.Version}}\n")
	for _, command := range []func(Env) *cobra.Command{
		newPlan, newOptimize, newSchedule, newTopology, newWeights, newCompare, newSimulate, newTrain, newVerify,
		newExport, newDraw, newCluster, newImport, newReplan, newVersion, newServe,
	} {
		root.AddCommand(guard(command(env)))
	}
	completeValues(root)
	addHelp(root)
	fitHelp(root)
	return root
}
