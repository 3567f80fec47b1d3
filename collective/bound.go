package collective

import (
	"fmt"

	"github.com/batopo/batopo/cluster"
)

// A Bound is a time that no exact average of all nodes can beat, and why.
type Bound struct {
	MS  float64
	Why string
}

// LowerBound proves how long any all-reduce takes at least, latency aside. Two arguments are tried on every resource
// that is the only way out of a set of nodes:
//   - What the other nodes end with depends on all that the set holds, so a whole message has to leave by that resource.
//   - If such sets divide the nodes into G groups, 2(G−1) messages leave groups in all: for every part of the message, by the
//     time the first group has its sum each of the others has sent, and each of the others has yet to receive.
func LowerBound(c *cluster.Cluster) Bound {
	exits := exitsOf(c)
	message, resources := c.Model().MessageMB, c.Resources()
	var best Bound
	for _, e := range exits {
		if ms := message / resources[e.resource].Toward(cluster.Sender); ms > best.MS {
			best = Bound{MS: ms, Why: fmt.Sprintf("a whole message leaves by %s", resources[e.resource].Name)}
		}
	}
	for _, finest := range []bool{true, false} {
		groups := division(exits, c.Nodes(), finest)
		capacity := 0.0
		for _, e := range groups {
			capacity += resources[e.resource].Toward(cluster.Sender)
		}
		if len(groups) == 0 {
			continue
		}
		if ms := float64(2*(len(groups)-1)) * message / capacity; ms > best.MS {
			best = Bound{MS: ms, Why: fmt.Sprintf("%d messages leave %d groups of nodes", 2*(len(groups)-1), len(groups))}
		}
	}
	return best
}

// An exit is a resource that everything passes which leaves its nodes.
type exit struct {
	resource int
	nodes    []int // in order
}

// exitsOf finds the exits of a cluster in one walk over all arcs.
func exitsOf(c *cluster.Cluster) []exit {
	n := c.Nodes()
	senders := make([][]int, len(c.Resources())) // nodes whose arcs pass a resource on their way out, in order
	each := func(visit func(i, j int, hops []cluster.Hop)) {
		var hops []cluster.Hop
		for i := range n {
			for j := range n {
				if i != j {
					hops = c.Route(hops[:0], i, j)
					visit(i, j, hops)
				}
			}
		}
	}
	last := make([]int, len(senders))
	each(func(i, j int, hops []cluster.Hop) {
		for _, h := range hops {
			if h.Side == cluster.Sender && last[h.Resource] != i+1 {
				last[h.Resource] = i + 1
				senders[h.Resource] = append(senders[h.Resource], i)
			}
		}
	})
	behind := make([]map[int]bool, n) // the resources that each node is behind
	crossing := make([]int, len(senders))
	for i := range behind {
		behind[i] = map[int]bool{}
	}
	for l, nodes := range senders {
		crossing[l] = len(nodes) * (n - len(nodes))
		for _, i := range nodes {
			behind[i][l] = true
		}
	}
	// Every arc out of the set that passes the resource, or does not exist, is accounted for.
	each(func(i, j int, hops []cluster.Hop) {
		for _, h := range hops {
			if h.Side == cluster.Sender && !behind[j][h.Resource] {
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
	var exits []exit
	for l, nodes := range senders {
		if len(nodes) > 0 && len(nodes) < n && crossing[l] == 0 {
			exits = append(exits, exit{l, nodes})
		}
	}
	return exits
}

// division picks exits that divide the nodes: for every node the smallest or the largest set it is in. None where some
// node is in no set, or sets overlap.
func division(exits []exit, n int, finest bool) []exit {
	of := make([]int, n)
	for i := range of {
		of[i] = -1
	}
	for k, e := range exits {
		for _, i := range e.nodes {
			if of[i] < 0 || finest == (len(e.nodes) < len(exits[of[i]].nodes)) && len(e.nodes) != len(exits[of[i]].nodes) {
				of[i] = k
			}
		}
	}
	var groups []exit
	taken, covered := map[int]bool{}, 0
	for _, k := range of {
		if k < 0 {
			return nil
		}
		if !taken[k] {
			taken[k] = true
			groups = append(groups, exits[k])
			covered += len(exits[k].nodes)
		}
	}
	if covered != n {
		return nil
	}
	return groups
}
