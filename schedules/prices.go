package schedules

import (
	"cmp"
	"math"
	"slices"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/topology"
)

// A claim is a bound that prices prove: with them, and the nodes taken together in groups.
type claim struct {
	ms     float64
	price  []float64
	groups [][]int
}

// A crossing holds what it costs, under prices, to leave and to enter every group.
type crossing struct {
	out, in []tolled // per group: the cheapest arc that leaves it, and that enters it
	// per group: the arc into it, and out of it, that exceeds the cheapest of the group at its other end least
	into, from []tolled
}

func (w *network) crossing(price []float64, of []int, count int) crossing {
	x := crossing{make([]tolled, count), make([]tolled, count), make([]tolled, count), make([]tolled, count)}
	for g := range count {
		never := tolled{toll: math.Inf(1)}
		x.out[g], x.in[g], x.into[g], x.from[g] = never, never, never, never
	}
	each := func(visit func(from, to int, a tolled)) {
		for i := range w.n {
			for j := range w.n {
				if of[i] != of[j] && w.linked(i, j) {
					visit(of[i], of[j], tolled{edge{i, j}, w.toll(price, i, j)})
				}
			}
		}
	}
	keep := func(least *tolled, a tolled, toll float64) {
		if toll < least.toll {
			*least = tolled{a.edge, toll}
		}
	}
	each(func(from, to int, a tolled) {
		keep(&x.out[from], a, a.toll)
		keep(&x.in[to], a, a.toll)
	})
	each(func(from, to int, a tolled) {
		keep(&x.into[to], a, a.toll-x.out[from].toll)
		keep(&x.from[from], a, a.toll-x.in[to].toll)
	})
	return x
}

// value is what prices prove about every exact average, latency aside, with the nodes in groups; see docs/bounds.md.
// By the time the first group has heard of all, the others have sent, one of them to it; each of the others has yet to
// receive, and something has to leave the first. It also returns the arcs of which the value is the toll, nearly.
func (w *network) value(price []float64, of []int, count int) (ms float64, arcs []edge) {
	x := w.crossing(price, of, count)
	tree := w.groupTree(price, of, count)
	if tree == nil {
		return 0, nil
	}
	sent, received, wood := 0.0, 0.0, 0.0
	for g := range count {
		sent, received = sent+x.out[g].toll, received+x.in[g].toll
	}
	for _, a := range tree {
		wood += a.toll
	}
	ms, first, byTree := math.Inf(1), 0, false
	for r := range count {
		before := sent - x.out[r].toll + x.into[r].toll
		after := received - x.in[r].toll + x.from[r].toll
		if v := max(before, wood) + after; v < ms {
			ms, first, byTree = v, r, wood > before
		}
	}
	for g := range count {
		if g != first {
			arcs = append(arcs, x.in[g].edge)
		}
		if g != first && !byTree {
			arcs = append(arcs, x.out[g].edge)
		}
	}
	if byTree {
		for _, a := range tree {
			arcs = append(arcs, a.edge)
		}
	}
	return ms, arcs
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

// mostGroupings is how many divisions into groups are tried under the same prices.
const mostGroupings = 24

// groupings is how many of them are affordable.
func (w *network) groupings() int {
	if w.n > mostListed {
		return 2
	}
	return mostGroupings
}

// bestGroups tries the groups that arise when nodes are joined by the cheapest pairs, one after the other.
func (w *network) bestGroups(price []float64) claim {
	best := claim{price: price}
	parts := topology.NewParts(w.n)
	last, tried, before := -1.0, 0, 0
	for _, a := range w.byToll(price) {
		if a.toll > last*(1+1e-9)+1e-15 && parts.Count() != before {
			of, count := labels(parts, w.n)
			if ms, _ := w.value(price, of, count); ms > best.ms*(1+1e-12) {
				best.ms, best.groups = ms, members(of, count)
			}
			tried, before = tried+1, count
		}
		last = a.toll
		parts.Join(a.i, a.j)
		if parts.Count() == 1 || tried == w.groupings() {
			break
		}
	}
	return best
}

// labels numbers the parts in the order of their smallest nodes.
func labels(parts *topology.Parts, n int) (of []int, count int) {
	of = make([]int, n)
	number := map[int]int{}
	for i := range n {
		root := parts.Of(i)
		k, ok := number[root]
		if !ok {
			k = len(number)
			number[root] = k
		}
		of[i] = k
	}
	return of, len(number)
}

func members(of []int, count int) [][]int {
	groups := make([][]int, count)
	for i, g := range of {
		groups[g] = append(groups[g], i)
	}
	return groups
}

// boundWork limits how often prices are changed in search of a better proof: pairs of nodes times changes.
const (
	boundSteps = 400
	boundWork  = 2_000_000
)

// bestPrices looks for the prices that prove most. The value is concave in the prices, so the average of prices that
// follow the load of the cheapest arcs comes near the best; single resources and resources in proportion to their
// speed, which classical arguments use, are tried too.
func (w *network) bestPrices() claim {
	best := claim{}
	offer := func(price []float64) {
		if c := w.bestGroups(price); c.ms > best.ms*(1+1e-12) {
			c.price = slices.Clone(price)
			best = c
		}
	}
	for _, price := range w.classical() {
		offer(price)
	}
	if w.n > mostListed {
		return best
	}
	groupings := [][]int{topology.InOrder(w.n)}
	if best.groups != nil && len(best.groups) < w.n {
		groupings = append(groupings, of(best.groups, w.n))
	}
	for _, of := range groupings {
		offer(w.averagePrices(of, slices.Max(of)+1))
	}
	return best
}

// averagePrices plays prices against the cheapest arcs of the argument and returns the average prices.
func (w *network) averagePrices(of []int, count int) []float64 {
	price, load, sum := make([]float64, len(w.ms)), make([]float64, len(w.ms)), make([]float64, len(w.ms))
	steps := min(boundSteps, max(20, boundWork/(w.n*w.n)))
	for step := range steps {
		w.reprice(price, load, step)
		_, arcs := w.value(price, of, count)
		for _, a := range arcs {
			for _, h := range w.routes[a.i*w.n+a.j] {
				if w.shared[h] {
					load[h] += w.ms[h] / 2
				} else {
					load[h] += w.ms[h]
				}
			}
		}
		// Early prices know little.
		if step >= steps/4 {
			for h := range sum {
				sum[h] += price[h]
			}
		}
	}
	total := 0.0
	for _, x := range sum {
		total += x
	}
	for h := range sum {
		sum[h] /= total
	}
	return sum
}

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

func of(groups [][]int, n int) []int {
	list := make([]int, n)
	for g, nodes := range groups {
		for _, i := range nodes {
			list[i] = g
		}
	}
	return list
}
