package cluster

import (
	"fmt"
	"maps"
	"slices"

	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/topology"
)

// buildLinks makes one resource per link of the graph form. What is no node is a switch. A message takes the route of
// least latency; among equals the one of least Σ 1/bandwidth, which is how routers rate links, then the one of fewest
// links.
func (c *Cluster) buildLinks(check *checker) {
	n := c.spec.Nodes
	if n == 0 {
		n = len(c.spec.Names)
	}
	if check.between("nodes", n, 2, limits.Nodes); check.bad() {
		return
	}
	c.nodes = n
	g := graph{c: c, transit: c.spec.Transit, index: make(map[string]int, n)}
	for i := range n {
		g.index[c.nameBefore(i)] = i
	}
	g.at = make([][]arm, n)
	for k := range c.spec.Links {
		g.wire(check, fmt.Sprintf("links[%d]", k), &c.spec.Links[k])
	}
	for _, name := range slices.Sorted(maps.Keys(g.index)) {
		if v := g.index[name]; len(g.at[v]) == 1 && v >= n {
			check.complain("links", "%q is no node and has one link only, so nothing passes it; is its name right?",
				shorten(name))
		}
	}
	if check.bad() {
		return
	}
	if vertices := len(g.at); n*vertices > limits.RouteSteps {
		check.complain("links",
			"give %d nodes among %d places; their product may be %d at most, so describe the hardware as a tree",
			n, vertices, limits.RouteSteps)
		return
	}
	g.before = make([][]int32, n)
	for i := range n {
		g.before[i] = g.shortest(i)
	}
	c.route = g.route
	c.listed = []topology.Edge{}
	for _, e := range topology.AllPairs(n) {
		if g.before[e.I][e.J] >= 0 {
			c.listed = append(c.listed, e)
		}
	}
	if len(c.listed) == 0 {
		check.complain("links", "connect no two nodes")
	}
	c.fewLinks(check, &g)
}

// fewLinks complains about routes that are longer than any edge may be.
func (c *Cluster) fewLinks(check *checker, g *graph) {
	if check.fewEnough("links", len(c.listed)); check.bad() {
		return
	}
	for _, e := range c.listed {
		if hops := len(g.route(nil, e.I, e.J)); hops > limits.Hops {
			check.complain("links", "the route from %s to %s passes %d links; at most %d are supported",
				c.nameBefore(e.I), c.nameBefore(e.J), hops, limits.Hops)
			return
		}
	}
}

// A graph is nodes and switches, numbered in this order, with the links between them.
type graph struct {
	c       *Cluster
	transit bool
	index   map[string]int
	at      [][]arm
	ends    [][2]int32 // of every link
	before  [][]int32  // by source node and place: the last link of the route there, −1 where there is none
}

// An arm is a link as seen from one of its ends.
type arm struct{ to, link int }

func (g *graph) wire(check *checker, path string, w *Wire) {
	w.Link.check(check, path)
	if len(w.Between) != 2 || w.Between[0] == w.Between[1] {
		check.complain(path+".between", "is %q; it must be two different nodes or switches", w.Between)
		return
	}
	var ends [2]int32
	for k, name := range w.Between {
		v, known := g.index[name]
		if !known {
			check.name(fmt.Sprintf("%s.between[%d]", path, k), name)
			v = len(g.at)
			g.index[name] = v
			g.at = append(g.at, nil)
		}
		ends[k] = int32(v)
	}
	link := g.c.add(&w.Link, fmt.Sprintf("%s–%s", w.Between[0], w.Between[1]))
	g.ends = append(g.ends, ends)
	g.at[ends[0]] = append(g.at[ends[0]], arm{int(ends[1]), link})
	g.at[ends[1]] = append(g.at[ends[1]], arm{int(ends[0]), link})
}

// route follows the way back from the node of higher number, so that both directions of an edge take the same links.
func (g *graph) route(hops []Hop, i, j int) []Hop {
	from, to := min(i, j), max(i, j)
	before := g.before[from]
	for v := int32(to); v != int32(from); {
		l := before[v]
		if l < 0 {
			return hops[:0]
		}
		ends := g.ends[l]
		other, side := ends[0], Sender // from its first end to v, its second
		if ends[0] == v {
			other, side = ends[1], Receiver
		}
		if i > j {
			side = Sender + Receiver - side
		}
		hops = append(hops, Hop{int(l), side})
		v = other
	}
	return hops
}
