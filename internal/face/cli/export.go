package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/format/exporter"

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
		Long: "export writes a plan's matrix, or all rounds of a time-varying plan, for other programs. The plan - is " +
			"standard input.\n\nFormats:\n" + list.String(),
		Example: `  batopo export plan.json --format npy -o W.npy
  batopo export plan.json --format torch -o ranks.json
  batopo export plan.json --format networkx > plan-graph.json`,
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
			plan, err := await(c.Context(), func() (plan *design.Plan, err error) {
				plan, note, err = exportable(c.Context(), env, args[0])
				return plan, err
			})
			if err != nil {
				return err
			}
			if note != "" {
				fmt.Fprintf(env.Stderr, "%s: %s\n", args[0], note)
			}
			var warnings []string
			write := func(w io.Writer) (err error) {
				warnings, err = f.Write(until{c.Context(), w}, plan)
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
func exportable(ctx context.Context, env Env, name string) (p *design.Plan, note string, err error) {
	if name == stdin {
		p, err = readPlan(ctx, env.Stdin, name)
		return p, "", err
	}
	g, err := readGraph(ctx, name)
	if err != nil || g.plan != nil {
		return g.plan, "", err
	}
	s, note, err := g.mixed()
	if err != nil {
		return nil, "", err
	}
	return design.FromSchedule(s), note, nil
}
