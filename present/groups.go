package present

import (
	"fmt"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/report"
	"github.com/batopo/batopo/topology"
)

// groupDrawing is hardware of the tree form, with the nodes as leaves.
func groupDrawing(title report.Text, c *cluster.Cluster) report.TreeDrawing {
	d := report.TreeDrawing{Text: title}
	next := 0
	d.Root = groupTree(c, c.Spec().Tree, "all", &next)
	d.Levels = make([]string, levels(d.Root))
	nameLevels(c.Spec().Tree, d.Levels, 0)
	return d
}

func levels(t report.Tree) int {
	deepest := 0
	for _, child := range t.Children {
		if len(child.Children) > 0 {
			deepest = max(deepest, levels(child))
		}
	}
	return deepest + 1
}

// nameLevels calls each level by the names of its groups.
func nameLevels(g *cluster.Group, names []string, level int) {
	name := g.Name
	if name == "" && level == 0 {
		name = "all"
	}
	if name != "" && !strings.Contains(names[level], name) {
		names[level] = strings.TrimPrefix(names[level]+", "+name, ", ")
	}
	for k := range g.Groups {
		nameLevels(&g.Groups[k], names, level+1)
	}
}

func groupTree(c *cluster.Cluster, g *cluster.Group, name string, next *int) report.Tree {
	t := report.Tree{Name: name, Note: groupNote(g)}
	for range g.Nodes {
		t.Children = append(t.Children, report.Tree{Name: c.NodeName(*next)})
		*next++
	}
	for k := range g.Groups {
		inner := &g.Groups[k]
		for copy := range max(1, inner.Count) {
			t.Children = append(t.Children, groupTree(c, inner, inner.Called("", k, copy), next))
		}
	}
	return t
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
	add("between %s", g.Between)
	add("through %s", g.Through)
	add("link %s", g.Link)
	if len(notes) == 0 {
		return ""
	}
	return strings.Join(notes, ", ") + " GB/s"
}

// wireDrawing is hardware of the graph form: nodes and switches on a circle.
func wireDrawing(title report.Text, c *cluster.Cluster) (*report.Figure, error) {
	names, edges := []string{}, []topology.Edge{}
	for i := range c.Nodes() {
		names = append(names, c.NodeName(i))
	}
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

// pairDrawing shows which pairs of a matrix may talk.
func pairDrawing(title report.Text, c *cluster.Cluster) (*report.Figure, error) {
	var names []string
	for i := range c.Nodes() {
		names = append(names, c.NodeName(i))
	}
	return graphOf(title, names, c.Candidates(), Count(c.CandidateCount(), "measured pair"))
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
