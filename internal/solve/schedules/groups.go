package schedules

import (
	"cmp"
	"math"
	"slices"

	"github.com/batopo/batopo/topology"
)

// A claim is a bound that equal tolls on some hops prove, with the nodes taken together in groups.
type claim struct {
	ms     float64
	passes float64 // how many times a whole message has to pass one of the hops
	hops   []int
	groups [][]int
}

// mostGroupings is how many divisions into groups are tried under the same tolls.
const mostGroupings = 24

// bestGroups tries the groups that arise when nodes are joined by the cheapest arcs, one after the other.
func (w *network) bestGroups(hops []int) claim {
	best, toll := claim{hops: hops}, w.tolls(hops)
	tree := spanning(toll, w.n)
	if len(tree) < w.n-1 {
		return best
	}
	slices.SortStableFunc(tree, func(a, b tolled) int { return cmp.Compare(a.toll, b.toll) })
	parts := topology.NewParts(w.n)
	for tried := 0; tried < mostGroupings && len(tree) > 0; tried++ {
		of, count := labels(parts, w.n)
		if passes := value(toll, of, count, tree); passes > best.passes {
			best.passes, best.groups = passes, members(of, count)
		}
		for same := tree[0].toll; len(tree) > 0 && tree[0].toll == same; tree = tree[1:] {
			parts.Join(tree[0].i, tree[0].j)
		}
	}
	best.ms = best.passes / w.rate(hops)
	return best
}

// tolls count the hops of a set that arcs pass, of arc i→j at i·n + j; infinite where there is no route.
func (w *network) tolls(hops []int) []float64 {
	in, list := make([]float64, len(w.ms)), make([]float64, len(w.routes))
	for _, h := range hops {
		in[h] = 1
	}
	for k, route := range w.routes {
		if route == nil {
			list[k] = math.Inf(1)
		}
		for _, h := range route {
			list[k] += in[h]
		}
	}
	return list
}

// rate is how many messages pass some hops per millisecond; shared ones carry a pair's two directions at once.
func (w *network) rate(hops []int) (rate float64) {
	for _, h := range hops {
		rate += 1 / w.ms[h]
		if w.shared[h] {
			rate += 1 / w.ms[h]
		}
	}
	return rate
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

// value is the toll that every all-reduce pays at least, with the nodes in groups that a tree joins; see
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
	least := math.Inf(1)
	for r := range count {
		least = min(least, max(sent-out[r]+into[r], wood)+received-in[r]+from[r])
	}
	return least
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
