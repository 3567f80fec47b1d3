package mixing

import (
	"slices"

	"github.com/batopo/batopo/internal/ground/matching"
	"github.com/batopo/batopo/topology"
)

// maximumMatching returns as many pairs without a common node as a graph has. Among those it prefers what comes first
// in the order of the edges, so a random order gives a random matching.
func maximumMatching(n int, edges []topology.Edge) []topology.Edge {
	near, mate := make([][]int, n), slices.Repeat([]int{matching.None}, n)
	for _, e := range edges {
		near[e.I], near[e.J] = append(near[e.I], e.J), append(near[e.J], e.I)
		if mate[e.I] == matching.None && mate[e.J] == matching.None {
			mate[e.I], mate[e.J] = e.J, e.I
		}
	}
	matching.Maximum(near, mate)
	var pairs []topology.Edge
	for i, j := range mate {
		if j > i {
			pairs = append(pairs, topology.Edge{I: i, J: j})
		}
	}
	return pairs
}
