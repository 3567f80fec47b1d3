package mixing

import (
	"math/rand/v2"

	"github.com/batopo/batopo/topology"
)

// ColorEdges gives every edge of g a colour 0 … count−1 so that edges with a common
// node differ: each colour is a matching. count is Δ or Δ+1, Δ the largest degree;
// which of the two is possible is NP-hard to know (Holyer 1981), so Δ colours are
// tried for a bounded number of steps and Δ+1 always work (Vizing 1964). colors is in the order of g.Edges().
func ColorEdges(g *topology.Graph) (colors []int, count int) {
	edges, degree := g.Edges(), g.MaxDegree()
	if len(edges) <= degree*(g.Nodes()/2) { // otherwise Δ matchings cannot hold all edges
		const stepsPerEdge = 1000
		if c := newColoring(g.Nodes(), edges, degree); c.kempe(stepsPerEdge * len(edges)) {
			return c.color, degree
		}
	}
	c := newColoring(g.Nodes(), edges, degree+1)
	for e := range edges {
		c.misraGries(e)
	}
	return c.color, degree + 1
}

// none marks an edge without colour and a missing edge.
const none = -1

// A coloring is a proper colouring of some of the edges of a graph.
type coloring struct {
	edges  []topology.Edge
	start  []int // incidence of node v: at[start[v]:start[v+1]]
	at     []int // edge numbers
	color  []int // per edge
	count  int   // colours allowed
	marked []int // per colour: the last stamp that saw it
	stamp  int
}

func newColoring(n int, edges []topology.Edge, count int) *coloring {
	c := &coloring{edges: edges, start: make([]int, n+1), at: make([]int, 2*len(edges)),
		color: make([]int, len(edges)), count: count, marked: make([]int, count)}
	for e, pair := range edges {
		c.color[e] = none
		c.start[pair.I+1]++
		c.start[pair.J+1]++
	}
	for v := range n {
		c.start[v+1] += c.start[v]
	}
	next := append([]int(nil), c.start[:n]...)
	for e, pair := range edges {
		for _, v := range [2]int{pair.I, pair.J} {
			c.at[next[v]] = e
			next[v]++
		}
	}
	return c
}

func (c *coloring) incident(v int) []int { return c.at[c.start[v]:c.start[v+1]] }

// other returns the end of e that is not v.
func (c *coloring) other(e, v int) int { return c.edges[e].I + c.edges[e].J - v }

// find returns the edge of that colour at v, or none.
func (c *coloring) find(v, color int) int {
	for _, e := range c.incident(v) {
		if c.color[e] == color {
			return e
		}
	}
	return none
}

// free returns the smallest colour that no edge at v has, and if v ≠ w is given, none at w either;
// none if there is no such colour.
func (c *coloring) free(v, w int) int {
	c.stamp++
	for _, end := range [2]int{v, w} {
		for _, e := range c.incident(end) {
			if c.color[e] != none {
				c.marked[c.color[e]] = c.stamp
			}
		}
	}
	for color, stamp := range c.marked {
		if stamp != c.stamp {
			return color
		}
	}
	return none
}

// flip swaps colours a and b along the path of these colours that starts at v,
// where a is free, and returns the node where it ends and the number of its edges.
func (c *coloring) flip(v, a, b int) (end, length int) {
	e := c.find(v, b)
	for want := b; e != none; length++ {
		v = c.other(e, v)
		// The next edge is looked up before e takes its colour.
		turned := a + b - want
		following := c.find(v, turned)
		c.color[e] = turned
		e, want = following, turned
	}
	return v, length
}

// kempe colours all edges with c.count colours, or reports failure when
// the steps are used up. On bipartite graphs c.count = Δ always succeeds (see fill).
func (c *coloring) kempe(steps int) bool {
	rng := rand.New(rand.NewPCG(uint64(len(c.edges)), uint64(c.count)))
	for hole := range c.edges {
		for c.color[hole] == none {
			steps -= c.fill(hole, rng)
			if steps < 0 {
				return false
			}
		}
	}
	return true
}

// fill tries to colour one edge {u, v} and returns the cost. With a free at u and b free at v, flipping
// the chain of a and b at u frees b there too, unless the chain ends at v. On bipartite graphs
// it cannot (Kőnig 1916): it would arrive by an edge of colour b. Otherwise a random chain at u
// is flipped, which leaves another colour free there for the next attempt.
func (c *coloring) fill(hole int, rng *rand.Rand) (steps int) {
	u, v := c.edges[hole].I, c.edges[hole].J
	if color := c.free(u, v); color != none {
		c.color[hole] = color
		return 1
	}
	if rng.IntN(2) == 0 {
		u, v = v, u
	}
	a, b := c.free(u, u), c.free(v, v)
	end, length := c.flip(u, a, b)
	if end != v {
		c.color[hole] = b
		return 1 + length
	}
	_, more := c.flip(u, b, rng.IntN(c.count)) // b is free at u now
	return 1 + length + more
}
