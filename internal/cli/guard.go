package cli

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/batopo/batopo/admm"
	"github.com/batopo/batopo/internal/limits"
	"github.com/batopo/batopo/present"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// countRanges says what the flags that count something may be, where they are given.
var countRanges = map[string]struct{ least, most int }{
	"nodes": {2, limits.Nodes}, "edges": {1, limits.Edges}, "max-degree": {1, limits.Nodes},
	"degree": {1, limits.Nodes}, "shifts": {1, limits.Nodes}, "evaluations": {1, math.MaxInt},
	"starts": {1, limits.Starts}, "trials": {1, limits.Trials}, "rounds": {1, limits.Rounds},
	"workers": {1, math.MaxInt}, "every": {1, limits.Rounds}, "servers": {1, limits.Nodes},
	"steps": {1, admm.MostIterations},
}

// aboveZero are flags whose 0 the libraries take for "not said": given on the command line it would silently mean the
// default.
var aboveZero = []string{"rho", "growth", "share", "alpha", "epsilon", "changes", "gain"}

// readsStdin are the commands to which - is standard input.
var readsStdin = []string{"plan", "optimize", "schedule", "show", "verify", "export", "import"}

// guard checks what is the same for every command before it runs: that numbers are in range and inputs are read; and it
// gives the command the flag --time, whose end cancels the command's context.
func guard(c *cobra.Command) *cobra.Command {
	var limit time.Duration
	c.Flags().DurationVar(&limit, "time", 0,
		"stop after this long, such as 10s, with the best answer so far (default: no limit)")
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		c.Flags().Visit(func(f *pflag.Flag) {
			if err == nil {
				err = checkRange(f)
			}
		})
		if err != nil {
			return err
		}
		if slices.Contains(args, stdin) && !slices.Contains(readsStdin, c.Name()) {
			return fmt.Errorf("%s does not read standard input (-); name a file", c.Name())
		}
		if c.Flags().Changed("time") {
			ctx, cancel := context.WithTimeoutCause(c.Context(), limit, errTimeUp)
			defer cancel()
			c.SetContext(ctx)
		}
		return byFlag(c, run(c, args))
	}
	return c
}

// byFlag names flags in an error where libraries, which know none, name the fields that they set: "max_degree is 1"
// was caused by --max-degree, if that was given.
func byFlag(c *cobra.Command, err error) error {
	if err == nil {
		return nil
	}
	lines := strings.Split(present.Reason(err), "\n")
	for k, line := range lines {
		field, rest, found := strings.Cut(line, " is ")
		if flag := strings.ReplaceAll(field, "_", "-"); found && c.Flags().Changed(flag) {
			lines[k] = "--" + flag + " is " + rest
		}
	}
	return worded{err, strings.Join(lines, "\n")}
}

// worded is an error in other words.
type worded struct {
	error
	words string
}

func (e worded) Error() string { return e.words }
func (e worded) Unwrap() error { return e.error }

// checkRange complains about a number that its flag cannot have.
func checkRange(f *pflag.Flag) error {
	switch f.Value.Type() {
	case "int":
		value, err := strconv.Atoi(f.Value.String())
		if r, ok := countRanges[f.Name]; ok && (err != nil || value < r.least || value > r.most) {
			if r.most == math.MaxInt {
				return fmt.Errorf("--%s is %d; it must be at least %d", f.Name, value, r.least)
			}
			return fmt.Errorf("--%s is %d; it must be from %d to %d", f.Name, value, r.least, r.most)
		}
	case "float64":
		v, err := strconv.ParseFloat(f.Value.String(), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("--%s is %s; it must be a finite number", f.Name, f.Value)
		}
		if v <= 0 && slices.Contains(aboveZero, f.Name) {
			return fmt.Errorf("--%s is %s; it must be positive", f.Name, f.Value)
		}
	case "duration":
		d, err := time.ParseDuration(f.Value.String())
		if err != nil || d < 0 || d == 0 && f.Name != "switch" { // which may cost nothing
			return fmt.Errorf("--%s is %s; it must be a positive time with its unit, such as 10s", f.Name, f.Value)
		}
	}
	return nil
}
