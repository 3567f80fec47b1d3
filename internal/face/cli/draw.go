package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/batopo/batopo/internal/show/present"
	"github.com/batopo/batopo/internal/show/report"

	"github.com/spf13/cobra"
)

func newDraw(env Env) *cobra.Command {
	var file string
	c := &cobra.Command{
		Use:   "draw FILE -o PICTURE",
		Short: "A picture of a plan's graph, or of a cluster",
		Long: `draw shows who averages with whom in a plan or a graph of your own. Of a schedule it shows the
rounds side by side, of a cluster description the hardware.
Pictures are SVG, with hover texts; rsvg-convert or inkscape turn them into PNG or PDF.`,
		Example: `  batopo draw plan.json -o graph.svg
  batopo draw examples/bcube-16-1to2.yaml -o cluster.svg`,
		Args: arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if file == "" {
				return errors.New("into which file? Give -o PICTURE.svg")
			}
			if !toStdout(file) {
				if err := canDraw(file); err != nil {
					return err
				}
			}
			figure, err := await(c.Context(), func() (*report.Figure, error) { return figureOf(c.Context(), args[0]) })
			if err != nil {
				return err
			}
			return writeFile(c.Context(), env, file, figure.Write)
		},
	}
	c.Flags().StringVarP(&file, "output", "o", "", "the picture to write; - is SVG on standard output")
	return c
}

func figureOf(ctx context.Context, name string) (*report.Figure, error) {
	if isCluster(name) {
		c, err := readCluster(ctx, nil, name)
		if err != nil {
			return nil, err
		}
		return present.DrawCluster(c)
	}
	plan, _, err := planOf(ctx, name, "")
	if err != nil {
		return nil, err
	}
	if plan.Method == "" {
		plan.Method = name
	}
	figure, err := present.DrawGraph(plan)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return figure, nil
}
