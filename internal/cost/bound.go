package cost

import (
	"fmt"

	"github.com/batopo/batopo/cluster"
)

// A Bound is a time that no all-reduce can beat, and why.
type Bound struct {
	MS  float64
	Why string
}

// LowerBound proves how long any all-reduce takes at least, latency aside. Two arguments are tried. On every
// resource that is the only way out of a set of nodes, or the only way in:
//   - What the other nodes end with depends on all that the set holds, so a whole message has to leave by that
//     resource. What the set ends with depends on the others, so a whole message has to come in.
//   - If such sets divide the nodes into G groups, 2(G−1) messages leave groups in all: for every part of the
//     message, by the time the first group has its sum each of the others has sent, and each of the others has yet
//     to receive. As many come in.
//
// Where a node has several ways out, or links are shared, the same is said of the slowest resources of all arcs
// together. Of more than 2048 nodes no bound is known: it is 0.
func LowerBound(c *cluster.Cluster) Bound {
	if c.Nodes() > mostForGates {
		return Bound{}
	}
	best := boundOn(c, cluster.Sender)
	for _, other := range []Bound{boundOn(c, cluster.Receiver), boundByLinks(c)} {
		if other.MS > best.MS {
			best = other
		}
	}
	return best
}

// boundOn looks at what leaves sets of nodes as users, or enters them as receivers.
func boundOn(c *cluster.Cluster, side cluster.Side) Bound {
	gates := gatesOf(c, side)
	message, resources := c.Model().MessageMB, c.Resources()
	does, do := "leaves", "leave"
	if side == cluster.Receiver {
		does, do = "enters", "enter"
	}
	var best Bound
	for _, g := range gates {
		if ms := message / resources[g.resource].Toward(side); ms > best.MS {
			best = Bound{MS: ms, Why: fmt.Sprintf("a whole message %s by %s", does, resources[g.resource].Name)}
		}
	}
	for _, finest := range []bool{true, false} {
		groups := division(gates, c.Nodes(), finest)
		capacity := 0.0
		for _, g := range groups {
			capacity += resources[g.resource].Toward(side)
		}
		messages := 2 * (len(groups) - 1)
		if ms := float64(messages) * message / capacity; len(groups) > 0 && ms > best.MS {
			best = Bound{MS: ms, Why: fmt.Sprintf("%d messages %s %d groups of nodes", messages, do, len(groups))}
		}
	}
	return best
}

// A gate is a resource that everything passes which leaves its nodes, or enters them.
type gate struct {
	resource int
	nodes    []int // in order
}

// gatesOf finds the gates of a cluster for senders or receivers in two walks over all arcs.
func gatesOf(c *cluster.Cluster, side cluster.Side) []gate {
	n := c.Nodes()
	users := usersOf(c, side)
	behind := make([]map[int]bool, n) // the resources that each node is behind
	crossing := make([]int, len(users))
	for i := range behind {
		behind[i] = map[int]bool{}
	}
	for l, nodes := range users {
		crossing[l] = len(nodes) * (n - len(nodes))
		for _, i := range nodes {
			behind[i][l] = true
		}
	}
	// Every arc out of the set that passes the resource, or does not exist, is accounted for.
	eachArc(c, side, func(i, j int, hops []cluster.Hop) {
		for _, h := range hops {
			if h.Side == side && !behind[j][h.Resource] {
				crossing[h.Resource]--
			}
		}
		if len(hops) == 0 {
			for l := range behind[i] {
				if !behind[j][l] {
					crossing[l]--
				}
			}
		}
	})
	var gates []gate
	for l, nodes := range users {
		if len(nodes) > 0 && len(nodes) < n && crossing[l] == 0 {
			gates = append(gates, gate{l, nodes})
		}
	}
	return gates
}

// usersOf lists, for every resource, the nodes whose arcs pass it on that side, in order.
func usersOf(c *cluster.Cluster, side cluster.Side) [][]int {
	users := make([][]int, len(c.Resources()))
	last := make([]int, len(users))
	eachArc(c, side, func(i, _ int, hops []cluster.Hop) {
		for _, h := range hops {
			if h.Side == side && last[h.Resource] != i+1 {
				last[h.Resource] = i + 1
				users[h.Resource] = append(users[h.Resource], i)
			}
		}
	})
	return users
}

// eachArc visits all arcs, those that leave i for senders and those that enter it for receivers, i in order.
func eachArc(c *cluster.Cluster, side cluster.Side, visit func(i, j int, hops []cluster.Hop)) {
	var hops []cluster.Hop
	for i := range c.Nodes() {
		for j := range c.Nodes() {
			switch {
			case i == j:
				continue
			case side == cluster.Sender:
				hops = c.Route(hops[:0], i, j)
			default:
				hops = c.Route(hops[:0], j, i)
			}
			visit(i, j, hops)
		}
	}
}

// division picks gates that divide the nodes: for every node the smallest or the largest set it is in. None where
// some node is in no set, or sets overlap.
func division(gates []gate, n int, finest bool) []gate {
	of := make([]int, n)
	for i := range of {
		of[i] = -1
	}
	for k, e := range gates {
		for _, i := range e.nodes {
			if of[i] < 0 || finest == (len(e.nodes) < len(gates[of[i]].nodes)) && len(e.nodes) != len(gates[of[i]].nodes) {
				of[i] = k
			}
		}
	}
	var groups []gate
	taken, covered := map[int]bool{}, 0
	for _, k := range of {
		if k < 0 {
			return nil
		}
		if !taken[k] {
			taken[k] = true
			groups = append(groups, gates[k])
			covered += len(gates[k].nodes)
		}
	}
	if covered != n {
		return nil
	}
	return groups
}

// mostForGates is for how many nodes all pairs are walked over, to see which resources sets of nodes share.
const mostForGates = 2048

// byGates lists all ways to divide the nodes into sets of one size that share a single way out, the largest sets
// first: racks, then the servers in them.
func byGates(c *cluster.Cluster) [][][]int {
	n, bySize := c.Nodes(), map[int][]gate{}
	for _, g := range gatesOf(c, cluster.Sender) {
		bySize[len(g.nodes)] = append(bySize[len(g.nodes)], g)
	}
	var out [][][]int
	for size := n / 2; size >= 2; size-- {
		var groups [][]int
		for _, g := range division(bySize[size], n, false) {
			groups = append(groups, g.nodes)
		}
		if groups != nil {
			out = append(out, groups)
		}
	}
	return out
}
