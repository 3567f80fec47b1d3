package weights

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"batopo/mixing"
	"batopo/topology"
)

// Solve finds the best weights for a connected graph, one per edge.
//
// Each of some 10 to 20 iterations costs O(m³ + n³) for m edges and n nodes, with 18 n × n matrices and one m × m
// matrix in memory.
func Solve(ctx context.Context, g *topology.Graph, s Settings) (*Result, error) {
	orbit := make([]int, len(g.Edges()))
	for k := range orbit {
		orbit[k] = k
	}
	return SolveOrbits(ctx, g, orbit, s)
}

// SolveOrbits is Solve with equal weights on all edges of a class: orbit[k] is the class of edge k, numbered
// from 0 without gaps. If the classes are the edge orbits of a group of automorphisms the
// result is optimal among all weights, and the certificate proves it. For other classes it is the best of its
// kind, and the bound, which is about all weights, may stay below it.
func SolveOrbits(ctx context.Context, g *topology.Graph, orbit []int, s Settings) (*Result, error) {
	s = s.withDefaults()
	if err := errors.Join(s.validate(), checkGraph(g), checkOrbits(g, orbit)); err != nil {
		return nil, err
	}
	var p program
	vars := slices.Max(orbit) + 1
	p.set(vars, s)
	if p.limited {
		nodeRows(&p, g, orbit)
	}
	cone := newDense(g, orbit, &p)
	var w interior
	w.prepare(&p, cone)
	for k := range vars {
		w.x[k] = math.Inf(1)
	}
	for k, e := range g.Edges() {
		start := p.startWeight(float64(max(g.Degree(e.I), g.Degree(e.J))))
		w.x[orbit[k]] = min(w.x[orbit[k]], start)
	}
	stop := w.run(ctx, s)
	var failure error
	r := w.result(s, stop, orbit, func(weights []float64) (lambda2, lambdaN float64) {
		m, err := mixing.FromEdges(g, weights)
		if err != nil {
			failure = err
			return math.NaN(), math.NaN()
		}
		spectrum, err := m.Spectrum()
		failure = err
		return spectrum.Lambda2, spectrum.LambdaN
	})
	if failure != nil {
		return nil, fmt.Errorf("weights: after %d iterations: %w", w.iterations, failure)
	}
	if !s.NoCertificate {
		r.Certificate, r.Bound = w.certify(asLift(g), s)
	}
	return r, nil
}

func checkGraph(g *topology.Graph) error {
	if g.Nodes() < 2 {
		return fmt.Errorf("weights: the graph has %d node; averaging needs at least 2", g.Nodes())
	}
	if count, _ := g.Components(); count > 1 {
		return fmt.Errorf("weights: the graph has %d components; no weights average over all of its %d nodes unless it is connected", count, g.Nodes())
	}
	return nil
}

func checkOrbits(g *topology.Graph, orbit []int) error {
	if len(orbit) != len(g.Edges()) {
		return fmt.Errorf("weights: classes for %d edges; the graph has %d", len(orbit), len(g.Edges()))
	}
	seen := make([]bool, len(orbit))
	for k, v := range orbit {
		if v < 0 || v >= len(orbit) {
			return fmt.Errorf("weights: edge %d is in class %d; classes are numbered from 0 without gaps", k, v)
		}
		seen[v] = true
	}
	if gap := slices.Index(seen, false); gap >= 0 && slices.Contains(seen[gap:], true) {
		return fmt.Errorf("weights: no edge is in class %d; classes are numbered from 0 without gaps", gap)
	}
	return nil
}

// nodeRows writes the sum of the weights at every node.
func nodeRows(p *program, g *topology.Graph, orbit []int) {
	for i := range g.Nodes() {
		for _, j := range g.Neighbors(i) {
			k, _ := g.EdgeIndex(i, j)
			p.edge(orbit[k])
		}
		p.endRow()
	}
}
