package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// stdin is the name of standard input on the command line, and what it is called in messages.
const stdin, stdinName = "-", "standard input"

// readsStdin are the commands to which the argument - is standard input.
var readsStdin = []string{"plan", "optimize", "schedule", "cluster show", "verify", "export", "import"}

// Flags that name files to read: alone, which never are standard input, and behind a format, which may be.
var (
	fileFlags   = []string{"cluster", "of", "start", "trial"}
	sourceFlags = []string{"structure", "links", "rates", "network"}
)

// checkStdin refuses - where it is not read, and a second one: after the first there is nothing left to read.
func checkStdin(c *cobra.Command, args []string) (err error) {
	times := 0
	for _, word := range args {
		if word == stdin {
			times++
		}
	}
	if times > 0 && !slices.Contains(readsStdin, commandName(c)) {
		return noStdin(commandName(c))
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		if err == nil && value == stdin && slices.Contains(fileFlags, f.Name) {
			err = noStdin("--" + f.Name)
		}
		if strings.HasSuffix(value, ":"+stdin) && slices.Contains(sourceFlags, f.Name) {
			times++
		}
	})
	if err == nil && times > 1 {
		return fmt.Errorf("standard input (-) was given %d times and can be read once; name files", times)
	}
	return err
}

func noStdin(who string) error {
	return fmt.Errorf("%s does not read standard input (-); name a file", who)
}

// shownName is what a file of the command line is called in messages.
func shownName(file string) string {
	if file == stdin {
		return stdinName
	}
	return file
}
