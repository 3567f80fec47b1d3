package schedules

import "github.com/batopo/batopo/topology"

// A claim is a bound that prices prove: with them, and the nodes taken together in groups.
type claim struct {
	ms     float64
	price  []float64
	groups [][]int
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

func of(groups [][]int, n int) []int {
	list := make([]int, n)
	for g, nodes := range groups {
		for _, i := range nodes {
			list[i] = g
		}
	}
	return list
}
