package topology

import (
	"fmt"
	"math/rand/v2"
)

// switchesPerEdge is how often, on average, every edge is picked for a switch
// before the chain counts as mixed. Milo et al. (2003) call 100 more than adequate; with 20,
// small graphs already come out uniformly (chi² test) and large ones with the
// second eigenvalue that Friedman's theorem gives uniform ones.
const switchesPerEdge = 20

// RandomRegular returns a random connected graph in which every node has degree
// d. The same n, d and seed give the same graph.
//
// A circulant is shuffled by random switches (a–b, c–e become a–e, c–b), whose
// stationary distribution is uniform over d-regular graphs and is reached fast
// (Cooper, Dyer and Greenhill, 2007). If the result falls apart, which is rare
// for d ≥ 3, its components are joined by one switch each. Above half of the
// pairs the complement is drawn instead.
func RandomRegular(n, d int, seed uint64) (*Graph, error) {
	if err := checkSize("a random regular graph", n, n*min(d, n)/2); err != nil {
		return nil, err
	}
	switch {
	case d < 0 || d > n-1:
		return nil, fmt.Errorf("topology: a %d-regular graph on %d nodes; the degree must be 0 … %d", d, n, n-1)
	case n%2 == 1 && d%2 == 1:
		return nil, fmt.Errorf("topology: a %d-regular graph on %d nodes; nodes × degree must be even", d, n)
	case n > d+1 && d < 2:
		return nil, fmt.Errorf("topology: a %d-regular graph on %d nodes cannot be connected; the degree must be at least 2",
			d, n)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	if sparse := n - 1 - d; sparse < d {
		return complement(newSwitchChain(n, sparse).shuffle(rng).graph()), nil
	}
	return newSwitchChain(n, d).shuffle(rng).connect().graph(), nil
}

// complement returns the graph of all pairs that g does not join.
func complement(g *Graph) *Graph {
	edges := make([]Edge, 0, Pairs(g.n)-len(g.edges))
	for i := range g.n {
		peers := g.Neighbors(i)
		for j := i + 1; j < g.n; j++ {
			for len(peers) > 0 && peers[0] < j {
				peers = peers[1:]
			}
			if len(peers) == 0 || peers[0] != j {
				edges = append(edges, Edge{i, j})
			}
		}
	}
	return index(g.n, edges)
}

// A switchChain is a d-regular graph that edges can be switched in.
type switchChain struct {
	n, d  int
	edges []Edge  // in no order, either direction
	peers []int32 // d per node, in no order
}

// newSwitchChain starts with the most orderly d-regular graph: the circulant with
// the shifts 1 … d/2, and n/2 for odd d.
func newSwitchChain(n, d int) *switchChain {
	c := &switchChain{n: n, d: d, edges: make([]Edge, 0, n*d/2), peers: make([]int32, 0, n*d)}
	for i := range n {
		for s := 1; s <= d/2; s++ {
			c.edges = append(c.edges, Edge{i, (i + s) % n})
			c.peers = append(c.peers, int32((i+s)%n), int32((i-s+n)%n))
		}
		if d%2 == 1 {
			c.peers = append(c.peers, int32((i+n/2)%n))
			if i < n/2 {
				c.edges = append(c.edges, Edge{i, i + n/2})
			}
		}
	}
	return c
}

func (c *switchChain) row(i int) []int32 { return c.peers[i*c.d : (i+1)*c.d] }

func (c *switchChain) joined(i, j int) bool {
	for _, p := range c.row(i) {
		if int(p) == j {
			return true
		}
	}
	return false
}

// replace makes node i a neighbour of j instead of old.
func (c *switchChain) replace(i, old, j int) {
	row := c.row(i)
	for k, p := range row {
		if int(p) == old {
			row[k] = int32(j)
			return
		}
	}
}

// swap turns edges p = a–b and q = c–e into a–e and c–b.
func (c *switchChain) swap(p, q int) {
	e, f := c.edges[p], c.edges[q]
	c.replace(e.I, e.J, f.J)
	c.replace(e.J, e.I, f.I)
	c.replace(f.I, f.J, e.J)
	c.replace(f.J, f.I, e.I)
	c.edges[p], c.edges[q] = Edge{e.I, f.J}, Edge{f.I, e.J}
}

// shuffle makes the random switches; those that would give a loop or a double edge are left out.
func (c *switchChain) shuffle(rng *rand.Rand) *switchChain {
	m := len(c.edges)
	if m < 2 {
		return c
	}
	for range switchesPerEdge / 2 * m {
		p, q := rng.IntN(m), rng.IntN(m)
		if p == q {
			continue
		}
		if rng.Uint64()&1 == 1 {
			c.edges[q] = Edge{c.edges[q].J, c.edges[q].I}
		}
		e, f := c.edges[p], c.edges[q]
		if e.I == f.J || f.I == e.J || c.joined(e.I, f.J) || c.joined(f.I, e.J) {
			continue
		}
		c.swap(p, q)
	}
	return c
}

// connect joins the components. A component of k nodes has at least k edges when
// d ≥ 2, so one of them is outside a spanning tree; switching two such spare edges
// of different components joins these and leaves one spare edge.
func (c *switchChain) connect() *switchChain {
	parts := NewParts(c.n)
	var outside []int
	for k, e := range c.edges {
		if !parts.JoinEnds(e) {
			outside = append(outside, k)
		}
	}
	spare := -1
	seen := make([]bool, c.n)
	for _, k := range outside {
		component := parts.Of(c.edges[k].I)
		if seen[component] {
			continue
		}
		seen[component] = true
		if spare >= 0 {
			c.swap(spare, k)
		}
		spare = k
	}
	return c
}

func (c *switchChain) graph() *Graph { return simple(c.n, c.edges) }
