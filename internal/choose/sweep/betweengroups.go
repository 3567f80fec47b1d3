package sweep

import (
	"fmt"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/topology"
)

// mostGroups is for how many groups every pair of them is looked at.
const mostGroups = 128

// BetweenGroups describes a cluster whose nodes are the groups of another: an edge is one message in equal parts, each
// between two members, and the time that a round takes inside groups counts as latency. Plans for it are what
// [TwoLevelPlan] takes; their times are close to those of the whole plan, which is priced on c itself.
func BetweenGroups(c *cluster.Cluster, groups [][]int) (*cluster.Cluster, error) {
	if len(groups) < 2 {
		return nil, fmt.Errorf("sweep: %d groups; there must be at least 2", len(groups))
	}
	if len(groups) > mostGroups {
		return nil, limits.Refuse("sweep: %d groups; all pairs are walked over for at most %d", len(groups), mostGroups)
	}
	inside, err := cost.Of(collective.LevelsRound(groups, nil), c)
	if err != nil {
		return nil, err
	}
	w := newWays(c, groups)
	if err := w.walk(); err != nil {
		return nil, err
	}
	model := c.Model()
	spec := cluster.Spec{Format: cluster.FormatV2, Nodes: len(groups), LatencyMS: inside.MS + w.latencyMS,
		PerMessageMS: c.PerMessageMS(),
		Model: &cluster.ModelSpec{MessageMB: &model.MessageMB, ComputeMS: &model.ComputeMS,
			TargetError: &model.TargetError}}
	w.describe(&spec)
	return cluster.New(spec)
}

// ways are the resources that messages between groups pass.
type ways struct {
	c         *cluster.Cluster
	groups    [][]int
	used      []map[int]bool          // by resource: the groups on whose side it lies
	shared    []bool                  // by resource: it lies between groups
	share     []float64               // by resource: the most that one message puts on it
	over      map[topology.Edge][]int // resources by pair
	latencyMS float64
}

func newWays(c *cluster.Cluster, groups [][]int) *ways {
	n := len(c.Resources())
	w := &ways{c: c, groups: groups, used: make([]map[int]bool, n), shared: make([]bool, n), share: make([]float64, n),
		over: map[topology.Edge][]int{}}
	for l := range w.used {
		w.used[l] = map[int]bool{}
	}
	return w
}

// walk looks at the routes between the members of all pairs of groups.
func (w *ways) walk() error {
	part := 1 / float64(len(w.groups[0]))
	resources := w.c.Resources()
	var hops []cluster.Hop
	for from := range w.groups {
		for to := range w.groups {
			if from == to {
				continue
			}
			load := make(map[cluster.Hop]float64)
			pair := topology.Edge{I: min(from, to), J: max(from, to)}
			for m := range w.groups[from] {
				i, j := w.groups[from][m], w.groups[to][m]
				if hops = w.c.Route(hops[:0], i, j); len(hops) == 0 {
					return fmt.Errorf("sweep: nodes %s and %s have no route; hierarchical averaging needs one between "+
						"members of the same number", w.c.NodeName(i), w.c.NodeName(j))
				}
				latency := w.c.LatencyMS()
				for _, h := range hops {
					if load[h] == 0 {
						w.over[pair] = append(w.over[pair], h.Resource)
					}
					load[h] += part
					latency += resources[h.Resource].LatencyMS
					w.share[h.Resource] = max(w.share[h.Resource], load[h])
					switch h.Side {
					case cluster.Sender:
						w.used[h.Resource][from] = true
					case cluster.Receiver:
						w.used[h.Resource][to] = true
					default:
						w.shared[h.Resource] = true
					}
				}
				w.latencyMS = max(w.latencyMS, latency)
			}
		}
	}
	return nil
}

// ports returns the bandwidth of what belongs to each group alone.
func (w *ways) ports() cluster.Numbers {
	out := make(cluster.Numbers, len(w.groups))
	for l, groups := range w.used {
		if w.common(l) {
			continue
		}
		for g := range groups {
			if gbs := w.c.Resources()[l].GBs / w.share[l]; out[g] == 0 || gbs < out[g] {
				out[g] = gbs
			}
		}
	}
	return out
}

// common says whether messages of several groups meet on a resource.
func (w *ways) common(l int) bool { return w.shared[l] || len(w.used[l]) > 1 }

// describe says what lies between groups: a port each or, where there is more, resources and routes one by one.
func (w *ways) describe(spec *cluster.Spec) {
	ports, resources := w.ports(), w.c.Resources()
	for l, r := range resources {
		if w.share[l] > 0 && w.common(l) {
			spec.Resources = append(spec.Resources, cluster.ResourceSpec{Name: r.Name, GBs: r.GBs / w.share[l]})
		}
	}
	if spec.Resources == nil {
		spec.Bandwidth = ports
		return
	}
	port := func(g int) string { return fmt.Sprintf("port of group %d", g) }
	for g, gbs := range ports {
		if gbs > 0 {
			spec.Resources = append(spec.Resources, cluster.ResourceSpec{Name: port(g), GBs: gbs})
		}
	}
	for _, pair := range topology.AllPairs(len(w.groups)) {
		route := cluster.RouteSpec{Pair: []int{pair.I, pair.J}}
		for _, g := range route.Pair {
			if ports[g] > 0 {
				route.Over = append(route.Over, port(g))
			}
		}
		seen := map[int]bool{}
		for _, l := range w.over[pair] {
			if w.common(l) && !seen[l] {
				seen[l] = true
				route.Over = append(route.Over, resources[l].Name)
			}
		}
		spec.Routes = append(spec.Routes, route)
	}
}
