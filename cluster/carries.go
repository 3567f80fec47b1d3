package cluster

import (
	"math"
	"slices"
)

// Carries returns how many candidate edges fit when resource l may carry e[l]. It is
// exact where every pair loads just its two nodes, and where every edge loads one
// resource; elsewhere it is what a greedy packing reaches, so never too many.
func (c *Cluster) Carries(e []int) int {
	if c.perNode {
		return mostEdges(e)
	}
	return c.bundles().pack(e, math.MaxInt)
}

// mostEdges returns the largest number of edges of a simple graph whose degrees are at
// most d. By the theorem of Erdős and Gallai, for every k the k largest nodes have
// together at most k(k−1) + Σ_{i>k} min(k, dᵢ) edge ends; the others at most their own.
func mostEdges(degrees []int) int {
	n := len(degrees)
	d := slices.Clone(degrees)
	for i := range d {
		d[i] = min(d[i], n-1)
	}
	slices.Sort(d)
	slices.Reverse(d)
	rest := make([]int, n+1) // rest[k] = Σ_{i≥k} dᵢ
	for i := n - 1; i >= 0; i-- {
		rest[i] = rest[i+1] + d[i]
	}
	ends := rest[0]
	for k, above := 1, n; k <= n; k++ {
		for above > k && d[above-1] < k { // nodes k … above−1 have degree ≥ k
			above--
		}
		top := max(above, k)
		ends = min(ends, k*(k-1)+k*(top-k)+rest[top]+rest[k])
	}
	return ends / 2
}

// reaches reports whether the candidates that every resource still admits connect all nodes.
func (c *Cluster) reaches(e []int) bool {
	if c.perNode {
		return slices.Min(e) >= 1
	}
	parts := c.nodes
	parent := make([]int, c.nodes)
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	var hops []Hop
	for _, edge := range c.Candidates() {
		a, b := root(edge.I), root(edge.J)
		if a == b {
			continue
		}
		hops = c.route(hops[:0], edge.I, edge.J)
		if !slices.ContainsFunc(hops, func(h Hop) bool { return e[h.Resource] <= 0 }) {
			parent[a] = b
			parts--
		}
	}
	return parts == 1
}
