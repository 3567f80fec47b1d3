package schedules

import (
	"math"
	"slices"
)

// A packing divides the message among spanning trees. The share of a tree is summed up towards its root and handed
// back down, so every edge of the tree carries the share once in each direction, whichever node is the root.
type packing struct {
	trees  [][]edge // the edges of each
	shares []float64
}

type edge struct{ i, j int }

// pack looks for trees and shares that keep the busiest hop busy for as short as possible, latency aside. Hops get
// prices; the tree that is cheapest under them is taken, what it loads becomes dearer, and so on (multiplicative
// weights). Shallow is what a step away from the root costs beside the prices, in units of what an edge of a
// balanced packing costs: trees of few steps suit long latencies.
func (w *network) pack(steps int, shallow float64) (packing, bool) {
	load, sum := make([]float64, len(w.ms)), make([]float64, len(w.ms))
	price := make([]float64, len(w.ms))
	found := map[string]int{}
	var p packing
	for step := range steps {
		w.reprice(price, load, step)
		typical := slices.Max(load) / float64(max(step, 1)*2*(w.n-1)) // what an edge of a balanced packing costs
		tree := w.cheapestTree(price, step%w.n, shallow*typical)
		if tree == nil {
			return p, false
		}
		clear(sum)
		w.burden(sum, tree)
		for h := range load {
			load[h] += sum[h]
		}
		key := keyOf(tree)
		k, ok := found[key]
		if !ok {
			k = len(p.trees)
			found[key] = k
			p.trees, p.shares = append(p.trees, tree), append(p.shares, 0)
		}
		p.shares[k] += 1 / float64(steps)
	}
	return p, true
}

// reprice sets prices that grow exponentially with the load so far, in units of the average of the busiest, and sum to
// 1.
func (w *network) reprice(price, load []float64, step int) {
	busiest := slices.Max(load)
	if step == 0 || busiest == 0 {
		for h := range price {
			price[h] = 1 / float64(len(price))
		}
		return
	}
	// The rate grows like the root of the steps, as in every no-regret scheme.
	rate := 2 * math.Sqrt(float64(step)*math.Log(float64(2+len(price)))) / busiest
	total := 0.0
	for h := range price {
		price[h] = math.Exp(rate * (load[h] - busiest))
		total += price[h]
	}
	for h := range price {
		price[h] /= total
	}
}

// burden adds to load how long each hop is busy with a whole message over the tree.
func (w *network) burden(load []float64, tree []edge) {
	for _, e := range tree {
		for _, h := range w.routes[e.i*w.n+e.j] {
			load[h] += w.ms[h]
		}
		for _, h := range w.routes[e.j*w.n+e.i] {
			if !w.shared[h] {
				load[h] += w.ms[h]
			}
		}
	}
}

// cheapestTree is the minimum spanning tree where an edge costs the tolls of both directions, and a penalty for every
// step that its far end is away from the root (Prim); nil where the nodes are not connected.
func (w *network) cheapestTree(price []float64, root int, penalty float64) []edge {
	n := w.n
	cost, from, in, depth := make([]float64, n), make([]int, n), make([]bool, n), make([]float64, n)
	for i := range cost {
		cost[i] = math.Inf(1)
	}
	tree := make([]edge, 0, n-1)
	for at := root; ; {
		in[at] = true
		next := -1
		for j := range n {
			if in[j] {
				continue
			}
			if w.linked(at, j) && w.linked(j, at) {
				if c := w.toll(price, at, j) + w.toll(price, j, at) + penalty*depth[at]; c < cost[j] {
					cost[j], from[j] = c, at
				}
			}
			if next < 0 || cost[j] < cost[next] {
				next = j
			}
		}
		if next < 0 {
			return tree
		}
		if math.IsInf(cost[next], 1) {
			return nil
		}
		tree = append(tree, edge{min(from[next], next), max(from[next], next)})
		depth[next] = depth[from[next]] + 1
		at = next
	}
}

func keyOf(tree []edge) string {
	sorted := slices.Clone(tree)
	slices.SortFunc(sorted, func(a, b edge) int {
		if a.i != b.i {
			return a.i - b.i
		}
		return a.j - b.j
	})
	key := make([]byte, 0, 4*len(sorted))
	for _, e := range sorted {
		key = append(key, byte(e.i), byte(e.i>>8), byte(e.j), byte(e.j>>8))
	}
	return string(key)
}

// busiest returns how long the busiest hop works for the packing.
func (w *network) busiest(p packing) float64 {
	total := make([]float64, len(w.ms))
	one := make([]float64, len(w.ms))
	for k, tree := range p.trees {
		clear(one)
		w.burden(one, tree)
		for h := range total {
			total[h] += p.shares[k] * one[h]
		}
	}
	return slices.Max(total)
}
