package cluster

import "github.com/batopo/batopo/topology"

// A tree is hardware that branches: nodes hang in groups, groups in groups. Numbers of groups and resources are −1
// where there is none.
//
// An edge climbs from both of its nodes to the group where they meet. On the way it loads the links of the nodes and
// the uplinks of the groups, full duplex, the channel of a group once for each of its nodes, and what passes through;
// where it meets, what lies between the parts. Two nodes on one NVSwitch, or with an NVLink of their own, do not climb
// at all, and nodes with a network card leave its server there.
type tree struct {
	group []branch
	node  []leaf
	own   map[topology.Edge]int // NVLinks
}

// A branch is a group.
type branch struct {
	parent, depth            int
	uplink, through, between int // resources
}

// A leaf is a node.
type leaf struct {
	home, link   int // its group, and its link to it
	channel      int // which its group shares in both directions
	fabric, port int // the group whose NVSwitch it is on, and its port there
	// The group it leaves through a network card, the card, and the group that card hangs on: −1 on the node itself.
	server, nic, via int
}

// plainLeaf is a node with a link and nothing else.
func plainLeaf(home, link int) leaf {
	return leaf{home: home, link: link, channel: -1, fabric: -1, port: -1, server: -1, nic: -1, via: -1}
}

// plant adds a group and returns its number.
func (t *tree) plant(parent, uplink, through, between int) int {
	depth := 0
	if parent >= 0 {
		depth = t.group[parent].depth + 1
	}
	t.group = append(t.group, branch{parent, depth, uplink, through, between})
	return len(t.group) - 1
}

// meeting returns the smallest group that holds both nodes.
func (t *tree) meeting(i, j int) int {
	a, b := t.node[i].home, t.node[j].home
	for a != b {
		if t.group[a].depth < t.group[b].depth {
			a, b = b, a
		}
		a = t.group[a].parent
	}
	return a
}

func (t *tree) route(hops []Hop, i, j int) []Hop {
	if link, ok := t.own[topology.Edge{I: min(i, j), J: max(i, j)}]; ok {
		if i < j {
			return append(hops, Hop{link, Sender})
		}
		return append(hops, Hop{link, Receiver})
	}
	from, to := t.node[i], t.node[j]
	if from.fabric >= 0 && from.fabric == to.fabric {
		return append(hops, Hop{from.port, Sender}, Hop{to.port, Receiver})
	}
	meet := t.meeting(i, j)
	up, down := t.climber(from, meet, Sender), t.climber(to, meet, Receiver)
	hops = down.begin(up.begin(hops))
	for up.at != meet || down.at != meet {
		hops = down.step(up.step(hops))
	}
	hops = over(hops, t.group[meet].through, Shared)
	return over(hops, t.group[meet].between, Shared)
}

// over adds a resource to a route, if there is one.
func over(hops []Hop, resource int, side Side) []Hop {
	if resource < 0 {
		return hops
	}
	return append(hops, Hop{resource, side})
}

// A climber goes from a node to the group where an edge meets.
type climber struct {
	t       *tree
	leaf    leaf
	at      int
	goal    int
	leaving bool // its server, through a network card
	side    Side
}

func (t *tree) climber(l leaf, goal int, side Side) climber {
	leaving := l.server >= 0 && t.group[goal].depth < t.group[l.server].depth
	return climber{t: t, leaf: l, at: l.home, goal: goal, leaving: leaving, side: side}
}

func (c *climber) begin(hops []Hop) []Hop {
	if c.leaving && c.leaf.via < 0 {
		return c.exit(hops)
	}
	return over(over(hops, c.leaf.link, c.side), c.leaf.channel, HalfDuplex)
}

// exit takes the network card, past everything between it and the edge of the server.
func (c *climber) exit(hops []Hop) []Hop {
	hops = over(hops, c.leaf.nic, c.side)
	server := c.t.group[c.leaf.server]
	c.at, c.leaving = server.parent, false
	return over(hops, server.uplink, c.side)
}

// step passes one group.
func (c *climber) step(hops []Hop) []Hop {
	if c.at == c.goal {
		return hops
	}
	here := c.t.group[c.at]
	hops = over(hops, here.through, Shared)
	if c.leaving && c.at == c.leaf.via {
		return c.exit(hops)
	}
	c.at = here.parent
	return over(hops, here.uplink, c.side)
}
