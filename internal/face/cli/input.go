package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/batopo/batopo"
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// isCluster reports whether a file is a cluster description, by its name.
func isCluster(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == ".yaml" || ext == ".yml"
}

// readPlan reads a plan to use it: one that was changed after it was written is refused, unless --unchecked was given.
// Nobody may ever write into a pipe, so waiting for an input ends with the command's context, here and below.
func readPlan(ctx context.Context, in io.Reader, name string) (*design.Plan, error) {
	p, err := await(ctx, func() (*design.Plan, error) {
		if name == stdin {
			return design.ReadPlan(stdinName, in)
		}
		return design.ReadPlanFile(name)
	})
	if err != nil {
		return nil, err
	}
	if ctx.Value(unchecked{}) != nil {
		p.Hash = p.ComputeHash()
	} else if err := p.CheckHash(); err != nil {
		return nil, fmt.Errorf("%s: %w; --unchecked takes its content", shownName(name), err)
	}
	if err := p.CheckExact(); err != nil {
		return nil, fmt.Errorf("%s: %w", shownName(name), err)
	}
	return p, nil
}

// unchecked is in the context of a command that takes plans as they are.
type unchecked struct{}

// usesPlans are the commands that take plans and trust their hashes.
var usesPlans = []string{"export", "simulate", "draw", "train", "topology", "replan", "weights", "compare"}

// readCluster reads the description in a file or on standard input.
func readCluster(ctx context.Context, in io.Reader, name string) (*cluster.Cluster, error) {
	return await(ctx, func() (*cluster.Cluster, error) {
		if name == stdin {
			return cluster.Read(stdinName, in)
		}
		return cluster.ReadFile(name)
	})
}

// readFile reads what a flag names.
func readFile[T any](ctx context.Context, flag, name string, read func(io.Reader) (T, error)) (T, error) {
	return await(ctx, func() (value T, err error) {
		f, err := os.Open(name)
		if err != nil {
			return value, fmt.Errorf("--%s: %w", flag, err)
		}
		defer f.Close()
		if value, err = read(f); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return value, err
	})
}

// graphFile is a topology of the user's own, in whichever format.
type graphFile struct {
	name     string
	graph    *topology.Graph  // nil when it changes over time
	schedule *mixing.Schedule // nil when the file has no weights
	plan     *design.Plan     // when the file is a plan
}

const graphFormats = "a plan (.json), a dense W or adjacency matrix (.npy, .csv), graph6 (.g6), GraphML (.graphml) " +
	"or an edge list (.txt, .edges)"

// readGraph reads a plan, a matrix or a graph; the file's ending says which.
func readGraph(ctx context.Context, name string) (graphFile, error) {
	return await(ctx, func() (graphFile, error) {
		out := graphFile{name: strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))}
		if strings.EqualFold(filepath.Ext(name), ".json") {
			return out.ofPlan(ctx, name)
		}
		return out.ofMatrix(name)
	})
}

func (out graphFile) ofPlan(ctx context.Context, name string) (graphFile, error) {
	var err error
	if out.plan, err = readPlan(ctx, nil, name); err != nil {
		return out, err
	}
	if out.schedule, err = out.plan.Averages(); err != nil {
		return out, fmt.Errorf("%s: %w", name, err)
	}
	if out.schedule.Static() && out.plan.Plain() == nil {
		out.graph = out.schedule.Rounds[0].Graph()
	}
	return out, nil
}

func (out graphFile) ofMatrix(name string) (graphFile, error) {
	ext := strings.ToLower(filepath.Ext(name))
	f, err := os.Open(name)
	if err != nil {
		return out, err
	}
	defer f.Close()
	if square := map[string]func(io.Reader) (*mixing.Square, error){
		".npy": mixing.SquareNPY, ".csv": mixing.SquareCSV}[ext]; square != nil {
		if err := out.readSquare(f, square); err != nil {
			return out, fmt.Errorf("%s: %w", name, err)
		}
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
		w, err := mixing.FromEdges(file.Graph, file.Weights)
		if err != nil {
			return out, fmt.Errorf("%s: %w", name, err)
		}
		out.schedule = mixing.Static(w)
	}
	return out, nil
}

// readSquare reads a dense array: the adjacency matrix of a graph, or else a W.
func (g *graphFile) readSquare(r io.Reader, read func(io.Reader) (*mixing.Square, error)) error {
	array, err := read(r)
	if err != nil {
		return err
	}
	graph, ok := array.Adjacency()
	if ok {
		g.graph = graph
		return nil
	}
	w, err := array.Matrix()
	if err != nil {
		return err
	}
	g.graph, g.schedule = w.Graph(), mixing.Static(w)
	return nil
}

// connected complains about a graph on which averaging cannot end in agreement.
func (g graphFile) connected() error {
	if g.graph == nil {
		return nil
	}
	if parts, of := g.graph.Components(); parts > 1 {
		return fmt.Errorf("%s: the graph falls into %d parts (nodes 0 and %d never meet); add edges until it is connected",
			g.name, parts, slices.Index(of, 1))
	}
	return nil
}

// mixed returns the file's W over time; a graph without weights gets Metropolis weights,
// and the note says so.
func (g graphFile) mixed() (s *mixing.Schedule, note string, err error) {
	if err := g.connected(); err != nil {
		return nil, "", err
	}
	if g.schedule != nil {
		return g.schedule, "", nil
	}
	w, err := mixing.Metropolis(g.graph)
	if err != nil {
		return nil, "", err
	}
	return mixing.Static(w), "the file has no weights; Metropolis weights were used", nil
}

// clusterOf returns the cluster to price a file's graph on.
func clusterOf(ctx context.Context, g graphFile, file string) (*cluster.Cluster, error) {
	switch {
	case file != "":
		return readCluster(ctx, nil, file)
	case g.plan != nil:
		return cluster.New(g.plan.Cluster)
	}
	return batopo.Equal(g.graph.Nodes())
}

// priced describes the file's topology on a cluster; the note says what was made up for it.
func (g graphFile) priced(ctx context.Context, c *cluster.Cluster) (p *design.Plan, note string, err error) {
	s, note, err := g.mixed()
	if err != nil {
		return nil, "", err // names the file
	}
	if g.plan != nil {
		p, err = g.plan.On(ctx, c)
	} else {
		p, err = design.NewSchedulePlan(ctx, c, s)
	}
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", g.name, err)
	}
	return p, note, nil
}

// planOf reads a plan, or describes a graph of the user's on a cluster; the note says what was made up for it.
func planOf(ctx context.Context, name, clusterFile string) (p *design.Plan, note string, err error) {
	g, err := readGraph(ctx, name)
	if err != nil {
		return nil, "", err
	}
	if g.plan != nil && clusterFile == "" {
		return g.plan, "", nil
	}
	c, err := clusterOf(ctx, g, clusterFile)
	if err != nil {
		return nil, "", err
	}
	return g.priced(ctx, c)
}
