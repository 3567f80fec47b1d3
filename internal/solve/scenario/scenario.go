// Package scenario writes down the problems of the BA-Topo paper as spaces, for the tests
// of packages that solve them. Capacities are those of the paper's Algorithm 1.
package scenario

import (
	"fmt"
	"strconv"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/topology"
)

// Homogeneous is Card ≤ r on all pairs of n nodes.
func Homogeneous(n, r int) design.Space {
	return design.Space{Nodes: n, Candidates: topology.AllPairs(n), MaxEdges: r}
}

// Ports lets the resource of node i, which all its candidate edges pass, carry most(i) edges.
func Ports(n int, candidates []topology.Edge, most func(i int) int) []design.Limit {
	limits := design.DegreeLimits(n, candidates, most, strconv.Itoa)
	for i := range limits {
		limits[i].Kind, limits[i].Name = design.NodeResource, fmt.Sprintf("node %d", i)
	}
	return limits
}

// Degrees asks for exactly degree[i] edges at node i, on all pairs.
func Degrees(degree []int) design.Space {
	s := Homogeneous(len(degree), 0)
	s.Exact = true
	s.Limits = Ports(s.Nodes, s.Candidates, func(i int) int { return degree[i] })
	total := 0
	for _, d := range degree {
		total += d
	}
	s.MaxEdges = total / 2
	return s
}

// TwoClasses is the node-level scenario: 8 nodes of degree high, 8 of degree low.
func TwoClasses(high, low int) design.Space {
	degree := make([]int, 16)
	for i := range degree {
		degree[i] = high
		if i >= 8 {
			degree[i] = low
		}
	}
	return Degrees(degree)
}

// Server is the intra-server scenario: 8 GPUs, two per PCIe switch, two switches per NUMA
// node; an edge loads the highest link it crosses: one of 4 PIX, 2 NODE, 1 SYS, in that order.
func Server(capacity [7]int) design.Space {
	s := Homogeneous(8, 0)
	s.Exact = true
	names := [7]string{"PIX1", "PIX2", "PIX3", "PIX4", "NODE1", "NODE2", "SYS"}
	for l, name := range names {
		s.Limits = append(s.Limits, design.Limit{Name: name, Max: capacity[l]})
		s.MaxEdges += capacity[l]
	}
	for l := range 4 { // the one pair below a switch
		s.Limits[l].Kind, s.Limits[l].Node = design.NodeResource, 2*l
	}
	for k, e := range s.Candidates {
		l := 6
		switch {
		case e.I/2 == e.J/2:
			l = e.I / 2
		case e.I/4 == e.J/4:
			l = 4 + e.I/4
		}
		s.Limits[l].Edges = append(s.Limits[l].Edges, k)
	}
	return s
}

// BCube is the switch-port scenario BCube(4, 2): candidates are the 48 pairs that share a
// switch; an edge loads the ports of both ends at its layer, each port takes capacity[layer].
func BCube(capacity [2]int) design.Space {
	const n = 16
	s := design.Space{Nodes: n, Exact: true, MaxEdges: n * (capacity[0] + capacity[1]) / 2}
	for layer, c := range capacity {
		for i := range n {
			s.Limits = append(s.Limits, design.Limit{Kind: design.NodeResource, Node: i,
				Name: fmt.Sprintf("port %d of layer %d", i, layer), Max: c})
		}
	}
	for _, e := range topology.AllPairs(n) {
		layer := -1
		switch {
		case e.I/4 == e.J/4: // digit 1 agrees: they differ in digit 0
			layer = 0
		case e.I%4 == e.J%4:
			layer = 1
		default:
			continue
		}
		k := len(s.Candidates)
		s.Candidates = append(s.Candidates, e)
		for _, i := range [2]int{e.I, e.J} {
			s.Limits[layer*n+i].Edges = append(s.Limits[layer*n+i].Edges, k)
		}
	}
	return s
}
