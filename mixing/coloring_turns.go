package mixing

import (
	"math"
	"slices"

	"github.com/batopo/batopo/topology"
)

// Turns orders the exchanges of one round of W into turns in which a node sends to at most one
// node and receives from at most one. Undirected, each turn is a matching and holds both arcs of a pair, the
// one from the smaller node first; there are at most Δ+1 turns. Directed, the number of turns
// is the largest degree (see Degrees).
//
// A rank that goes through the turns in this order, posting the send and the receive of
// a turn together and summing weight × received value, computes its row of Wx
// exactly and never waits in a circle. All send the value they had before the round.
func (m *Matrix) Turns() [][]Arc {
	if m.directed {
		return m.directedTurns()
	}
	edges, weights := m.Edges()
	colors, count := ColorEdges(m.Graph())
	turns := make([][]Arc, count)
	for k, e := range edges {
		turns[colors[k]] = append(turns[colors[k]], Arc{e.I, e.J, weights[k]}, Arc{e.J, e.I, weights[k]})
	}
	return slices.DeleteFunc(turns, func(t []Arc) bool { return len(t) == 0 })
}

// directedTurns colours the bipartite graph of senders 0 … n−1 and receivers n … 2n−1.
func (m *Matrix) directedTurns() [][]Arc {
	arcs := make([]Arc, 0, m.Arcs())
	edges := make([]topology.Edge, 0, m.Arcs())
	for to := range m.n {
		from, weight := m.Row(to)
		for k, sender := range from {
			arcs = append(arcs, Arc{sender, to, weight[k]})
			edges = append(edges, topology.Edge{I: sender, J: m.n + to})
		}
	}
	c := newColoring(2*m.n, edges, slices.Max(m.Degrees()))
	c.kempe(math.MaxInt) // cannot fail on a bipartite graph
	turns := make([][]Arc, c.count)
	for k, a := range arcs {
		turns[c.color[k]] = append(turns[c.color[k]], a)
	}
	return turns
}
