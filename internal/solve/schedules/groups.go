package schedules

import (
	"cmp"
	"math"
	"slices"

	"github.com/batopo/batopo/topology"
)

// A claim is a bound that prices prove: with them, and the nodes taken together in groups.
type claim struct {
	ms     float64
	price  []float64
	groups [][]int
}

// mostGroupings is how many divisions into groups are tried under the same prices.
const mostGroupings = 24

// bestGroups tries the groups that arise when nodes are joined by the cheapest arcs, one after the other.
func (w *network) bestGroups(price []float64) claim {
	best, toll := claim{price: price}, w.tolls(price)
	tree := spanning(toll, w.n)
	if len(tree) < w.n-1 {
		return best
	}
	slices.SortStableFunc(tree, func(a, b tolled) int { return cmp.Compare(a.toll, b.toll) })
	parts := topology.NewParts(w.n)
	for tried := 0; tried < mostGroupings && len(tree) > 0; tried++ {
		of, count := labels(parts, w.n)
		if ms := value(toll, of, count, tree); ms > best.ms*(1+1e-12) {
			best.ms, best.groups = ms, members(of, count)
		}
		for same := tree[0].toll*(1+1e-9) + 1e-15; len(tree) > 0 && tree[0].toll <= same; tree = tree[1:] {
			parts.Join(tree[0].i, tree[0].j)
		}
	}
	return best
}

// tolls are what arcs cost under prices, of arc i→j at i·n + j; infinite where there is no route.
func (w *network) tolls(price []float64) []float64 {
	list := make([]float64, w.n*w.n)
	for i := range w.n {
		for j := range w.n {
			list[i*w.n+j] = math.Inf(1)
			if w.linked(i, j) {
				list[i*w.n+j] = w.toll(price, i, j)
			}
		}
	}
	return list
}

// A tolled edge costs the cheaper of its two directions.
type tolled struct {
	edge
	toll float64
}

// spanning is the cheapest tree over all nodes (Prim); not over all where they are not connected.
func spanning(toll []float64, n int) (tree []tolled) {
	best := make([]tolled, n) // per node: the cheapest edge from the tree to it
	for j := range best {
		best[j] = tolled{edge{-1, j}, math.Inf(1)}
	}
	for at := 0; ; {
		best[at].toll = -1 // it is in the tree
		next := -1
		for j := range n {
			if best[j].toll < 0 {
				continue
			}
			if t := min(toll[at*n+j], toll[j*n+at]); t < best[j].toll {
				best[j] = tolled{edge{at, j}, t}
			}
			if next < 0 || best[j].toll < best[next].toll {
				next = j
			}
		}
		if next < 0 || math.IsInf(best[next].toll, 1) {
			return tree
		}
		tree = append(tree, best[next])
		at = next
	}
}

// value is what tolls prove about every all-reduce, latency aside, with the nodes in groups that a tree joins; see
// docs/research/bounds.md. By the time the first group has heard of all, the others have sent, one of them to it; each
// of the others has yet to receive, and something has to leave the first.
func value(toll []float64, of []int, count int, tree []tolled) float64 {
	out, in, into, from := endless(count), endless(count), endless(count), endless(count) // the least of each group
	n := len(of)
	for k, t := range toll {
		if g, h := of[k/n], of[k%n]; g != h {
			out[g], in[h] = min(out[g], t), min(in[h], t)
		}
	}
	for k, t := range toll { // what an arc costs beyond the cheapest of the group at its other end
		if g, h := of[k/n], of[k%n]; g != h {
			into[h], from[g] = min(into[h], t-out[g]), min(from[g], t-in[h])
		}
	}
	sent, received, wood := 0.0, 0.0, 0.0
	for g := range count {
		sent, received = sent+out[g], received+in[g]
	}
	for _, a := range tree {
		wood += a.toll
	}
	ms := math.Inf(1)
	for r := range count {
		ms = min(ms, max(sent-out[r]+into[r], wood)+received-in[r]+from[r])
	}
	return ms
}

func endless(count int) []float64 { return slices.Repeat([]float64{math.Inf(1)}, count) }

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
