package feasible

import (
	"sync"

	"github.com/batopo/batopo/cluster"
)

// Hardware is a cluster with what allocation asks of it again and again.
type Hardware struct {
	*cluster.Cluster
	routes    func() *routes
	classes   func() ([]class, []int)
	allocated sync.Map // what Allocate returned, by number of edges
}

// On returns the hardware of a cluster, the same one every time.
func On(c *cluster.Cluster) *Hardware {
	return c.Derived(func() any {
		h := &Hardware{Cluster: c}
		h.routes = sync.OnceValue(func() *routes { return newRoutes(h) })
		h.classes = sync.OnceValues(func() ([]class, []int) { return newClasses(h) })
		return h
	}).(*Hardware)
}

// routes are the candidate edges with the resources that each passes, and the kinds of both.
type routes struct {
	*cluster.Routes
	nodes     int
	resources int
	kinds     func() *kinds // of resources by bandwidth; made when first asked for
}

func newRoutes(c *Hardware) *routes {
	s := &routes{Routes: c.Routes(), nodes: c.Nodes(), resources: len(c.Resources())}
	s.kinds = sync.OnceValue(func() *kinds { return newKinds(s, c.bandwidths()) })
	return s
}
