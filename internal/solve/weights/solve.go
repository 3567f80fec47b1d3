package weights

import (
	"context"
	"errors"
	"fmt"

	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// Solve finds the best weights for a connected graph, one per edge.
//
// Up to 1024 nodes and 3000 edges that is exact: each of some 10 to 20 iterations costs O(m³ + n³) for m edges and n
// nodes, with 18 n × n matrices and one m × m matrix in memory. Beyond, the weights are equal or by degree, scaled to
// their best, and there is neither a bound nor a certificate.
func Solve(ctx context.Context, g *topology.Graph, s Settings) (*Result, error) {
	s = s.withDefaults()
	if err := errors.Join(s.validate(), checkGraph(g)); err != nil {
		return nil, err
	}
	if !Proves(g) {
		return simple(g, s), nil
	}
	var p program
	p.set(len(g.Edges()), s)
	if p.limited {
		nodeRows(&p, g)
	}
	var w interior
	w.prepare(&p, newDense(g, &p))
	for k, e := range g.Edges() {
		w.x[k] = p.startWeight(float64(max(g.Degree(e.I), g.Degree(e.J))))
	}
	stop := w.run(ctx, s)
	var failure error
	r := w.result(s, stop, func(weights []float64) (lambda2, lambdaN float64) {
		lambda2, lambdaN, failure = extremes(context.WithoutCancel(ctx), g, weights)
		return lambda2, lambdaN
	})
	if failure != nil {
		return nil, failure
	}
	if !s.NoCertificate {
		r.Certificate, r.Bound = w.certify(asLift(g), s)
	}
	return r, nil
}

// extremes returns λ₂ and λₙ of weights on a graph, from all eigenvalues.
func extremes(ctx context.Context, g *topology.Graph, weights []float64) (lambda2, lambdaN float64, err error) {
	m, err := mixing.FromEdges(g, weights)
	if err != nil {
		return 0, 0, fmt.Errorf("weights: the solver's weights are no mixing matrix: %w", err)
	}
	s, err := m.Spectrum(ctx)
	if err != nil {
		return 0, 0, fmt.Errorf("weights: %w", err)
	}
	return s.Lambda2, s.LambdaN, nil
}

func checkGraph(g *topology.Graph) error {
	if g.Nodes() < 2 {
		return fmt.Errorf("weights: the graph has %d node; averaging needs at least 2", g.Nodes())
	}
	if count, _ := g.Components(); count > 1 {
		return fmt.Errorf("weights: the graph has %d components; no weights average over all of its %d "+
			"nodes unless it is connected", count, g.Nodes())
	}
	return nil
}

// nodeRows writes the sum of the weights at every node.
func nodeRows(p *program, g *topology.Graph) {
	for i := range g.Nodes() {
		for _, j := range g.Neighbors(i) {
			k, _ := g.EdgeIndex(i, j)
			p.term(k, 1)
		}
		p.endRow()
	}
}
