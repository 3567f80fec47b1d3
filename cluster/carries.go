package cluster

import (
	"container/heap"
	"encoding/binary"
	"math"
	"slices"

	"batopo/topology"
)

// Carries returns how many candidate edges fit when resource l may carry e[l]. It is
// exact where every pair loads just its two nodes, and where every edge loads one
// resource; elsewhere it is what a greedy packing reaches, so never too many.
func (c *Cluster) Carries(e []int) int {
	if c.perNode {
		return mostEdges(e)
	}
	return pack(c.bundles(), e, math.MaxInt)
}

// pack returns how many edges a greedy packing reaches; it stops at enough.
func pack(bundles []bundle, e []int, enough int) int {
	left := slices.Clone(e)
	bundles = slices.Clone(bundles)
	queue := make(packing, len(bundles))
	for k := range bundles {
		bundles[k].room = bundles[k].tightest(left)
		queue[k] = &bundles[k]
	}
	heap.Init(&queue)
	count := 0
	for len(queue) > 0 && queue[0].room > 0 && count < enough {
		// Room only shrinks, so an entry that is out of date is put back with its true key.
		first := queue[0]
		if now := first.tightest(left); now < first.room {
			first.room = now
			heap.Fix(&queue, 0)
			continue
		}
		// Where there is much room a few edges at a time are as even as one by one.
		const share = 8
		take := min(first.edges, max(1, first.room/share))
		for _, h := range first.route {
			left[h.Resource] -= take
		}
		count += take
		if first.edges -= take; first.edges == 0 {
			heap.Pop(&queue)
		}
	}
	return count
}

// A bundle is all candidate edges that pass the same resources: for a packing they are alike.
type bundle struct {
	route       []Hop
	edges       int // not yet packed
	room, first int // key and tie-break in the queue
}

// bundles groups the candidates by route, in the order of their first edge.
func (c *Cluster) bundles() []bundle {
	byRoute := map[string]int{}
	var all []bundle
	var hops []Hop
	var key []byte
	for k, edge := range c.Candidates() {
		hops = c.route(hops[:0], edge.I, edge.J)
		key = key[:0]
		for _, h := range hops {
			key = binary.AppendUvarint(key, uint64(h.Resource))
		}
		b, known := byRoute[string(key)]
		if !known {
			b = len(all)
			byRoute[string(key)] = b
			all = append(all, bundle{route: slices.Clone(hops), first: k})
		}
		all[b].edges++
	}
	return all
}

// tightest is how many edges the fullest resource of the route still takes.
func (b *bundle) tightest(left []int) int { return room(b.route, left) }

func room(route []Hop, left []int) int {
	least := left[route[0].Resource]
	for _, h := range route[1:] {
		least = min(least, left[h.Resource])
	}
	return least
}

// packing is a heap of bundles, most room first, then lowest number.
type packing []*bundle

func (p packing) Len() int      { return len(p) }
func (p packing) Swap(i, j int) { p[i], p[j] = p[j], p[i] }
func (p packing) Less(i, j int) bool {
	return p[i].room > p[j].room || p[i].room == p[j].room && p[i].first < p[j].first
}
func (p *packing) Push(x any) { *p = append(*p, x.(*bundle)) }
func (p *packing) Pop() any {
	last := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return last
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
	var open []topology.Edge
	var hops []Hop
	for _, edge := range c.Candidates() {
		hops = c.route(hops[:0], edge.I, edge.J)
		if room(hops, e) > 0 {
			open = append(open, edge)
		}
	}
	g, err := topology.New(c.nodes, open)
	return err == nil && g.Connected()
}
