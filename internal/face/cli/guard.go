package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/batopo/batopo/internal/show/present"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// guard checks what is the same for every command before it runs: that numbers are in range and inputs are read; and it
// gives the command the flag --time, whose end cancels the command's context, and --unchecked where it uses plans.
func guard(c *cobra.Command) *cobra.Command {
	var limit time.Duration
	c.Flags().DurationVar(&limit, "time", 0,
		"stop after this long, such as 10s, with the best answer so far (default: no limit)")
	var takes bool
	if slices.Contains(usesPlans, c.Name()) {
		c.Flags().BoolVar(&takes, "unchecked", false, "take plans that were edited by hand, whose hash does not fit")
	}
	run := c.RunE
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		c.Flags().Visit(func(f *pflag.Flag) {
			if err == nil {
				err = checkRange(commandName(c), f)
			}
		})
		if err == nil {
			err = checkStdin(c, args)
		}
		if err != nil {
			return err
		}
		if takes {
			c.SetContext(context.WithValue(c.Context(), unchecked{}, true))
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

// commandName is what follows the program's name on the command line, such as cluster show.
func commandName(c *cobra.Command) string {
	return strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" ")
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
