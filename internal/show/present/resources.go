package present

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/show/report"
	"github.com/batopo/batopo/internal/solve/feasible"
)

// kind is a number of resources that are alike but for the numbers in their names.
type kind struct {
	name    string
	members []int
}

var digits = regexp.MustCompile(`[0-9]+`)

// WriteCluster lists the resources of a cluster, those alike in one line, and how many edges each carries under the
// budgets given.
func WriteCluster(w io.Writer, c *cluster.Cluster, budgets []feasible.Allocation) error {
	const mostLines = 60
	resources, most := c.Resources(), c.Most()
	t := report.Table{Columns: []report.Column{{Title: "resource"}, {Title: "number", Numeric: true},
		{Title: "GB/s", Numeric: true},
		{Title: "ms", Numeric: true}, {Title: "most edges", Numeric: true}}}
	for _, b := range budgets {
		t.Columns = append(t.Columns, report.Column{Title: fmt.Sprintf("r=%d", b.MaxEdges), Numeric: true})
	}
	all := kindsOf(c)
	for _, k := range all[:min(mostLines, len(all))] {
		r := resources[k.members[0]]
		cells := []string{k.name, fmt.Sprint(len(k.members)), rate(r), short(r.LatencyMS), between(k.members, most)}
		for _, b := range budgets {
			cells = append(cells, between(k.members, b.Edges))
		}
		t.Add(cells...)
	}
	units := []string{"each edge gets, GB/s", "", "", "", ""}
	for _, b := range budgets {
		units = append(units, short(b.UnitGBs))
	}
	if len(budgets) > 0 {
		t.AddStrong(units...)
	}
	fmt.Fprintf(w, "%d nodes, %s, %s\n", c.Nodes(), Count(len(resources), "link"),
		inflected(c.CandidateCount(), "pair that can exchange", "pairs that can exchange"))
	if wait := c.LatencyMS(); wait > 0 {
		fmt.Fprintf(w, "every message takes %s ms more than the latencies below\n", short(wait))
	}
	if more := len(all) - mostLines; more > 0 {
		fmt.Fprintf(w, "the first %d kinds of resources; %d more are left out\n", mostLines, more)
	}
	return t.WriteText(w)
}

// rate is the bandwidth of a resource, up/down where they differ.
func rate(r cluster.Resource) string {
	if r.UpGBs != 0 {
		return short(r.UpGBs) + "/" + short(r.DownGBs)
	}
	return short(r.GBs)
}

// between spells the smallest and the largest of some numbers.
func between(members, numbers []int) string {
	low, high := numbers[members[0]], numbers[members[0]]
	for _, l := range members {
		low, high = min(low, numbers[l]), max(high, numbers[l])
	}
	if low == high {
		return fmt.Sprint(low)
	}
	return fmt.Sprintf("%d–%d", low, high)
}

// kindsOf groups resources of equal bandwidth whose names differ in numbers, or in the names of nodes, only.
func kindsOf(c *cluster.Cluster) []kind {
	names := c.Spec().Names
	known := map[string]int{}
	var all []kind
	for l, r := range c.Resources() {
		stem := r.Name
		for _, before := range []string{"node ", "NVLink "} {
			if at := strings.Index(stem, before); at >= 0 && len(names) > 0 {
				stem = stem[:at] + before + "#"
			}
		}
		stem = digits.ReplaceAllString(stem, "#")
		key := fmt.Sprint(stem, r.GBs, r.UpGBs, r.DownGBs, r.LatencyMS, r.MaxEdges)
		k, ok := known[key]
		if !ok {
			k = len(all)
			known[key] = k
			all = append(all, kind{name: stem})
		}
		all[k].members = append(all[k].members, l)
	}
	for k := range all {
		if len(all[k].members) == 1 {
			all[k].name = c.Resources()[all[k].members[0]].Name
		}
	}
	return slices.Clip(all)
}
