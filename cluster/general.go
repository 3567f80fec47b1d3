package cluster

import (
	"fmt"
	"slices"

	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/topology"
)

// buildGeneral takes resources and routes as listed; resources are shared by both directions.
func (c *Cluster) buildGeneral(check *checker) {
	if c.spec.Nodes == 0 {
		c.spec.Nodes = len(c.spec.Names)
	}
	check.between("nodes", c.spec.Nodes, 2, limits.Nodes)
	if len(c.spec.Routes) == 0 {
		check.complain("routes", "is missing; list {pair: [i, j], over: [names]} for every pair that may be an edge")
	}
	check.fewEnough("routes", len(c.spec.Routes))
	if check.bad() {
		return
	}
	index := c.listResources(check)
	routes := make(map[topology.Edge][]Hop, len(c.spec.Routes))
	for k, r := range c.spec.Routes {
		at := fmt.Sprintf("routes[%d]", k)
		e, ok := c.pair(check, at+".pair", r.Pair)
		if !ok {
			continue
		}
		if _, twice := routes[e]; twice {
			check.complain(at+".pair", "is %v, which is listed twice", r.Pair)
			continue
		}
		routes[e] = hopsOver(check, at+".over", r.Over, index)
		c.listed = append(c.listed, e)
	}
	c.nodes = c.spec.Nodes
	slices.SortFunc(c.listed, topology.Edge.Compare)
	c.route = func(hops []Hop, i, j int) []Hop {
		return append(hops, routes[topology.Edge{I: min(i, j), J: max(i, j)}]...)
	}
}

// listResources takes over the resources and returns where each stands.
func (c *Cluster) listResources(check *checker) map[string]int {
	index := make(map[string]int, len(c.spec.Resources))
	names := make([]string, len(c.spec.Resources))
	for k, r := range c.spec.Resources {
		at := fmt.Sprintf("resources[%d]", k)
		check.within(at+".gb_s", r.GBs, bandwidthSpan)
		check.within(at+".latency_ms", r.LatencyMS, latencySpan)
		check.within(at+".per_message_ms", r.PerMessageMS, latencySpan)
		if r.MaxEdges < 0 {
			check.complain(at+".max_edges", "is %d; leave it out for no cap", r.MaxEdges)
		}
		index[r.Name], names[k] = k, r.Name
		c.resources = append(c.resources, Resource{Name: r.Name, GBs: r.GBs, LatencyMS: r.LatencyMS,
			PerMessageMS: r.PerMessageMS, MaxEdges: r.MaxEdges})
	}
	check.names(func(k int) string { return fmt.Sprintf("resources[%d].name", k) }, names)
	return index
}

// pair checks the two ends of a route.
func (c *Cluster) pair(check *checker, at string, pair []int) (e topology.Edge, ok bool) {
	last := c.spec.Nodes - 1
	if len(pair) != 2 {
		check.complain(at, "has %d entries; it must be two different nodes of 0 … %d", len(pair), last)
		return e, false
	}
	e = topology.Edge{I: min(pair[0], pair[1]), J: max(pair[0], pair[1])}
	if e.I < 0 || e.J > last || e.I == e.J {
		check.complain(at, "is %v; it must be two different nodes of 0 … %d", pair, last)
		return e, false
	}
	return e, true
}

// hopsOver looks up the resources of a route.
func hopsOver(check *checker, at string, over []string, index map[string]int) []Hop {
	switch {
	case len(over) == 0:
		check.complain(at, "is empty; an edge passes at least one resource")
	case len(over) > limits.Hops:
		check.complain(at, "has %d entries; an edge passes at most %d resources", len(over), limits.Hops)
		return nil
	}
	hops := make([]Hop, 0, len(over))
	for m, name := range over {
		id, known := index[name]
		if !known {
			check.complain(fmt.Sprintf("%s[%d]", at, m), "%q is not a resource; it must be the name of one", shorten(name))
		}
		if slices.Contains(over[:m], name) {
			check.complain(fmt.Sprintf("%s[%d]", at, m), "%q is listed twice", shorten(name))
		}
		hops = append(hops, Hop{id, Shared})
	}
	return hops
}
