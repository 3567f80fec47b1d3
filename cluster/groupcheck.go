package cluster

import (
	"fmt"
	"slices"

	"github.com/batopo/batopo/internal/ground/limits"
)

// check complains about what a group cannot mean and returns its number of nodes, at most a few more than there may be.
func (g *Group) check(check *checker, path string) int {
	if g.Name != "" {
		check.name(path+".name", g.Name)
	}
	check.between(path+".count", g.Count, 0, limits.Nodes)
	check.between(path+".nodes", g.Nodes, 0, limits.Nodes)
	for _, l := range g.links() {
		l.check(check, path+"."+l.name)
	}
	n := g.Nodes
	for k := range g.Groups {
		inner := &g.Groups[k]
		one := inner.check(check, fmt.Sprintf("%s.groups[%d]", path, k))
		n = min(n+one*min(max(1, inner.Count), limits.Nodes), 2*limits.Nodes)
	}
	if n == 0 {
		check.complain(path, "has no nodes; give nodes, or groups that have some")
		return 0
	}
	if g.Link != nil && g.Nodes == 0 {
		check.complain(path+".link", "belongs to the nodes right here, and there are none; groups have an uplink")
	}
	if l := g.Channel; l != nil && (g.Nodes == 0 || l.UpGBs != 0 || l.MaxEdges != 0) {
		check.complain(path+".channel", "is shared by the nodes right here, both ways; it needs some, and has one gb_s and "+
			"no max_edges")
	}
	if g.ComputeMS != nil {
		check.within(path+".compute_ms", *g.ComputeMS, computeSpan)
	}
	if g.JitterMS != nil {
		check.within(path+".jitter_ms", *g.JitterMS, computeSpan)
	}
	if g.NICs != nil {
		g.NICs.check(check, path+".nics", n, g)
	}
	g.checkNVLinks(check, path, n)
	g.checkInner(check, path)
	return n
}

// checkInner complains about what a group and one inside it both claim: a node has one network card and is on one
// NVSwitch, so either would be left out of every price.
func (g *Group) checkInner(check *checker, path string) {
	if g.NICs != nil && g.holds(func(inner *Group) bool { return inner.NICs != nil }) {
		check.complain(path+".nics", "is given here and in a group inside, and a node leaves by one card; "+
			"the outer group may have an uplink")
	}
	if g.NVSwitch != nil && g.holds(func(inner *Group) bool { return inner.NVSwitch != nil }) {
		check.complain(path+".nvswitch", "is given here and in a group inside, and a node is on one; leave one out")
	}
}

// checkNVLinks complains about links of pairs that are not there, and about a second one of a pair, which would replace
// the first.
func (g *Group) checkNVLinks(check *checker, path string, n int) {
	first := map[[2]int]int{}
	for k, v := range g.NVLinks {
		at := fmt.Sprintf("%s.nvlinks[%d]", path, k)
		v.Link.check(check, at)
		if len(v.Pair) != 2 || v.Pair[0] == v.Pair[1] || slices.Min(v.Pair) < 0 || slices.Max(v.Pair) >= n {
			check.complain(at+".pair", "is %v; it must be two different nodes of 0 … %d", v.Pair, n-1)
			continue
		}
		pair := [2]int{slices.Min(v.Pair), slices.Max(v.Pair)}
		if before, twice := first[pair]; twice {
			check.complain(at+".pair", "belongs to nvlinks[%d] too; write one link with the rates of both added up", before)
			continue
		}
		first[pair] = k
	}
}

// A namedLink is a link with the name it has in files.
type namedLink struct {
	name string
	*Link
}

// links returns the plain links of a group.
func (g *Group) links() []namedLink {
	all := []namedLink{
		{"link", g.Link}, {"uplink", g.Uplink}, {"nvswitch", g.NVSwitch}, {"between", g.Between}, {"through", g.Through},
		{"channel", g.Channel},
	}
	return slices.DeleteFunc(all, func(l namedLink) bool { return l.Link == nil })
}

// Called returns the name of a copy of a group: its own name, or one made of the outer group's name and its index
// there.
func (g *Group) Called(outer string, index, copy int) string {
	name := g.Name
	if name == "" {
		name = fmt.Sprintf("group %d", index)
	}
	if g.Count > 1 {
		name = fmt.Sprintf("%s %d", name, copy)
	}
	if outer != "" {
		name = outer + " " + name
	}
	return name
}

func (l *Link) check(check *checker, path string) {
	if l.UpGBs != 0 || l.DownGBs != 0 {
		if l.GBs != 0 {
			check.complain(path+".gb_s",
				"is given beside up_gb_s and down_gb_s; give one number for both directions, or one for each")
		}
		check.within(path+".up_gb_s", l.UpGBs, bandwidthSpan)
		check.within(path+".down_gb_s", l.DownGBs, bandwidthSpan)
	} else {
		check.within(path+".gb_s", l.GBs, bandwidthSpan)
	}
	check.within(path+".latency_ms", l.LatencyMS, latencySpan)
	check.within(path+".per_message_ms", l.PerMessageMS, latencySpan)
	if l.MaxEdges < 0 {
		check.complain(path+".max_edges", "is %d; leave it out for no cap", l.MaxEdges)
	}
}

// add makes a resource of a link and returns its number.
func (c *Cluster) add(l *Link, name string) int {
	r := Resource{Name: name, GBs: l.GBs, LatencyMS: l.LatencyMS, PerMessageMS: l.PerMessageMS, MaxEdges: l.MaxEdges}
	if l.UpGBs != l.DownGBs {
		r.UpGBs, r.DownGBs = l.UpGBs, l.DownGBs
	}
	if l.UpGBs > 0 {
		r.GBs = min(l.UpGBs, l.DownGBs)
	}
	c.resources = append(c.resources, r)
	return len(c.resources) - 1
}

func (n *NICs) count() int { return max(1, n.Count, len(n.OfNodes)) }

func (n *NICs) check(check *checker, path string, nodes int, of *Group) {
	n.Link.check(check, path)
	check.between(path+".count", n.Count, 0, nodes)
	if n.At != "" && n.At != AtNode && !of.has(n.At) {
		check.complain(path+".at",
			"is %q; it must be the name of groups inside, %q for cards of single nodes without PCIe on the way, or left out",
			shorten(n.At), AtNode)
	}
	if len(n.OfNodes) == 0 {
		return
	}
	if n.Count != 0 && n.Count != len(n.OfNodes) {
		check.complain(path+".of_nodes", "has %d entries for %d cards", len(n.OfNodes), n.Count)
	}
	all := slices.Concat(n.OfNodes...)
	slices.Sort(all)
	if len(slices.Compact(slices.Clone(all))) != nodes || len(all) != nodes || all[0] != 0 || all[nodes-1] != nodes-1 {
		check.complain(path+".of_nodes", "must name each node of the group, 0 … %d, exactly once", nodes-1)
	}
}

// has reports whether a group of that name is inside.
func (g *Group) has(name string) bool {
	return g.holds(func(inner *Group) bool { return inner.Name == name })
}

// holds reports whether a group inside, at any depth, satisfies such.
func (g *Group) holds(such func(inner *Group) bool) bool {
	return slices.ContainsFunc(g.Groups, func(inner Group) bool { return such(&inner) || inner.holds(such) })
}
