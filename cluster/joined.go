package cluster

import "github.com/batopo/batopo/topology"

// Apart returns the names of two nodes that nothing joins, not even over other nodes: no graph, schedule or collective
// can average over them. Where there are none, apart is false.
func (c *Cluster) Apart() (one, other string, apart bool) {
	if c.listed == nil { // every pair may be an edge
		return "", "", false
	}
	parts := topology.NewParts(c.nodes)
	for _, e := range c.listed {
		parts.JoinEnds(e)
	}
	for i := range c.nodes {
		if parts.Of(i) != 0 {
			return c.nameBefore(0), c.nameBefore(i), true
		}
	}
	return "", "", false
}

// joinAll reports nodes that no route connects: the file lacks a link.
func (c *Cluster) joinAll(check *checker) {
	one, other, apart := c.Apart()
	if !apart {
		return
	}
	path := "routes"
	switch {
	case c.spec.Links != nil:
		path = "links"
	case c.spec.Matrix != nil:
		path = "matrix.gb_s"
	}
	check.complain(path, "leave nodes %s and %s apart: no way joins them, not even over other nodes; add what is missing",
		one, other)
}
