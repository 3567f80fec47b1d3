package topology

import (
	"cmp"
	"slices"
)

// LightestForest returns as few of the edges as connect all that they connect, and of such the lightest: a minimum
// spanning tree where they connect all nodes. Of equally light edges the first one counts.
func LightestForest(n int, edges []Edge, weight func(Edge) float64) (forest []Edge) {
	type weighted struct {
		Edge
		weight float64
	}
	order := make([]weighted, len(edges))
	for k, e := range edges {
		order[k] = weighted{e, weight(e)}
	}
	slices.SortStableFunc(order, func(a, b weighted) int { return cmp.Compare(a.weight, b.weight) })
	parts := NewParts(n)
	for _, e := range order {
		if parts.JoinEnds(e.Edge) {
			forest = append(forest, e.Edge)
		}
	}
	return forest
}
