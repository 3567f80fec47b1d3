package cli

import (
	"context"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/ground/outfile"
	"github.com/batopo/batopo/internal/show/present"
	"github.com/batopo/batopo/internal/solve/feasible"

	"github.com/spf13/cobra"
)

func newCluster(env Env) *cobra.Command {
	c := &cobra.Command{
		Use:   "cluster show FILE",
		Short: "What a cluster description means: its resources, and how many edges each should carry",
		Args:  arguments(0, anyNumber),
		RunE:  noCommand,
	}
	c.AddCommand(guard(newClusterShow(env)))
	return c
}

func newClusterShow(env Env) *cobra.Command {
	var picture string
	var edges int
	var asJSON bool
	c := &cobra.Command{
		Use:   "show FILE",
		Short: "Print resources, their capacities and Algorithm 1's e of a cluster description",
		Long: `show prints what a cluster description means: every shared resource (those alike in one
line), its bandwidth, latency and the most edges that could use it, and how many edges it should carry under
the first few budgets. --edges asks for one budget; Algorithm 1's e, which trims the capacities to r edges, stands
beside it where all routes have the same length. With -o it draws the hardware as well.
The description - is standard input.`,
		Example: `  batopo cluster show examples/leaf-spine-32.yaml
  batopo cluster show examples/nvswitch-4x8.yaml --edges 64 -o cluster.svg
  batopo cluster show examples/wan-general.yaml --json`,
		Args: arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := canDraw(picture); err != nil {
				return err
			}
			hardware, err := readCluster(c.Context(), env.Stdin, args[0])
			if err != nil {
				return err
			}
			ctx := c.Context()
			budgets, err := await(ctx, func() ([]feasible.Allocation, error) { return shownBudgets(ctx, hardware, edges) })
			if feasible.NoGraph(err) {
				return answerNo{err}
			}
			if err != nil {
				return err
			}
			if picture != "" {
				figure, err := present.DrawCluster(hardware)
				if err != nil {
					return err
				}
				if err := outfile.Write(ctx, picture, figure.Write); err != nil {
					return err
				}
			}
			var printed []int // where routes differ in length, and on equal machines, Algorithm 1 has no e
			if a, err := feasible.On(hardware).Algorithm1(edges); err == nil && edges > 0 && !hardware.Homogeneous() {
				printed = a.Edges
			}
			if asJSON {
				return present.WriteJSON(env.Stdout, present.NewClusterJSON(hardware, budgets, printed))
			}
			return present.WriteCluster(env.Stdout, hardware, budgets, printed)
		},
	}
	c.Flags().IntVar(&edges, "edges", 0, "show the allocation for at most this many edges")
	c.Flags().BoolVar(&asJSON, "json", false, "print every resource and its edges under the budgets as JSON")
	c.Flags().StringVarP(&picture, "output", "o", "", "draw the hardware into this .svg file")
	return c
}

// shownBudgets is the allocation for the edges asked for, else the first few.
func shownBudgets(ctx context.Context, c *cluster.Cluster, edges int) ([]feasible.Allocation, error) {
	const few = 4
	if edges == 0 {
		return feasible.On(c).Budgets(ctx, few)
	}
	a, err := feasible.On(c).Allocate(ctx, edges)
	return []feasible.Allocation{a}, err
}
