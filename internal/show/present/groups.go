package present

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/show/report"
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
		notes = append(notes, fmt.Sprintf(format, append(args, rate(l.GBs, l.UpGBs, l.DownGBs))...))
	}
	add("uplink %s", g.Uplink)
	if g.NICs != nil {
		add("%d NIC × %s", &g.NICs.Link, max(1, g.NICs.Count, len(g.NICs.OfNodes)))
	}
	add("NVSwitch %s", g.NVSwitch)
	if len(g.NVLinks) == 1 {
		add("NVLink %s", &g.NVLinks[0].Link)
	} else if len(g.NVLinks) > 1 {
		slowest := slices.MinFunc(g.NVLinks, func(a, b cluster.NVLink) int {
			return cmp.Compare(slowerWay(a.Link), slowerWay(b.Link))
		})
		add("%d NVLinks from %s", &slowest.Link, len(g.NVLinks))
	}
	add("between %s", g.Between)
	add("through %s", g.Through)
	add("channel %s", g.Channel)
	add("link %s", g.Link)
	if len(notes) == 0 {
		return ""
	}
	return strings.Join(notes, ", ") + " GB/s"
}

// wireDrawing is hardware of the graph form: nodes and switches on a circle, and the links that some route takes. Of
// links side by side that is one.
func wireDrawing(title report.Text, c *cluster.Cluster) (*report.Figure, error) {
	names := nodeNames(c)
	index := map[string]int{}
	for i, name := range names {
		index[name] = i
	}
	var rates []report.PairRate
	links, pairs := c.Spec().Links, c.Most() // every link is a resource, in the same order
	for k, w := range links {
		var ends [2]int
		for side, name := range w.Between {
			if _, known := index[name]; !known {
				index[name] = len(names)
				names = append(names, name)
			}
			ends[side] = index[name]
		}
		if pairs[k] > 0 {
			rates = append(rates, report.PairRate{I: ends[0], J: ends[1], GBs: slowerWay(w.Link)})
		}
	}
	title.Subtitle = fmt.Sprintf("%s between %s; wider is faster", Count(len(rates), "link"), Count(len(names), "place"))
	if unused := len(links) - len(rates); unused > 0 {
		title.Subtitle += "; " + inflected(unused, "link that no route takes is left out",
			"links that no route takes are left out")
	}
	return report.RateDrawing{Text: title, Names: names, Rates: rates}.Draw()
}

// slowerWay is the speed of the slower direction of a link.
func slowerWay(l cluster.Link) float64 { return max(l.GBs, min(l.UpGBs, l.DownGBs)) }
