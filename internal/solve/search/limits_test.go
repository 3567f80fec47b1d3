package search

import (
	"errors"
	"fmt"
	"slices"

	"github.com/batopo/batopo/topology"
)

// Check reports how a graph breaks the problem's limits; nil when it does not.
func (p Problem) Check(g *topology.Graph) error {
	if g.Nodes() != p.Nodes {
		return fmt.Errorf("search: a graph of %d nodes for a problem of %d", g.Nodes(), p.Nodes)
	}
	var errs []error
	if len(g.Edges()) > p.MaxEdges {
		errs = append(errs, fmt.Errorf("search: %d edges, at most %d allowed", len(g.Edges()), p.MaxEdges))
	}
	for i := range p.Nodes {
		if g.Degree(i) > p.degree(i) {
			errs = append(errs, fmt.Errorf("search: node %d has %d neighbours, at most %d allowed", i, g.Degree(i), p.degree(i)))
		}
	}
	if !g.Connected() {
		errs = append(errs, errors.New("search: the graph is not connected"))
	}
	if p.Space != nil {
		chosen := make([]bool, len(p.Space.Candidates))
		for _, e := range g.Edges() {
			k, ok := slices.BinarySearchFunc(p.Space.Candidates, e, topology.Edge.Compare)
			if !ok {
				errs = append(errs, fmt.Errorf("search: %d–%d is not a candidate edge", e.I, e.J))
				continue
			}
			chosen[k] = true
		}
		errs = append(errs, p.Space.Check(chosen))
	}
	return errors.Join(errs...)
}
