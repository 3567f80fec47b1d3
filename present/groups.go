package present

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/report"
	"github.com/batopo/batopo/topology"
)

// groupLayers are the groups of the tree form. A layer is called by the names of its groups.
func groupLayers(c *cluster.Cluster) []report.Layer {
	root := c.Spec().Tree
	layers := make([]report.Layer, depth(root))
	next := 0
	var plant func(g *cluster.Group, kind, name string, k int) []int
	plant = func(g *cluster.Group, kind, name string, k int) (nodes []int) {
		for range g.Nodes {
			nodes = append(nodes, next)
			next++
		}
		for j := range g.Groups {
			inner := &g.Groups[j]
			for copy := range max(1, inner.Count) {
				nodes = append(nodes, plant(inner, inner.Name, inner.Called("", j, copy), k-1)...)
			}
		}
		l := &layers[k]
		if kind != "" && !strings.Contains(l.Name, kind) {
			l.Name = strings.TrimPrefix(l.Name+", "+kind, ", ")
		}
		l.Parts = append(l.Parts, report.Part{Name: name, Note: groupNote(g), Nodes: nodes})
		return nodes
	}
	plant(root, cmp.Or(root.Name, "all"), "all", len(layers)-1)
	return layers
}

func depth(g *cluster.Group) int {
	deepest := 0
	for k := range g.Groups {
		deepest = max(deepest, depth(&g.Groups[k]))
	}
	return deepest + 1
}

// groupNote says what a group is made of, shortest first.
func groupNote(g *cluster.Group) string {
	var notes []string
	add := func(format string, l *cluster.Link, args ...any) {
		if l == nil {
			return
		}
		speed := short(l.GBs)
		if l.UpGBs > 0 {
			speed = short(l.UpGBs) + "/" + short(l.DownGBs)
		}
		notes = append(notes, fmt.Sprintf(format, append(args, speed)...))
	}
	add("uplink %s", g.Uplink)
	if g.NICs != nil {
		add("%d NIC × %s", &g.NICs.Link, max(1, g.NICs.Count, len(g.NICs.OfNodes)))
	}
	add("NVSwitch %s", g.NVSwitch)
	if len(g.NVLinks) == 1 {
		add("NVLink %s", &g.NVLinks[0].Link)
	} else if len(g.NVLinks) > 1 {
		slowest := slices.MinFunc(g.NVLinks, func(a, b cluster.NVLink) int { return cmp.Compare(speed(a), speed(b)) })
		add("%d NVLinks from %s", &slowest.Link, len(g.NVLinks))
	}
	add("between %s", g.Between)
	add("through %s", g.Through)
	add("link %s", g.Link)
	if len(notes) == 0 {
		return ""
	}
	return strings.Join(notes, ", ") + " GB/s"
}

// speed is that of the slower direction.
func speed(v cluster.NVLink) float64 { return max(v.GBs, min(v.UpGBs, v.DownGBs)) }

// wireDrawing is hardware of the graph form: nodes and switches on a circle.
func wireDrawing(title report.Text, c *cluster.Cluster) (*report.Figure, error) {
	names, edges := nodeNames(c), []topology.Edge{}
	index := map[string]int{}
	for i, name := range names {
		index[name] = i
	}
	for _, w := range c.Spec().Links {
		for _, name := range w.Between {
			if _, known := index[name]; !known {
				index[name] = len(names)
				names = append(names, name)
			}
		}
		e := topology.Edge{I: index[w.Between[0]], J: index[w.Between[1]]}
		edges = append(edges, topology.Edge{I: min(e.I, e.J), J: max(e.I, e.J)})
	}
	return graphOf(title, names, edges,
		fmt.Sprintf("%s between %s", Count(len(c.Spec().Links), "link"), Count(len(names), "place")))
}

func graphOf(title report.Text, names []string, edges []topology.Edge, subtitle string) (*report.Figure, error) {
	seen := map[topology.Edge]bool{}
	single := edges[:0:0]
	for _, e := range edges {
		if !seen[e] {
			seen[e] = true
			single = append(single, e)
		}
	}
	g, err := topology.New(len(names), single)
	if err != nil {
		return nil, err
	}
	w, err := mixing.MaximumDegree(g)
	if err != nil {
		return nil, err
	}
	title.Subtitle = subtitle
	return report.GraphDrawing{Text: title, Matrix: w, Names: names}.Draw()
}
