package subset

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/topology"
)

// A unit is a server, rack, site or another group of a cluster's description.
type unit struct {
	name  string
	kind  int // the same for units that are described once
	nodes []int
}

// unitsOf lists the groups of a tree, the outermost first, and the regions of a matrix of measured pairs.
func unitsOf(c *cluster.Cluster) (out []unit) {
	spec := c.Spec()
	if spec.Matrix != nil {
		groups, _ := spec.Matrix.Regions()
		for k, nodes := range groups {
			out = append(out, unit{nodesText(c, nodes), k, nodes})
		}
	}
	if spec.Tree == nil {
		return out
	}
	next, kind := 0, 0
	var walk func(g *cluster.Group, name string, kind int) []int
	walk = func(g *cluster.Group, name string, id int) []int {
		at := len(out)
		out = append(out, unit{name: name, kind: id})
		var nodes []int
		for range g.Nodes {
			nodes = append(nodes, next)
			next++
		}
		for k := range g.Groups {
			inner := &g.Groups[k]
			kind++
			same := kind
			for copied := range max(1, inner.Count) {
				name := inner.Name
				if inner.Count > 1 {
					name = fmt.Sprintf("%s %d", inner.Name, copied)
				}
				nodes = append(nodes, walk(inner, strings.TrimSpace(name), same)...)
			}
		}
		out[at].nodes = nodes
		return nodes
	}
	walk(spec.Tree, "", 0)
	return out[1:] // the first is the whole
}

// alikeUnits are the units by kind.
func alikeUnits(units []unit) (out [][]unit) {
	at := map[int]int{}
	for _, u := range units {
		k, known := at[u.kind]
		if !known {
			k = len(out)
			at[u.kind], out = k, append(out, nil)
		}
		out[k] = append(out[k], u)
	}
	return out
}

// A nodePace is how fast a node computes and sends, to three digits.
type nodePace struct{ compute, port string }

// pacesOf are the paces of all nodes. A port is as fast as its fastest way to another node.
func pacesOf(c *cluster.Cluster) (paces []nodePace, ports []float64) {
	paces, ports = make([]nodePace, c.Nodes()), portsOf(c)
	for i := range paces {
		paces[i] = nodePace{fmt.Sprintf("%.3g", c.ComputeMS(i)), fmt.Sprintf("%.3g", ports[i])}
	}
	return paces, ports
}

// mostNodes are those of the largest cluster whose pairs are looked at.
const mostNodes = 2048

// portsOf are the rates in GB/s at which nodes send to whom they reach fastest; all 0 where there are too many pairs.
func portsOf(c *cluster.Cluster) []float64 {
	ports, fastest := make([]float64, c.Nodes()), 0.0
	if len(ports) > mostNodes {
		return ports
	}
	for _, r := range c.Resources() {
		fastest = max(fastest, r.Toward(cluster.Sender), r.Toward(cluster.Receiver), r.Toward(cluster.Shared))
	}
	var hops []cluster.Hop
	for i := range ports {
		for j := 0; j < len(ports) && ports[i] < fastest; j++ {
			if i == j {
				continue
			}
			hops = c.Route(hops[:0], i, j)
			rate := math.Inf(1)
			for _, h := range hops {
				rate = min(rate, c.Resources()[h.Resource].Toward(h.Side))
			}
			if len(hops) > 0 {
				ports[i] = max(ports[i], rate)
			}
		}
	}
	return ports
}

// kindsOf are the nodes of one pace, where there are several.
func kindsOf(c *cluster.Cluster) (out [][]int) {
	paces, _ := pacesOf(c)
	at := map[nodePace]int{}
	for i, p := range paces {
		k, known := at[p]
		if !known {
			k = len(out)
			at[p], out = k, append(out, nil)
		}
		out[k] = append(out[k], i)
	}
	return out
}

// tailsOf are the slowest nodes, in computing and in sending, down to every clear step between two of them.
func tailsOf(c *cluster.Cluster) (out [][]int) {
	_, ports := pacesOf(c)
	for _, slowness := range []func(i int) float64{c.ComputeMS, func(i int) float64 { return 1 / ports[i] }} {
		order := topology.InOrder(c.Nodes())
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(slowness(b), slowness(a)) })
		for k := 1; k < len(order); k++ {
			const clear = 1.1
			if slowness(order[k-1]) > clear*slowness(order[k]) {
				out = append(out, slices.Sorted(slices.Values(order[:k])))
			}
		}
	}
	return out
}

// wordsOf names a set of nodes by the units that it consists of, or by its nodes.
func wordsOf(c *cluster.Cluster, units []unit, nodes []int) string {
	left := bitsOf(nodes, c.Nodes())
	var names []string
	for _, u := range units {
		if u.name == "" || slices.ContainsFunc(u.nodes, func(i int) bool { return left[i] == 0 }) {
			continue
		}
		names = append(names, u.name)
		for _, i := range u.nodes {
			left[i] = 0
		}
	}
	var rest []int
	for _, i := range nodes {
		if left[i] > 0 {
			rest = append(rest, i)
		}
	}
	if len(rest) > 0 {
		names = append(names, nodesText(c, rest))
	}
	return listed(names)
}

// nodesText names nodes, the first of many.
func nodesText(c *cluster.Cluster, nodes []int) string {
	const most = 6
	var names []string
	for _, i := range nodes[:min(most, len(nodes))] {
		names = append(names, c.NodeName(i))
	}
	if len(nodes) > most {
		names = append(names, fmt.Sprintf("%d more", len(nodes)-most))
	}
	if len(nodes) == 1 {
		return "node " + names[0]
	}
	return "nodes " + listed(names)
}

// listed joins words as in a sentence.
func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}
