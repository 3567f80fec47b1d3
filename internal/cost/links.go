package cost

import (
	"fmt"

	"github.com/batopo/batopo/cluster"
)

// boundByLinks says of all arcs at once, and of those that leave each node, that they pass one of a few resources:
// the slowest of each arc. A transfer uses one of them at least, so together they carry what has to be sent.
func boundByLinks(c *cluster.Cluster) Bound {
	n, message := c.Nodes(), c.Model().MessageMB
	everywhere, total := map[cluster.Hop]bool{}, 0.0
	var best Bound
	var hops []cluster.Hop
	for i := range n {
		own, capacity := map[cluster.Hop]bool{}, 0.0
		for j := range n {
			if i == j {
				continue
			}
			hops = c.Route(hops[:0], i, j)
			if len(hops) == 0 {
				continue
			}
			h, gbs := slowest(c, hops)
			if !own[h] {
				own[h] = true
				capacity += gbs
			}
			if !everywhere[h] {
				everywhere[h] = true
				total += both(h) * gbs
			}
		}
		if ms := message / capacity; capacity > 0 && ms > best.MS {
			best = Bound{MS: ms, Why: fmt.Sprintf("a whole message leaves %s", c.NodeName(i))}
		}
	}
	messages := 2 * (n - 1)
	if ms := float64(messages) * message / total; total > 0 && ms > best.MS {
		best = Bound{MS: ms, Why: fmt.Sprintf("%d messages pass the slowest links", messages)}
	}
	return best
}

// slowest returns the hop with the least bandwidth.
func slowest(c *cluster.Cluster, hops []cluster.Hop) (cluster.Hop, float64) {
	least, gbs := hops[0], 0.0
	for k, h := range hops {
		if rate := c.Resources()[h.Resource].Toward(h.Side); k == 0 || rate < gbs {
			least, gbs = h, rate
		}
	}
	return least, gbs
}

// both counts the two directions of a shared link, which carries a pair's messages both ways at once.
func both(h cluster.Hop) float64 {
	if h.Side == cluster.Shared {
		return 2
	}
	return 1
}
