package cli

import (
	"fmt"
	"io"
	"strings"

	"batopo/exporter"
	"batopo/mixing"

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
		Args: arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if format == "" {
				return fmt.Errorf("in which form? Give --format F: %s", strings.Join(names, ", "))
			}
			f, err := exporter.Find(format)
			if err != nil {
				return err
			}
			if file == "" {
				file = "-"
			}
			if err := canWrite(file); err != nil {
				return err
			}
			var note string
			t, err := await(c.Context(), func() (t exporter.Topology, err error) {
				t, note, err = exportable(args[0])
				return t, err
			})
			if err != nil {
				return err
			}
			if note != "" {
				fmt.Fprintf(env.Stderr, "%s: %s\n", args[0], note)
			}
			var warnings []string
			write := func(w io.Writer) (err error) {
				warnings, err = f.Write(until{c.Context(), w}, t)
				return err
			}
			err = writeFile(c.Context(), env, file, write)
			for _, w := range warnings {
				fmt.Fprintf(env.Stderr, "warning: %s\n", w)
			}
			return err
		},
	}
	c.Flags().StringVarP(&format, "format", "f", "", "one of "+strings.Join(names, ", "))
	c.Flags().StringVarP(&file, "output", "o", "", "write to this file; - is standard output, the default")
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// exportable reads what an export writes; the note says what was made up for it.
func exportable(name string) (t exporter.Topology, note string, err error) {
	g, err := readGraph(name)
	if err != nil {
		return t, "", err
	}
	if g.plan != nil {
		t.Names, t.Hash = g.plan.Names, g.plan.Hash
	}
	if t.Rounds = g.schedule; g.schedule == nil {
		t.Rounds = make([]*mixing.Matrix, 1)
		t.Rounds[0], note, err = g.mixed()
	}
	return t, note, err
}
