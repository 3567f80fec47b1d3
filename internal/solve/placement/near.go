package placement

import (
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/topology"
)

// chain begins at a node and goes on to the one that is reached soonest among those left, the lowest number among
// equals.
func chain(c *cluster.Cluster, first int) []int {
	n := c.Nodes()
	left, order := topology.InOrder(n), make([]int, 0, n)
	var hops []cluster.Hop
	for at := first; ; {
		left = slices.DeleteFunc(left, func(i int) bool { return i == at })
		order = append(order, at)
		if len(left) == 0 {
			return order
		}
		next, soonest := left[0], math.Inf(1)
		for _, i := range left {
			if ms := alone(c, &hops, at, i); ms < soonest {
				next, soonest = i, ms
			}
		}
		at = next
	}
}

// Never is longer than any message takes.
const Never = 1e300

// Alone is how long a message takes from one node to another, and back, when nobody else talks.
func Alone(c *cluster.Cluster, i, j int) float64 {
	var hops []cluster.Hop
	return alone(c, &hops, i, j)
}

// alone is Alone for those who ask often: hops is scratch.
func alone(c *cluster.Cluster, hops *[]cluster.Hop, i, j int) float64 {
	worst, latency, message, resources := 0., c.LatencyMS(), c.Model().MessageMB, c.Resources()
	for _, ends := range [2][2]int{{i, j}, {j, i}} {
		*hops = c.Route((*hops)[:0], ends[0], ends[1])
		if len(*hops) == 0 {
			return Never
		}
		ms, longest := latency, 0.
		for _, h := range *hops {
			r := &resources[h.Resource]
			ms += r.LatencyMS
			longest = max(longest, message/r.Toward(h.Side))
		}
		worst = max(worst, ms+longest)
	}
	return worst
}

// SpanningTree joins all nodes by the pairs that are quickest when alone.
func SpanningTree(c *cluster.Cluster) []topology.Edge {
	var hops []cluster.Hop
	quickest := func(e topology.Edge) float64 { return alone(c, &hops, e.I, e.J) }
	return topology.LightestForest(c.Nodes(), c.Candidates(), quickest)
}
