package cluster

import (
	"fmt"
	"slices"

	"batopo/topology"
)

// buildBCube makes one resource per server and layer. Servers that differ in one
// digit share a switch and may be joined. Any other pair is relayed: it has a route, so that known topologies
// can be priced, over the ports of every layer it crosses, but it is no candidate.
func (c *Cluster) buildBCube(b *BCube, check *checker) {
	check.between("bcube.ports", b.Ports, 2, 1024)
	check.between("bcube.layers", b.Layers, 1, 16)
	if len(b.Bandwidth) != b.Layers {
		check.complain("bcube.bandwidth", "has %d entries for %d layers; give one port bandwidth per layer, layer 0 first", len(b.Bandwidth), b.Layers)
	}
	for i, v := range b.Bandwidth {
		check.positive(fmt.Sprintf("bcube.bandwidth[%d]", i), v)
	}
	if len(check.errs) > 0 {
		return
	}
	n := 1
	for range b.Layers {
		if n *= b.Ports; n > MaxNodes {
			check.complain("bcube.layers", "gives more than %d servers", MaxNodes)
			return
		}
	}
	c.nodes = n
	for layer := range b.Layers {
		for i := range n {
			c.resources = append(c.resources, Resource{Name: fmt.Sprintf("layer %d port of node %s", layer, c.nameBefore(i)), GBs: b.Bandwidth[layer]})
		}
	}
	c.route = func(hops []Hop, i, j int) []Hop {
		for layer, x, y := 0, i, j; layer < b.Layers; layer, x, y = layer+1, x/b.Ports, y/b.Ports {
			if x%b.Ports != y%b.Ports {
				hops = append(hops, Hop{layer*n + i, Sender}, Hop{layer*n + j, Receiver})
			}
		}
		return hops
	}
	c.listed = []topology.Edge{}
	for i := range n {
		for place := 1; place < n; place *= b.Ports {
			digit := i / place % b.Ports
			for other := digit + 1; other < b.Ports; other++ {
				c.listed = append(c.listed, topology.Edge{I: i, J: i + (other-digit)*place})
			}
		}
	}
	slices.SortFunc(c.listed, topology.Edge.Compare)
}

// buildLeafSpine makes one resource per host and one per leaf uplink.
func (c *Cluster) buildLeafSpine(f *LeafSpine, check *checker) {
	check.between("leafspine.leaves", f.Leaves, 1, MaxNodes)
	check.between("leafspine.hosts", f.Hosts, 1, MaxNodes)
	check.positive("leafspine.host", f.Host)
	check.positive("leafspine.uplink", f.Uplink)
	if len(check.errs) > 0 {
		return
	}
	if f.Leaves*f.Hosts < 2 || f.Leaves*f.Hosts > MaxNodes {
		check.complain("leafspine.hosts", "gives %d hosts in all; it must be between 2 and %d", f.Leaves*f.Hosts, MaxNodes)
		return
	}
	n := f.Leaves * f.Hosts
	c.nodes = n
	for i := range n {
		c.resources = append(c.resources, Resource{Name: "port of node " + c.nameBefore(i), GBs: f.Host})
	}
	for leaf := range f.Leaves {
		c.resources = append(c.resources, Resource{Name: fmt.Sprintf("uplink of leaf %d", leaf), GBs: f.Uplink})
	}
	c.route = func(hops []Hop, i, j int) []Hop {
		hops = append(hops, Hop{i, Sender}, Hop{j, Receiver})
		if a, b := i/f.Hosts, j/f.Hosts; a != b {
			hops = append(hops, Hop{n + a, Sender}, Hop{n + b, Receiver})
		}
		return hops
	}
}

// buildGeneral takes resources and routes as listed; resources are shared by both directions.
func (c *Cluster) buildGeneral(check *checker) {
	check.between("nodes", c.spec.Nodes, 2, MaxNodes)
	index := make(map[string]int, len(c.spec.Resources))
	for k, r := range c.spec.Resources {
		at := fmt.Sprintf("resources[%d]", k)
		check.positive(at+".gb_s", r.GBs)
		check.notNegative(at+".latency_ms", r.LatencyMS)
		if r.MaxEdges < 0 {
			check.complain(at+".max_edges", "is %d; leave it out for no cap", r.MaxEdges)
		}
		if _, twice := index[r.Name]; twice || r.Name == "" {
			check.complain(at+".name", "is %q; every resource needs a name of its own", r.Name)
		}
		index[r.Name] = k
		c.resources = append(c.resources, Resource{Name: r.Name, GBs: r.GBs, LatencyMS: r.LatencyMS, MaxEdges: r.MaxEdges})
	}
	if len(c.spec.Routes) == 0 {
		check.complain("routes", "is missing; list {pair: [i, j], over: [names]} for every pair that may be an edge")
	}
	routes := make(map[topology.Edge][]Hop, len(c.spec.Routes))
	for k, r := range c.spec.Routes {
		at := fmt.Sprintf("routes[%d]", k)
		if len(r.Pair) != 2 || r.Pair[0] == r.Pair[1] || min(r.Pair[0], r.Pair[1]) < 0 || max(r.Pair[0], r.Pair[1]) >= c.spec.Nodes {
			check.complain(at+".pair", "is %v; it must be two different nodes of 0 … %d", r.Pair, c.spec.Nodes-1)
			continue
		}
		e := topology.Edge{I: min(r.Pair[0], r.Pair[1]), J: max(r.Pair[0], r.Pair[1])}
		if _, twice := routes[e]; twice {
			check.complain(at+".pair", "%v is listed twice", r.Pair)
		}
		if len(r.Over) == 0 {
			check.complain(at+".over", "is empty; an edge passes at least one resource")
		}
		hops := make([]Hop, 0, len(r.Over))
		for m, name := range r.Over {
			id, known := index[name]
			if !known {
				check.complain(fmt.Sprintf("%s.over[%d]", at, m), "%q is not a resource", name)
			}
			if slices.Contains(r.Over[:m], name) {
				check.complain(fmt.Sprintf("%s.over[%d]", at, m), "%q is listed twice", name)
			}
			hops = append(hops, Hop{id, Shared})
		}
		routes[e] = hops
		c.listed = append(c.listed, e)
	}
	c.nodes = c.spec.Nodes
	slices.SortFunc(c.listed, topology.Edge.Compare)
	c.route = func(hops []Hop, i, j int) []Hop {
		return append(hops, routes[topology.Edge{I: min(i, j), J: max(i, j)}]...)
	}
}
