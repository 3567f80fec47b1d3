package topology

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/batopo/batopo/internal/ground/limits"
)

// A File is what a graph file says.
type File struct {
	Graph   *Graph
	Weights []float64 // of Graph.Edges(), in order; nil where the file has none
	Names   []string  // of the nodes; nil where the file has none
}

// readAll reads a whole file of at most limits.GraphBytes.
func readAll(r io.Reader, format string) ([]byte, error) {
	data, err := limits.ReadText(r, limits.GraphBytes, "a graph")
	if err != nil {
		return nil, fmt.Errorf("topology: %s: %w", format, err)
	}
	return data, nil
}

// A collector gathers the edges of a file, with the line each stands on, so that
// every complaint can name it.
type collector struct {
	format   string
	nodes    int
	edges    []fileEdge
	weighted bool // decided by the first edge
}

type fileEdge struct {
	Edge
	weight float64
	line   int
}

func (c *collector) errorf(line int, format string, args ...any) error {
	return fmt.Errorf("topology: %s: line %d: %s", c.format, line, fmt.Sprintf(format, args...))
}

// add takes the edge {i, j} from the given line; weight is nil where it has none.
func (c *collector) add(line, i, j int, weight *float64) error {
	e := fileEdge{Edge: Edge{min(i, j), max(i, j)}, line: line}
	if len(c.edges) == 0 {
		c.weighted = weight != nil
	}
	switch {
	case e.I < 0 || e.J >= c.nodes:
		return c.errorf(line, "edge %d–%d is out of range; nodes are 0 … %d", i, j, c.nodes-1)
	case i == j:
		return c.errorf(line, "edge %d–%d joins a node to itself; self weights follow from the others", i, j)
	case len(c.edges) == limits.Edges:
		return c.errorf(line, "more than %d edges, the most that a graph may have", limits.Edges)
	case c.weighted != (weight != nil):
		return c.errorf(line, "either all edges have a weight or none has")
	}
	if weight != nil {
		e.weight = *weight
		if math.IsNaN(e.weight) || math.IsInf(e.weight, 0) {
			return c.errorf(line, "weight %v; it must be a finite number", e.weight)
		}
	}
	c.edges = append(c.edges, e)
	return nil
}

// file returns what was gathered, with edges and weights in order.
func (c *collector) file() (File, error) {
	slices.SortFunc(c.edges, func(a, b fileEdge) int {
		return cmp.Or(a.Edge.Compare(b.Edge), cmp.Compare(a.line, b.line))
	})
	edges := make([]Edge, len(c.edges))
	for k, e := range c.edges {
		edges[k] = e.Edge
		if k > 0 && edges[k] == edges[k-1] {
			return File{}, c.errorf(e.line, "edge %d–%d appears twice, first on line %d", e.I, e.J, c.edges[k-1].line)
		}
	}
	f := File{Graph: index(c.nodes, edges)}
	if c.weighted {
		f.Weights = make([]float64, len(edges))
		for k, e := range c.edges {
			f.Weights[k] = e.weight
		}
	}
	return f, nil
}
