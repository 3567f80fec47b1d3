package cluster

import (
	"fmt"
	"slices"

	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/topology"
)

// buildBCube makes one resource per server and layer. Servers that differ in one
// digit share a switch and may be joined. Any other pair is relayed: it has a route, so that known topologies
// can be priced, over the ports of every layer it crosses, but it is no candidate. With load: highest any two servers
// may be joined, and an edge loads the ports of the highest layer that it crosses alone.
func (c *Cluster) buildBCube(b *BCube, check *checker) {
	n := b.servers(check)
	if check.bad() {
		return
	}
	c.nodes = n
	for layer := range b.Layers {
		for i := range n {
			name := fmt.Sprintf("layer %d port of node %s", layer, c.nameBefore(i))
			c.resources = append(c.resources, Resource{Name: name, GBs: b.Bandwidth[layer]})
		}
	}
	c.route = func(hops []Hop, i, j int) []Hop {
		before := len(hops)
		for layer, x, y := 0, i, j; layer < b.Layers; layer, x, y = layer+1, x/b.Ports, y/b.Ports {
			if x%b.Ports == y%b.Ports {
				continue
			}
			if b.Load == LoadHighest {
				hops = hops[:before]
			}
			hops = append(hops, Hop{layer*n + i, Sender}, Hop{layer*n + j, Receiver})
		}
		return hops
	}
	if b.Load != LoadHighest { // else every pair is a candidate
		c.listed = b.neighbors(n)
	}
}

// servers checks a description and returns how many servers it has.
func (b *BCube) servers(check *checker) int {
	check.between("bcube.ports", b.Ports, 2, 1024)
	check.between("bcube.layers", b.Layers, 1, 16)
	if len(b.Bandwidth) != b.Layers {
		check.complain("bcube.bandwidth", "has %d entries for %d layers; give one port bandwidth per layer, layer 0 first",
			len(b.Bandwidth), b.Layers)
	}
	for i, v := range b.Bandwidth {
		check.within(fmt.Sprintf("bcube.bandwidth[%d]", i), v, bandwidthSpan)
	}
	if b.Load != "" && b.Load != LoadHighest && b.Load != LoadPath {
		check.complain("bcube.load", "is %q; it must be %q (an edge joins servers of one switch and loads its ports) or "+
			"%q (it joins any two and loads the ports of the highest layer it crosses)",
			shorten(string(b.Load)), LoadPath, LoadHighest)
	}
	if check.bad() {
		return 0
	}
	n := 1
	for range b.Layers {
		n *= b.Ports
		if n > limits.Nodes {
			check.complain("bcube.layers", "gives more than %d servers", limits.Nodes)
			return 0
		}
	}
	candidates := n * b.Layers * (b.Ports - 1) / 2
	if b.Load == LoadHighest {
		candidates = topology.Pairs(n)
	}
	check.fewEnough("bcube.layers", candidates)
	return n
}

// neighbors lists the pairs of servers that differ in one digit.
func (b *BCube) neighbors(n int) []topology.Edge {
	pairs := []topology.Edge{}
	for i := range n {
		for place := 1; place < n; place *= b.Ports {
			digit := i / place % b.Ports
			for other := digit + 1; other < b.Ports; other++ {
				pairs = append(pairs, topology.Edge{I: i, J: i + (other-digit)*place})
			}
		}
	}
	slices.SortFunc(pairs, topology.Edge.Compare)
	return pairs
}

// buildLeafSpine makes one resource per host and one per leaf uplink.
func (c *Cluster) buildLeafSpine(f *LeafSpine, check *checker) {
	check.between("leafspine.leaves", f.Leaves, 1, limits.Nodes)
	check.between("leafspine.hosts", f.Hosts, 1, limits.Nodes)
	check.within("leafspine.host", f.Host, bandwidthSpan)
	check.within("leafspine.uplink", f.Uplink, bandwidthSpan)
	if check.bad() {
		return
	}
	if f.Leaves*f.Hosts < 2 || f.Leaves*f.Hosts > limits.Nodes {
		check.complain("leafspine.hosts", "gives %d hosts in all; it must be between 2 and %d", f.Leaves*f.Hosts,
			limits.Nodes)
		return
	}
	n := f.Leaves * f.Hosts
	if check.fewEnough("leafspine.hosts", topology.Pairs(n)); check.bad() {
		return
	}
	c.nodes = n
	for i := range n {
		c.resources = append(c.resources, Resource{Name: "port of node " + c.nameBefore(i), GBs: f.Host})
	}
	var t tree
	spine := t.plant(-1, -1, -1, -1)
	for leaf := range f.Leaves {
		c.resources = append(c.resources, Resource{Name: fmt.Sprintf("uplink of leaf %d", leaf), GBs: f.Uplink})
		at := t.plant(spine, n+leaf, -1, -1)
		for i := range f.Hosts {
			t.node = append(t.node, plainLeaf(at, leaf*f.Hosts+i))
		}
	}
	c.route = t.route
}
