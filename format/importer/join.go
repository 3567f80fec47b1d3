package importer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/topology"
)

// Join puts measured rates into a structure. A link carries at least what the fastest pair over it measured, and that
// is what it gets; pairs that meet in a group and measure less than their links share what they measured. What no pair
// measured stays assumed.
func Join(structure, rates *Description) (*Description, error) {
	if rates.Matrix == nil {
		return nil, fmt.Errorf("importer: the second description has no rates between pairs")
	}
	if structure.Tree == nil && structure.Links == nil {
		return nil, fmt.Errorf("importer: the first description has no structure")
	}
	n := len(structure.Names)
	if len(rates.Matrix.GBs) != n {
		return nil, fmt.Errorf("importer: the structure has %d nodes, the rates are of %d", n, len(rates.Matrix.GBs))
	}
	j := joiner{names: structure.Names, gbs: make([][]float64, n), fabric: make([]int, n), direct: map[[2]int]bool{}}
	order, err := sameNames(structure.Names, rates.Names)
	if err != nil {
		return nil, err
	}
	for a := range n {
		j.gbs[a] = make([]float64, n)
		for b := range n {
			j.gbs[a][b] = rates.Matrix.GBs[order[a]][order[b]]
		}
		j.fabric[a] = -1
	}
	out := *structure
	out.Notes = slices.Concat(structure.Notes, rates.Notes)
	out.Warnings = slices.Concat(structure.Warnings, rates.Warnings)
	if out.Tree != nil {
		j.fabrics(out.Tree, 0)
		j.links(out.Tree, []int{0}, true)
	} else {
		j.wires(out.Links)
	}
	out.Assumed = slices.DeleteFunc(slices.Concat(structure.Assumed, rates.Assumed), func(line string) bool {
		stays := strings.HasPrefix(line, "network cards") || strings.HasPrefix(line, "latency") ||
			strings.Contains(line, "the other way")
		return !j.missing && !stays
	})
	return &out, nil
}

// sameNames says where the nodes of the structure stand among those that were measured: by name, else by number.
func sameNames(structure, rates []string) ([]int, error) {
	order := make([]int, len(structure))
	known := 0
	for i, name := range structure {
		if order[i] = slices.Index(rates, name); order[i] >= 0 {
			known++
		}
	}
	switch {
	case known == len(structure):
		return order, nil
	case known > 0:
		return nil, fmt.Errorf("importer: only %d of %d nodes have the same name in structure and rates",
			known, len(structure))
	}
	return topology.InOrder(len(structure)), nil
}

type joiner struct {
	names   []string
	gbs     [][]float64 // from, to
	fabric  []int       // the NVSwitch of each node
	direct  map[[2]int]bool
	missing bool // something has no measured rate
}

// fabrics finds which pairs do not use PCIe.
func (j *joiner) fabrics(g *cluster.Group, first int) {
	for k := range g.Size() {
		if g.NVSwitch != nil {
			j.fabric[first+k] = first
		}
	}
	for _, v := range g.NVLinks {
		a, b := first+v.Pair[0], first+v.Pair[1]
		j.direct[[2]int{a, b}], j.direct[[2]int{b, a}] = true, true
	}
	at := first + g.Nodes
	for k := range g.Groups {
		for range max(1, g.Groups[k].Count) {
			j.fabrics(&g.Groups[k], at)
			at += g.Groups[k].Size()
		}
	}
}

// climbs reports whether a pair uses the links of the tree.
func (j *joiner) climbs(a, b int) bool {
	return a != b && !j.direct[[2]int{a, b}] && (j.fabric[a] < 0 || j.fabric[a] != j.fabric[b])
}

// fastest is the largest rate, each way, between a range of nodes and those outside it, over the links of the tree.
func (j *joiner) fastest(first, n int) (up, down float64) {
	for a := first; a < first+n; a++ {
		for b := range j.gbs {
			if inside := b >= first && b < first+n; j.climbs(a, b) && !inside {
				up, down = max(up, j.gbs[a][b]), max(down, j.gbs[b][a])
			}
		}
	}
	return up, down
}

// links sets the rates of a group that stands at several places.
func (j *joiner) links(g *cluster.Group, at []int, root bool) {
	n := g.Size()
	var nodes, up, port [2]float64
	for _, first := range at {
		for k := range g.Nodes {
			a, b := j.fastest(first+k, 1)
			nodes = [2]float64{max(nodes[0], a), max(nodes[1], b)}
		}
		a, b := j.fastest(first, n)
		up = [2]float64{max(up[0], a), max(up[1], b)}
		for a := first; a < first+n; a++ {
			for b := first; b < first+n; b++ {
				if a != b {
					port[0] = max(port[0], j.gbs[a][b])
				}
			}
		}
	}
	j.set(g.Link, nodes)
	if !root {
		j.set(g.Uplink, up)
	}
	j.set(g.NVSwitch, [2]float64{port[0], port[0]})
	for k := range g.NVLinks {
		v := &g.NVLinks[k]
		a, b := at[0]+v.Pair[0], at[0]+v.Pair[1]
		j.set(&v.Link, [2]float64{j.gbs[a][b], j.gbs[b][a]})
	}
	j.meeting(g, at, nodes[0])
	for k := range g.Groups {
		inner := &g.Groups[k]
		var places []int
		for _, first := range at {
			from := first + g.Nodes
			for m := range k {
				from += max(1, g.Groups[m].Count) * g.Groups[m].Size()
			}
			for copy := range max(1, inner.Count) {
				places = append(places, from+copy*inner.Size())
			}
		}
		j.links(inner, places, false)
	}
}

// meeting limits a group whose own pairs measure less than their links carry.
func (j *joiner) meeting(g *cluster.Group, at []int, nodes float64) {
	fastest := 0.
	for _, first := range at {
		for a := first; a < first+g.Nodes; a++ {
			for b := first; b < first+g.Nodes; b++ {
				if j.climbs(a, b) {
					fastest = max(fastest, j.gbs[a][b])
				}
			}
		}
	}
	const clearly = 0.95
	if fastest > 0 && fastest < clearly*nodes {
		g.Between = link(fastest)
	}
}

// set gives a link its rates, up and down; without a measurement it keeps its rates.
func (j *joiner) set(l *cluster.Link, gbs [2]float64) {
	switch {
	case l == nil:
	case gbs[0] == 0 || gbs[1] == 0:
		j.missing = true
	case gbs[0] == gbs[1]:
		l.GBs = gbs[0]
	default:
		l.GBs, l.UpGBs, l.DownGBs = 0, gbs[0], gbs[1]
	}
}

// wires sets the rates of links between two nodes.
func (j *joiner) wires(links []cluster.Wire) {
	for k := range links {
		a, b := slices.Index(j.names, links[k].Between[0]), slices.Index(j.names, links[k].Between[1])
		if a < 0 || b < 0 {
			j.missing = true
			continue
		}
		j.set(&links[k].Link, [2]float64{j.gbs[a][b], j.gbs[b][a]})
	}
}
