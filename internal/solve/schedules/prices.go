package schedules

import (
	"cmp"
	"slices"

	"github.com/batopo/batopo/topology"
)

// Limits of what is tried: levels of hops that are equally busy, and sets of few hops that are priced alone.
const (
	mostLevels = 8
	mostSingle = 8
)

// bestPrices looks for a set of hops that proves most where all of them cost the same: the busiest ones, with a level
// more or less, and those that all pass what leaves or enters the groups of the best proof so far.
func (w *network) bestPrices() (best claim) {
	offer := func(hops []int) bool {
		if len(hops) == 0 {
			return false
		}
		c := w.bestGroups(hops)
		better := c.ms > best.ms*(1+1e-9)
		if better {
			best = c
		}
		return better
	}
	levels := w.congested()
	for k := range levels {
		offer(slices.Concat(levels[:k+1]...))
	}
	leave, enter := w.gates(members(topology.InOrder(w.n), w.n))
	single := w.narrowest(slices.Concat(leave, enter))
	for better := true; better; leave, enter = w.gates(best.groups) {
		better = false
		for _, sets := range [][][]int{leave, enter, slices.Concat(leave, enter)} {
			better = offer(union(sets)) || better
		}
		for _, level := range levels {
			without := slices.DeleteFunc(slices.Clone(best.hops), func(h int) bool { return slices.Contains(level, h) })
			better = offer(without) || better
			better = offer(slices.Concat(without, level)) || better
		}
	}
	for _, set := range single {
		offer(set)
	}
	return best
}

// congested lists the hops that are busiest where everybody sends to everybody, those together that are equally busy.
func (w *network) congested() (levels [][]int) {
	load := make([]float64, len(w.ms))
	for _, route := range w.routes {
		for _, h := range route {
			load[h] += w.ms[h]
		}
	}
	order := topology.InOrder(len(load))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(load[b], load[a]) })
	for k, h := range order {
		if k == 0 || load[h] < load[order[k-1]]*(1-1e-9) {
			if len(levels) == mostLevels {
				break
			}
			levels = append(levels, nil)
		}
		levels[len(levels)-1] = append(levels[len(levels)-1], h)
	}
	return levels
}

// gates lists, for every group of nodes, few hops that all pass what leaves it, and what enters it.
func (w *network) gates(groups [][]int) (leave, enter [][]int) {
	of := make([]int, w.n)
	for g, nodes := range groups {
		for _, i := range nodes {
			of[i] = g
		}
	}
	for g, nodes := range groups {
		var out, in [][]int32
		for _, i := range nodes {
			for j := range w.n {
				if of[j] != g && w.linked(i, j) {
					out = append(out, w.routes[i*w.n+j])
				}
				if of[j] != g && w.linked(j, i) {
					in = append(in, w.routes[j*w.n+i])
				}
			}
		}
		leave, enter = append(leave, w.needed(out)), append(enter, w.needed(in))
	}
	return leave, enter
}

// needed is a cover without hops that others make needless.
func (w *network) needed(routes [][]int32) []int {
	hops, in := w.cover(routes), make([]bool, len(w.ms))
	for _, h := range hops {
		in[h] = true
	}
	return slices.DeleteFunc(hops, func(h int) bool {
		in[h] = false
		for _, route := range routes {
			if !slices.ContainsFunc(route, func(h int32) bool { return in[h] }) {
				in[h] = true
				break
			}
		}
		return !in[h]
	})
}

func union(sets [][]int) []int {
	all := slices.Concat(sets...)
	slices.Sort(all)
	return slices.Compact(all)
}

// narrowest lists those sets of hops that carry least: of the given ones, and of the single ones that as many arcs pass
// as a node has at least.
func (w *network) narrowest(sets [][]int) [][]int {
	arcs := make([]int, len(w.ms))
	for _, route := range w.routes {
		for _, h := range route {
			arcs[h]++
		}
	}
	for h, count := range arcs {
		if count >= w.n-1 {
			sets = append(sets, []int{h})
		}
	}
	slices.SortStableFunc(sets, func(a, b []int) int { return cmp.Compare(w.rate(a), w.rate(b)) })
	sets = slices.DeleteFunc(sets, func(set []int) bool { return len(set) == 0 }) // nodes that nobody reaches
	sets = slices.CompactFunc(sets, slices.Equal)
	return sets[:min(mostSingle, len(sets))]
}
