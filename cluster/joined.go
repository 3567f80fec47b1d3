package cluster

import "github.com/batopo/batopo/topology"

// joinAll complains where the pairs that may be edges leave nodes apart: no graph, schedule or collective can average
// over them, so whoever wrote the file forgot a link.
func (c *Cluster) joinAll(check *checker) {
	if c.listed == nil { // every pair may be an edge
		return
	}
	parts := topology.NewParts(c.nodes)
	for _, e := range c.listed {
		parts.JoinEnds(e)
	}
	if parts.Count() == 1 {
		return
	}
	path := "routes"
	switch {
	case c.spec.Links != nil:
		path = "links"
	case c.spec.Matrix != nil:
		path = "matrix.gb_s"
	}
	apart := 1
	for parts.Of(apart) == 0 {
		apart++
	}
	check.complain(path, "leave nodes %s and %s apart: no way joins them, not even over other nodes; add what is missing",
		c.nameBefore(0), c.nameBefore(apart))
}
