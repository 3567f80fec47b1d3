package cluster

import (
	"fmt"

	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/topology"
)

// serverTree counts what a server has. Only resources that some edge can load are made: no socket link in a server with
// one switch, no network card in a lone server.
type serverTree struct{ gpus, perSwitch, perSocket, switches, sockets int }

// buildServers makes, per server, one resource per PCIe switch, one per socket, one
// between the sockets and one network card.
func (c *Cluster) buildServers(check *checker) {
	filled := *c.spec.Servers // the defaults go into our copy, not into the caller's value
	s := &filled
	c.spec.Servers = s
	if s.GPUsPerSwitch == 0 {
		s.GPUsPerSwitch = 2
	}
	if s.SwitchesPerSocket == 0 {
		s.SwitchesPerSocket = 2
	}
	if s.Load == "" {
		s.Load = LoadHighest
	}
	check.between("servers.count", s.Count, 1, limits.Nodes)
	check.between("servers.gpus", s.GPUs, 1, 1024)
	check.between("servers.gpus_per_switch", s.GPUsPerSwitch, 1, 1024)
	check.between("servers.switches_per_socket", s.SwitchesPerSocket, 1, 1024)
	if s.Load != LoadHighest && s.Load != LoadPath {
		check.complain("servers.load",
			"is %q; it must be %q (an edge loads the highest link class it crosses) or %q (every link on its path)",
			shorten(string(s.Load)), LoadHighest, LoadPath)
	}
	if check.bad() {
		return
	}
	t := serverTree{gpus: s.GPUs, perSwitch: s.GPUsPerSwitch, perSocket: s.GPUsPerSwitch * s.SwitchesPerSocket}
	t.switches, t.sockets = (t.gpus+t.perSwitch-1)/t.perSwitch, (t.gpus+t.perSocket-1)/t.perSocket
	n := s.Count * s.GPUs
	if n < 2 || n > limits.Nodes {
		check.complain("servers.count", "gives %d GPUs in all; it must be between 2 and %d", n, limits.Nodes)
	}
	check.fewEnough("servers.count", topology.Pairs(n))
	check.within("servers.tree.pix", s.Tree.PIX, bandwidthSpan)
	if t.switches > 1 {
		check.within("servers.tree.node", s.Tree.Node, bandwidthSpan)
	}
	if t.sockets > 1 {
		check.within("servers.tree.sys", s.Tree.Sys, bandwidthSpan)
	}
	if s.Count > 1 {
		check.within("servers.nic", s.NIC, bandwidthSpan)
	}
	if check.bad() {
		return
	}
	c.nodes = n
	var forest tree
	network := forest.plant(-1, -1, -1, -1)
	for server := range s.Count {
		c.addServer(&forest, network, server, t)
	}
	c.route = forest.route
}

// addServer makes the resources of one server and hangs it into the tree. In version 1 of the format an edge between
// servers loads their network cards alone; since version 2 also the switches and sockets before them, where the links
// of a path count at all.
func (c *Cluster) addServer(forest *tree, network, server int, t serverTree) {
	s := c.spec.Servers
	prefix := ""
	if s.Count > 1 {
		prefix = fmt.Sprintf("server %d ", server)
	}
	add := func(name string, gbs float64) int {
		c.resources = append(c.resources, Resource{Name: prefix + name, GBs: gbs})
		return len(c.resources) - 1
	}
	pix, node, sys, nic := len(c.resources), -1, -1, -1 // the first of each, −1 where there is none
	for k := range t.switches {
		add(fmt.Sprintf("PIX%d", k+1), s.Tree.PIX)
	}
	for k := 0; k < t.sockets && t.switches > 1; k++ {
		if at := add(fmt.Sprintf("NODE%d", k+1), s.Tree.Node); k == 0 {
			node = at
		}
	}
	if t.sockets > 1 {
		sys = add("SYS", s.Tree.Sys)
	}
	if s.Count > 1 {
		nic = add("NIC", s.NIC)
	}
	whole := forest.plant(network, -1, -1, sys)
	socket, pcie := -1, -1
	for k := range t.gpus {
		if k%t.perSocket == 0 {
			own := -1
			if node >= 0 {
				own = node + k/t.perSocket
			}
			socket = forest.plantLoaded(whole, own, s.Load)
		}
		if k%t.perSwitch == 0 {
			pcie = forest.plantLoaded(socket, pix+k/t.perSwitch, s.Load)
		}
		l := plainLeaf(pcie, -1)
		if s.Count > 1 {
			l.server, l.nic = whole, nic
		}
		if s.Count > 1 && s.Load == LoadPath && c.spec.Format == FormatV2 {
			l.via = socket
		}
		forest.node = append(forest.node, l)
	}
}

// plantLoaded adds a group whose resource is loaded by all that pass, or only by what meets there.
func (t *tree) plantLoaded(parent, resource int, load LoadModel) int {
	if load == LoadPath {
		return t.plant(parent, -1, resource, -1)
	}
	return t.plant(parent, -1, -1, resource)
}
