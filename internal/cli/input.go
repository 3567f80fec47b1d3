package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"batopo/cluster"
	"batopo/design"
	"batopo/mixing"
	"batopo/planner"
	"batopo/topology"
)

func homogeneous(nodes int) (*cluster.Cluster, error) {
	return cluster.New(cluster.Homogeneous(nodes, cluster.PaperBandwidthGBs))
}

// isCluster reports whether a file name is that of a cluster description.
func isCluster(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == ".yaml" || ext == ".yml"
}

// graphFile is a topology of the user's own, in whichever format.
type graphFile struct {
	name     string
	graph    *topology.Graph  // of an undirected matrix or schedule-free graph
	matrix   *mixing.Matrix   // nil when the file has no weights
	schedule []*mixing.Matrix // rounds of a time-varying plan
	plan     *design.Plan     // when the file is a plan
}

const graphFormats = "a plan (.json), a dense matrix (.npy), graph6 (.g6), GraphML (.graphml) or an edge list (.txt, .edges)"

// readGraph reads a plan, a matrix or a graph, told apart by the file's ending.
func readGraph(name string) (graphFile, error) {
	out := graphFile{name: strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))}
	ext := strings.ToLower(filepath.Ext(name))
	if ext == ".json" {
		plan, err := readPlan(name)
		if err != nil {
			return out, err
		}
		rounds, err := plan.Matrices()
		if err != nil {
			return out, fmt.Errorf("%s: %w", name, err)
		}
		out.plan = plan
		if len(plan.Rounds) > 0 {
			out.schedule = rounds
			return out, nil
		}
		out.matrix = rounds[0]
		out.graph = rounds[0].Graph()
		return out, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return out, err
	}
	defer f.Close()
	if ext == ".npy" {
		if out.matrix, err = mixing.ReadNPY(f); err != nil {
			return out, fmt.Errorf("%s: %w", name, err)
		}
		out.graph = out.matrix.Graph()
		return out, nil
	}
	read := map[string]func(io.Reader) (topology.File, error){
		".g6": topology.ReadGraph6, ".graph6": topology.ReadGraph6, ".graphml": topology.ReadGraphML,
		".txt": topology.ReadEdgeList, ".edges": topology.ReadEdgeList, "": topology.ReadEdgeList,
	}[ext]
	if read == nil {
		return out, fmt.Errorf("%s: unknown kind of file %q; give %s", name, ext, graphFormats)
	}
	file, err := read(f)
	if err != nil {
		return out, fmt.Errorf("%s: %w", name, err)
	}
	out.graph = file.Graph
	if file.Weights != nil {
		if out.matrix, err = mixing.FromEdges(file.Graph, file.Weights); err != nil {
			return out, fmt.Errorf("%s: %w", name, err)
		}
	}
	return out, nil
}

// connected complains about a graph on which averaging cannot end in agreement.
func (g graphFile) connected() error {
	if g.graph == nil {
		return nil
	}
	if parts, of := g.graph.Components(); parts > 1 {
		return fmt.Errorf("%s: the graph falls into %d parts (nodes 0 and %d never meet); add edges until it is connected", g.name, parts, slices.Index(of, 1))
	}
	return nil
}

// mixed returns the file's matrix; a graph without weights gets Metropolis weights,
// and the note says so.
func (g graphFile) mixed() (w *mixing.Matrix, note string, err error) {
	if err := g.connected(); err != nil {
		return nil, "", err
	}
	switch {
	case g.schedule != nil:
		return nil, "", fmt.Errorf("%s: is a time-varying plan; a static one is needed here", g.name)
	case g.matrix != nil:
		return g.matrix, "", nil
	}
	w, err = mixing.Metropolis(g.graph)
	return w, "the file has no weights; Metropolis weights were used", err
}

// readPlan reads a plan file.
func readPlan(name string) (*design.Plan, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return design.ReadPlan(name, f)
}

// clusterOf returns the cluster to price a file's graph on.
func clusterOf(g graphFile, file string) (*cluster.Cluster, error) {
	switch {
	case file != "":
		return cluster.ReadFile(file)
	case g.plan != nil:
		return cluster.New(g.plan.Cluster)
	}
	return homogeneous(g.graph.Nodes())
}

// priced describes the file's topology on a cluster; the note says what was made up for it.
func (g graphFile) priced(ctx context.Context, c *cluster.Cluster) (p *design.Plan, note string, err error) {
	if g.schedule != nil {
		p, err = design.NewSchedulePlan(ctx, c, &mixing.Schedule{Name: g.name, Rounds: g.schedule})
	} else {
		var w *mixing.Matrix
		if w, note, err = g.mixed(); err != nil {
			return nil, "", err // names the file
		}
		p, err = planner.Describe(ctx, c, w)
	}
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", g.name, err)
	}
	return p, note, nil
}

// planOf reads a plan, or describes a graph of the user's on a cluster.
func planOf(ctx context.Context, name, clusterFile string) (*design.Plan, error) {
	g, err := readGraph(name)
	if err != nil {
		return nil, err
	}
	if g.plan != nil && clusterFile == "" {
		return g.plan, nil
	}
	c, err := clusterOf(g, clusterFile)
	if err != nil {
		return nil, err
	}
	p, _, err := g.priced(ctx, c)
	return p, err
}
