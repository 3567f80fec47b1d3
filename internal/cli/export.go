package cli

import (
	"fmt"
	"io"
	"strings"

	"batopo/exporter"

	"github.com/spf13/cobra"
)

func newExport(env Env) *cobra.Command {
	var format, file string
	var names []string
	var list strings.Builder
	for _, f := range exporter.Formats {
		names = append(names, f.Name)
		fmt.Fprintf(&list, "  %-16s%s\n", f.Name, f.Doc)
	}
	c := &cobra.Command{
		Use:   "export PLAN --format F",
		Short: "A plan in the form that your framework reads",
		Long:  "export writes a plan's matrix, or all rounds of a time-varying plan, for other programs.\n\nFormats:\n" + list.String(),
		Example: `  batopo export plan.json --format npy -o W.npy
  batopo export plan.json --format torch -o ranks.json
  batopo export plan.json --format dot | dot -Tsvg > plan.svg`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			f, err := exporter.Find(format)
			if err != nil {
				return err
			}
			g, err := readGraph(args[0])
			if err != nil {
				return err
			}
			t := exporter.Topology{Rounds: g.schedule}
			if g.schedule == nil {
				w, note, err := g.mixed()
				if err != nil {
					return err
				}
				if note != "" {
					fmt.Fprintf(env.Stderr, "%s: %s\n", args[0], note)
				}
				t.Rounds = append(t.Rounds, w)
			}
			if g.plan != nil {
				t.Names, t.Hash = g.plan.Names, g.plan.Hash
			}
			var warnings []string
			write := func(w io.Writer) (err error) {
				warnings, err = f.Write(w, t)
				return err
			}
			if file == "" {
				err = write(env.Stdout)
			} else {
				err = writeFile(file, write)
			}
			for _, w := range warnings {
				fmt.Fprintf(env.Stderr, "warning: %s\n", w)
			}
			return err
		},
	}
	c.Flags().StringVarP(&format, "format", "f", "", "one of "+strings.Join(names, ", "))
	c.Flags().StringVarP(&file, "output", "o", "", "write to this file instead of standard output")
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	return c
}
