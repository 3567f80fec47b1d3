package admm

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/topology"
)

// A beginning is where a run starts: weights on all candidates, and a feasible choice that
// is the first plan.
type beginning struct {
	weights    []float64
	first      candidate
	pathLength float64 // 0 when not annealed
}

func ringEdges(n int) []topology.Edge {
	edges := make([]topology.Edge, 0, n)
	for i := range n - 1 {
		edges = append(edges, topology.Edge{I: i, J: i + 1})
	}
	if n > 2 {
		edges = append(edges, topology.Edge{I: 0, J: n - 1})
	}
	return edges
}

// onCandidates checks that a start graph uses candidates only.
func onCandidates(space design.Space, edges []topology.Edge) error {
	for _, e := range edges {
		if _, ok := slices.BinarySearchFunc(space.Candidates, e, topology.Edge.Compare); !ok {
			return fmt.Errorf("admm: edge %d–%d of the start graph is not a candidate", e.I, e.J)
		}
	}
	return nil
}

// boundedSpace is the space with no node above an even share of the edges, from which a bounded start is drawn. The
// iteration itself may leave it.
func boundedSpace(space design.Space) design.Space {
	even := (2*space.MaxEdges + space.Nodes - 1) / space.Nodes
	space.Limits = slices.Concat(space.Limits,
		design.DegreeLimits(space.Nodes, space.Candidates, func(int) int { return even }, strconv.Itoa))
	return space
}

// share is how much of the first weights lies on the start graph; the rest lies on all
// candidates at random. An iteration that begins at a sparse graph alone keeps most of its
// edges (n = 16, r = 32: median 0.539 of 48 runs, from a mixture 0.517), so runs from an
// annealed graph take turns: half of the weight on it, or none, and then the graph is
// the first plan only.
func (r *runner) share() float64 {
	switch {
	case r.settings.Start == Random:
		return 0
	case r.settings.Share > 0:
		return r.settings.Share
	case r.settings.Start.anneals():
		return 0.5 * float64(1-r.index%2)
	case r.index == 0:
		return 1 // a graph that the caller chose is tried unchanged once
	}
	return 0.5
}

// begin builds the start of one run.
func (r *runner) begin(ctx context.Context) beginning {
	p := r.problem
	random := make([]float64, p.m)
	for k := range random {
		random[k] = r.rng.Float64()
	}
	chosen := r.first.Round(r.wanted(random))
	var b beginning
	if r.settings.Start.anneals() {
		b.pathLength = anneal(ctx, chosen, p.edges, p.n, annealingMoves(r.space), r.rng)
	}
	if r.settings.Literal { // nothing but the graph
		for k := range random {
			random[k] = 1
		}
	}
	b.first = r.appraiser.appraise(chosen.Chosen(), random)
	r.appraiser.scale(random)
	b.weights = random
	share := r.share()
	for k, w := range b.first.weights {
		b.weights[k] = share*w + (1-share)*random[k]
	}
	return b
}

// wanted returns scores for the first feasible choice: chance, but a graph that the caller
// chose comes first.
func (r *runner) wanted(random []float64) []float64 {
	var edges []topology.Edge
	switch r.settings.Start {
	case Ring:
		edges = ringEdges(r.problem.n)
	case Given:
		edges = r.settings.Graph.Edges()
	}
	score := slices.Clone(random)
	for _, e := range edges {
		k, _ := slices.BinarySearchFunc(r.problem.edges, e, topology.Edge.Compare)
		score[k]++
	}
	return score
}
