package cli

import (
	"fmt"
	"strings"
	"time"

	"batopo/cluster"
	"batopo/design"
	"batopo/planner"
	"batopo/spectral"

	"github.com/spf13/cobra"
)

func newWeights(env Env) *cobra.Command {
	var out planOutput
	var ask questionFlags
	var clusterFile string
	var quiet bool
	c := &cobra.Command{
		Use:   "weights GRAPH",
		Short: "The best weights for a graph you already have, with a proof",
		Long: `weights finds the weights that average fastest on the edges of a graph: by default
none negative (FMMC), with --negative-weights of either sign (FDLA). A certificate in the plan proves
that no other weights on these edges do better; verify rechecks it. Edges that the best weights
do not use are left out and named.

The graph may be ` + graphFormats + `; weights in the file are not looked at.`,
		Example: `  batopo weights mine.edges
  batopo weights mine.g6 --negative-weights -o best.json
  batopo weights plan.json --purpose training`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			g, err := readGraph(args[0])
			if err != nil {
				return err
			}
			if g.graph == nil || g.matrix != nil && g.matrix.Directed() {
				return fmt.Errorf("%s: best weights are found for static undirected graphs only", args[0])
			}
			if err := g.connected(); err != nil {
				return err
			}
			hardware, err := clusterOf(g, clusterFile)
			if err != nil {
				return err
			}
			if hardware.Nodes() != g.graph.Nodes() {
				return fmt.Errorf("%s: has %d nodes, the cluster %d", args[0], g.graph.Nodes(), hardware.Nodes())
			}
			problem, err := ask.problem(hardware, len(g.graph.Edges()))
			if err != nil {
				return err
			}
			if err := out.check(); err != nil {
				return err
			}
			progress := newProgress(env.Stderr, quiet)
			started := time.Now()
			plan, err := planner.BestWeights(c.Context(), problem, g.graph, func(p design.Progress) {
				progress.show("iteration %d: value %.9f, proved %.9f", p.Iteration, p.Best, p.Bound)
			})
			progress.done()
			if err != nil {
				return err
			}
			plan.Run = runBlock(started)
			return out.write(env, plan)
		},
	}
	out.bind(c)
	ask.bind(c)
	c.Flags().StringVar(&clusterFile, "cluster", "", "price on this cluster description (default: the plan's, or equal machines)")
	c.Flags().BoolVar(&quiet, "quiet", false, "no progress on stderr")
	return c
}

// clusterOf returns the cluster to price a file's graph on.
func clusterOf(g graphFile, file string) (*cluster.Cluster, error) {
	switch {
	case file != "":
		return readCluster(file)
	case g.plan != nil:
		return cluster.New(g.plan.Cluster)
	}
	return homogeneous(g.graph.Nodes())
}

// questionFlags are what a problem asks for besides the hardware.
type questionFlags struct {
	negative      bool
	purpose       string
	minEigenvalue float64
	limited       *cobra.Command // to see whether --min-eigenvalue was given
}

func (q *questionFlags) bind(c *cobra.Command) {
	f := c.Flags()
	f.BoolVar(&q.negative, "negative-weights", false, "allow negative weights (FDLA instead of FMMC)")
	f.StringVar(&q.purpose, "purpose", string(design.Consensus), "consensus, or training: no negative eigenvalues, compute time counted")
	f.Float64Var(&q.minEigenvalue, "min-eigenvalue", 0, "keep every eigenvalue of W above this (default 0 for training, no limit for consensus)")
	q.limited = c
}

// problem is the question about weights and spectrum, asked of at most edges edges.
func (q *questionFlags) problem(c *cluster.Cluster, edges int) (design.Problem, error) {
	p := design.Problem{Cluster: c, MaxEdges: edges, Objective: design.Rate, Purpose: design.Purpose(strings.ToLower(q.purpose)), Setting: design.FMMC}
	if q.negative {
		p.Setting = design.FDLA
	}
	if p.Purpose == design.Training || q.limited.Flags().Changed("min-eigenvalue") {
		p.MinEigenvalue = &q.minEigenvalue
	}
	return p, p.Validate()
}

func runBlock(started time.Time) design.Run {
	return design.Run{Program: version(), LAPACK: spectral.LAPACK(), ElapsedMS: time.Since(started).Milliseconds(), Started: started.UTC().Format(time.RFC3339)}
}
