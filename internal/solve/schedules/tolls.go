package schedules

import (
	"cmp"
	"math"
	"slices"

	"github.com/batopo/batopo/topology"
)

// A tolled arc is one with what it costs to pass it, under some prices.
type tolled struct {
	edge
	toll float64
}

// byToll lists all pairs in the cheaper direction, cheapest first.
func (w *network) byToll(price []float64) []tolled {
	var arcs []tolled
	for i := range w.n {
		for j := range i {
			there, back := math.Inf(1), math.Inf(1)
			if w.linked(i, j) {
				there = w.toll(price, i, j)
			}
			if w.linked(j, i) {
				back = w.toll(price, j, i)
			}
			switch {
			case there <= back && !math.IsInf(there, 1):
				arcs = append(arcs, tolled{edge{i, j}, there})
			case back < there:
				arcs = append(arcs, tolled{edge{j, i}, back})
			}
		}
	}
	slices.SortStableFunc(arcs, func(a, b tolled) int { return cmp.Compare(a.toll, b.toll) })
	return arcs
}

// groupTree is the cheapest tree over groups where an edge costs the cheaper of its two directions, as arcs; nil where
// there is none.
func (w *network) groupTree(price []float64, of []int, count int) []tolled {
	parts := topology.NewParts(count)
	var tree []tolled
	for _, a := range w.byToll(price) {
		if parts.Join(of[a.i], of[a.j]) {
			tree = append(tree, a)
		}
	}
	if len(tree) < count-1 || count < 2 {
		return nil
	}
	return tree
}
