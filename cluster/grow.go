package cluster

import (
	"fmt"
	"slices"

	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/topology"
)

// buildTree makes the resources and routes of the tree form.
func (c *Cluster) buildTree(check *checker) {
	root := c.spec.Tree
	if root.Count > 1 {
		check.complain("tree.count", "is %d; there is one whole: put the alike ones under groups", root.Count)
	}
	if root.Uplink != nil || root.NICs != nil {
		check.complain("tree.uplink", "leads nowhere: the tree itself is in no other group")
	}
	n := root.check(check, "tree")
	switch { // check counts no further than a few more nodes than there may be
	case check.bad():
	case n < 2:
		check.complain("tree", "has one node; it must have between 2 and %d", limits.Nodes)
	case n > limits.Nodes:
		check.complain("tree", "has more than %d nodes; it must have between 2 and that many", limits.Nodes)
	}
	flat := root.flat()
	if !flat {
		check.fewEnough("tree", topology.Pairs(min(n, limits.Nodes)))
	}
	if check.bad() {
		return
	}
	c.nodes, c.perNode = n, flat
	g := &gardener{c: c, check: check, tree: tree{own: map[topology.Edge]int{}}, compute: root.ComputeMS,
		jitter: root.JitterMS}
	g.grow(root, -1, "")
	c.route, c.speeds = g.tree.route, g.speeds
	if !flat {
		g.meetSomewhere(check)
	}
}

// meetSomewhere complains about a pair between which nothing lies. Where every node has a link there is none.
func (g *gardener) meetSomewhere(check *checker) {
	bare := slices.ContainsFunc(g.tree.node, func(l leaf) bool { return l.link < 0 })
	var hops []Hop
	for i := 0; bare && i < len(g.tree.node); i++ {
		for j := range i {
			if hops = g.tree.route(hops[:0], j, i); len(hops) == 0 {
				check.complain("tree", "nothing lies between nodes %s and %s; give the nodes of a group a link, "+
					"the group something between or through, or its groups an uplink", g.c.nameBefore(j), g.c.nameBefore(i))
				return
			}
		}
	}
}

// flat reports whether an edge loads the links of its two nodes and nothing else.
func (g *Group) flat() bool {
	return (g.Link != nil || g.Nodes == 0) && g.Uplink == nil && g.NICs == nil && g.NVSwitch == nil &&
		len(g.NVLinks) == 0 && g.Between == nil && g.Through == nil && g.Channel == nil &&
		!slices.ContainsFunc(g.Groups, func(inner Group) bool { return !inner.flat() })
}

// A gardener grows a tree from its description.
type gardener struct {
	c               *Cluster
	check           *checker
	tree            tree
	names           []string // of the groups, as written
	compute, jitter *float64
	speeds          []speed
}

func (g *gardener) resource(l *Link, name string) int {
	if l == nil {
		return -1
	}
	return g.c.add(l, name)
}

// grow adds a group, its nodes and what is below them.
func (g *gardener) grow(s *Group, parent int, name string) {
	here := func(what string) string {
		if name == "" {
			return what
		}
		return what + " of " + name
	}
	first := len(g.tree.node)
	uplink, through := g.resource(s.Uplink, here("uplink")), g.resource(s.Through, here("switch"))
	at := g.tree.plant(parent, uplink, through, g.resource(s.Between, here("middle")))
	channel := g.resource(s.Channel, here("channel"))
	g.names = append(g.names, s.Name)
	outer := [2]*float64{g.compute, g.jitter}
	if s.ComputeMS != nil {
		g.compute = s.ComputeMS
	}
	if s.JitterMS != nil {
		g.jitter = s.JitterMS
	}
	for range s.Nodes {
		node := len(g.tree.node)
		leaf := plainLeaf(at, g.resource(s.Link, "link of node "+g.c.nameBefore(node)))
		leaf.channel = channel
		g.tree.node = append(g.tree.node, leaf)
		g.speeds = append(g.speeds, speed{g.compute, g.jitter})
	}
	for k := range s.Groups {
		inner := &s.Groups[k]
		for copy := range max(1, inner.Count) {
			g.grow(inner, at, inner.Called(name, k, copy))
		}
	}
	g.compute, g.jitter = outer[0], outer[1]
	g.switched(s, at, first)
	g.cards(s, at, first, here)
	for _, v := range s.NVLinks {
		i, j := first+min(v.Pair[0], v.Pair[1]), first+max(v.Pair[0], v.Pair[1])
		name := fmt.Sprintf("NVLink %s–%s", g.c.nameBefore(i), g.c.nameBefore(j))
		pair := topology.Edge{I: i, J: j}
		if _, twice := g.tree.own[pair]; twice {
			g.check.complain("tree", "%s is given in a group and in one inside it; write one link with the rates of both "+
				"added up", name)
		}
		g.tree.own[pair] = g.resource(&v.Link, name)
	}
}

// switched gives the nodes of a group their ports on its NVSwitch.
func (g *gardener) switched(s *Group, at, first int) {
	if s.NVSwitch == nil {
		return
	}
	for i := first; i < len(g.tree.node); i++ {
		l := &g.tree.node[i]
		l.fabric, l.port = at, g.resource(s.NVSwitch, "NVSwitch port of node "+g.c.nameBefore(i))
	}
}

// cards deals the network cards of a group out to its nodes.
func (g *gardener) cards(s *Group, at, first int, here func(string) string) {
	if s.NICs == nil {
		return
	}
	nodes, count := len(g.tree.node)-first, s.NICs.count()
	ids := make([]int, count)
	for k := range ids {
		ids[k] = g.resource(&s.NICs.Link, here(fmt.Sprintf("NIC %d", k)))
	}
	card := make([]int, nodes)
	for i := range card {
		card[i] = i * count / nodes
	}
	for k, own := range s.NICs.OfNodes {
		for _, i := range own {
			card[i] = k
		}
	}
	for i := range nodes {
		l := &g.tree.node[first+i]
		l.server, l.nic, l.via = at, ids[card[i]], g.attached(l.home, at, s.NICs.At)
	}
}

// attached returns the group on which a node's network card hangs.
func (g *gardener) attached(home, server int, name string) int {
	switch name {
	case "":
		return server
	case AtNode:
		return -1
	}
	for v := home; v != server; v = g.tree.group[v].parent {
		if g.names[v] == name {
			return v
		}
	}
	return server
}
