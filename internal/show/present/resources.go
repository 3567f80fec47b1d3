package present

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
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
// budgets given. Printed is the e of Algorithm 1 for the only budget; nil where it is not asked for or not defined.
func WriteCluster(w io.Writer, c *cluster.Cluster, budgets []feasible.Allocation, printed []int) error {
	const mostLines = 60
	resources, most := c.Resources(), c.Most()
	titles := []string{"resource", ">number", ">GB/s", ">ms", ">most edges"}
	units := []string{"each edge gets, GB/s", "", "", "", ""}
	var shown [][]int
	for _, b := range budgets {
		titles, units = append(titles, fmt.Sprintf(">r=%d", b.MaxEdges)), append(units, short(b.UnitGBs))
		shown = append(shown, b.Edges)
	}
	if printed != nil {
		titles, units, shown = append(titles, ">Algorithm 1's e"), append(units, ""), append(shown, printed)
	}
	t := report.NewTable(titles...)
	all := kindsOf(c, shown...)
	for _, k := range all[:min(mostLines, len(all))] {
		r := resources[k.members[0]]
		cells := []string{k.name, fmt.Sprint(len(k.members)), rate(r.GBs, r.UpGBs, r.DownGBs), short(r.LatencyMS),
			between(k.members, most)}
		for _, edges := range shown {
			cells = append(cells, fmt.Sprint(edges[k.members[0]]))
		}
		t.Add(cells...)
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

// rate is a bandwidth, up/down where they differ.
func rate(gbs, up, down float64) string {
	if up > 0 {
		return short(up) + "/" + short(down)
	}
	return short(gbs)
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

// kindsOf groups resources of equal bandwidth and equal numbers of edges, whose names differ only in numbers, or in the
// names of nodes.
func kindsOf(c *cluster.Cluster, edges ...[]int) []kind {
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
		for _, e := range edges {
			key += fmt.Sprint(" ", e[l])
		}
		k, ok := known[key]
		if !ok {
			k = len(all)
			known[key] = k
			all = append(all, kind{name: stem})
		}
		all[k].members = append(all[k].members, l)
	}
	stems := map[string]int{}
	for _, k := range all {
		stems[k.name]++
	}
	for k := range all {
		switch {
		case len(all[k].members) == 1:
			all[k].name = c.Resources()[all[k].members[0]].Name
		case stems[all[k].name] > 1 && strings.Count(all[k].name, "#") == 1:
			numbers := make([]string, len(all[k].members))
			for i, l := range all[k].members {
				numbers[i] = digits.FindString(c.Resources()[l].Name)
			}
			all[k].name = strings.Replace(all[k].name, "#", ranges(numbers), 1)
		}
	}
	return all
}

// ranges writes rising numbers as "0–3, 5". A name without a number stands for itself.
func ranges(numbers []string) string {
	var parts []string
	for i := 0; i < len(numbers); {
		first, end := i, i+1
		for ; end < len(numbers) && follows(numbers[end-1], numbers[end]); end++ {
		}
		i = end
		if end-first > 2 {
			parts = append(parts, numbers[first]+"–"+numbers[end-1])
			continue
		}
		parts = append(parts, numbers[first:end]...)
	}
	return strings.Join(parts, ", ")
}

func follows(a, b string) bool {
	x, first := strconv.Atoi(a)
	y, second := strconv.Atoi(b)
	return first == nil && second == nil && y == x+1
}
