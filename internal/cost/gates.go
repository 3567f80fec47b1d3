package cost

import (
	"slices"

	"github.com/batopo/batopo/cluster"
)

// mostForGates is for how many nodes all pairs are walked over, to see which resources sets of nodes share.
const mostForGates = 2048

// A gate is a resource that everything passes which leaves its nodes.
type gate struct {
	resource int
	nodes    []int // in order
}

// gatesOf finds the gates of a cluster in two walks over all arcs.
func gatesOf(c *cluster.Cluster) []gate {
	n := c.Nodes()
	users := usersOf(c)
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
	eachArc(c, func(i, j int, hops []cluster.Hop) {
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
	var gates []gate
	for l, nodes := range users {
		if len(nodes) > 0 && len(nodes) < n && crossing[l] == 0 {
			gates = append(gates, gate{l, nodes})
		}
	}
	return gates
}

// usersOf lists, for every resource, the nodes whose arcs pass it as senders, in order.
func usersOf(c *cluster.Cluster) [][]int {
	users := make([][]int, len(c.Resources()))
	last := make([]int, len(users))
	eachArc(c, func(i, _ int, hops []cluster.Hop) {
		for _, h := range hops {
			if h.Side == cluster.Sender && last[h.Resource] != i+1 {
				last[h.Resource] = i + 1
				users[h.Resource] = append(users[h.Resource], i)
			}
		}
	})
	return users
}

// eachArc visits all arcs in order.
func eachArc(c *cluster.Cluster, visit func(i, j int, hops []cluster.Hop)) {
	var hops []cluster.Hop
	for i := range c.Nodes() {
		for j := range c.Nodes() {
			if i != j {
				hops = c.Route(hops[:0], i, j)
				visit(i, j, hops)
			}
		}
	}
}

// byGates lists all ways to divide the nodes into sets of one size that share a single way out, the largest sets
// first: racks, then the servers in them.
func byGates(c *cluster.Cluster) [][][]int {
	n, bySize := c.Nodes(), map[int][][]int{}
	for _, g := range gatesOf(c) {
		bySize[len(g.nodes)] = append(bySize[len(g.nodes)], g.nodes)
	}
	var out [][][]int
	for size := n / 2; size >= 2; size-- {
		if groups := division(bySize[size], n); groups != nil {
			out = append(out, groups)
		}
	}
	return out
}

// division picks sets that divide the nodes: for every node the first that it is in. None where some node is in no set,
// or sets overlap.
func division(sets [][]int, n int) (groups [][]int) {
	taken := make([]bool, n)
	for i := range n {
		if taken[i] {
			continue
		}
		k := slices.IndexFunc(sets, func(set []int) bool { return slices.Contains(set, i) })
		if k < 0 || slices.ContainsFunc(sets[k], func(j int) bool { return taken[j] }) {
			return nil
		}
		groups = append(groups, sets[k])
		for _, j := range sets[k] {
			taken[j] = true
		}
	}
	return groups
}
