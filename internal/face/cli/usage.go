package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// typingSlips is how many letters may differ between what was typed and what is suggested.
const typingSlips = 2

// anyNumber, as the most arguments of a command, sets no limit.
const anyNumber = -1

// arguments limits how many arguments a command takes, and says how it is used where they are too few or too many.
func arguments(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		problem := ""
		switch {
		case len(args) < least:
			problem = "an argument is missing"
		case most != anyNumber && len(args) > most:
			problem = fmt.Sprintf("%q is one argument too many", args[most])
		default:
			return nil
		}
		return fmt.Errorf("%s; use it as %s, see %s --help", problem, c.UseLine(), c.CommandPath())
	}
}

// noCommand answers a command line whose first word is no command; an empty one gets the help.
func noCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return root.Help()
	}
	root.SuggestionsMinimumDistance = typingSlips
	return fmt.Errorf("unknown command %q%s", args[0], advice(root, root.SuggestionsFor(args[0])))
}

// addHelp puts commands in the place of cobra's own that tell about words they do not know, instead of exiting as if
// all were well.
func addHelp(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Args, c.RunE = arguments(0, anyNumber), noCommand
		}
	}
	root.SetHelpCommand(&cobra.Command{
		Use:   "help [command]",
		Short: "Help about any command",
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return noCommand(c, rest)
			}
			c.InitDefaultHelpFlag() // cobra adds it to the command that runs only
			return c.Help()
		},
	})
}

// flagError says in our words what is wrong with a flag, and which one may have been meant.
func flagError(c *cobra.Command, err error) error {
	if words := c.Flags().Args(); !c.HasParent() && len(words) > 0 {
		return noCommand(c, words) // its flags are unknown because the command is
	}
	var empty *pflag.ValueRequiredError
	if errors.As(err, &empty) {
		return fmt.Errorf("--%s needs a value%s", empty.GetFlag().Name, advice(c, nil))
	}
	var unknown interface{ GetSpecifiedName() string }
	if errors.As(err, &unknown) && c.Flags().Lookup(unknown.GetSpecifiedName()) == nil {
		return fmt.Errorf("%w%s", err, advice(c, similarFlags(c, unknown.GetSpecifiedName())))
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		flag := invalid.GetFlag()
		if want := wanted[flag.Value.Type()]; want != "" {
			return fmt.Errorf("--%s is %q; it must be %s%s", flag.Name, invalid.GetValue(), want, advice(c, nil))
		}
		return fmt.Errorf("--%s: %w%s", flag.Name, invalid.Unwrap(), advice(c, nil))
	}
	return fmt.Errorf("%w%s", err, advice(c, nil))
}

// wanted says what values flags of a type take.
var wanted = map[string]string{
	"int": "a whole number", "uint64": "a whole number that is not negative", "float64": "a number",
	"duration": "a time with its unit, such as 10s or 2m", "bool": "true or false",
	"intSlice": "whole numbers with commas between them",
}

// similarFlags returns the flags of a command whose names are like the one given. Distances are cobra's, which measures
// commands only.
func similarFlags(c *cobra.Command, name string) []string {
	var stand cobra.Command
	stand.SuggestionsMinimumDistance = typingSlips
	c.Flags().VisitAll(func(f *pflag.Flag) {
		stand.AddCommand(&cobra.Command{Use: f.Name, Run: func(*cobra.Command, []string) {}})
	})
	similar := stand.SuggestionsFor(name)
	for k := range similar {
		similar[k] = "--" + similar[k]
	}
	return similar
}

// advice ends a message about bad usage: what may have been meant, and where to read on.
func advice(c *cobra.Command, meant []string) string {
	if len(meant) == 0 {
		return fmt.Sprintf("; see %s --help", c.CommandPath())
	}
	return fmt.Sprintf("; did you mean %s? See %s --help", strings.Join(meant, " or "), c.CommandPath())
}
