package schedules

import (
	"cmp"
	"slices"

	"github.com/batopo/batopo/design"
)

// mostSingle is how many of the slowest ways out and in are priced alone.
const mostSingle = 8

// classical lists prices on one slow hop that many arcs pass, on the ways out of a node or into it, on the hops of one
// direction, and on the slowest of all arcs, such that an arc costs the same everywhere.
func (w *network) classical() [][]float64 {
	var list [][]float64
	for _, set := range w.narrowest() {
		list = append(list, w.evenly(set))
	}
	kinds, slow := map[design.HopSide][]int{}, map[int]bool{}
	for _, route := range w.routes {
		if route != nil {
			slow[w.slowest(route)] = true
		}
	}
	var slowest []int
	for h := range w.ms {
		kinds[w.hops[h].Side] = append(kinds[w.hops[h].Side], h)
		if slow[h] {
			slowest = append(slowest, h)
		}
	}
	for _, set := range [][]int{kinds[design.Leaving], kinds[design.Entering], kinds[design.Between], slowest} {
		if len(set) > 0 {
			list = append(list, w.evenly(set))
		}
	}
	return list
}

// narrowest lists sets of hops that carry little of what has to pass: those on the ways out of a node or into it, and
// single ones that as many arcs pass as a node has at least.
func (w *network) narrowest() [][]int {
	var sets [][]int
	arcs := make([]int, len(w.ms))
	for i := range w.n {
		var out, in [][]int32
		for j := range w.n {
			if route := w.routes[i*w.n+j]; route != nil {
				out = append(out, route)
				for _, h := range route {
					arcs[h]++
				}
			}
			if route := w.routes[j*w.n+i]; route != nil {
				in = append(in, route)
			}
		}
		sets = append(sets, w.cover(out), w.cover(in))
	}
	for h, count := range arcs {
		if count >= w.n-1 {
			sets = append(sets, []int{h})
		}
	}
	carried := func(set []int) (rate float64) {
		for _, h := range set {
			rate += 1 / w.ms[h]
		}
		return rate
	}
	slices.SortStableFunc(sets, func(a, b []int) int { return cmp.Compare(carried(a), carried(b)) })
	sets = slices.DeleteFunc(sets, func(set []int) bool { return len(set) == 0 }) // nodes that nobody reaches
	sets = slices.CompactFunc(sets, slices.Equal)
	return sets[:min(mostSingle, len(sets))]
}

// slowest is the hop of a route that a message keeps busy longest, the first among equals.
func (w *network) slowest(route []int32) int {
	least := int(route[0])
	for _, h := range route {
		if w.ms[h] > w.ms[least] {
			least = int(h)
		}
	}
	return least
}

// evenly prices a set of hops such that passing any of them costs the same.
func (w *network) evenly(set []int) []float64 {
	price := make([]float64, len(w.ms))
	total := 0.0
	for _, h := range set {
		price[h] = 1 / w.ms[h]
		if w.shared[h] {
			price[h] *= 2
		}
		total += price[h]
	}
	for h := range price {
		price[h] /= total
	}
	return price
}
