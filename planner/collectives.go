package planner

import (
	"context"
	"errors"
	"fmt"
	"github.com/batopo/batopo/cost"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/collective"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/placement"
	"github.com/batopo/batopo/topology"
)

// Limits of what is worth pricing while somebody waits.
const (
	mostChunks     = 64   // that a message is cut into
	mostAllPairs   = 128  // nodes, where everybody talks to everybody
	mostForLeaders = 64   // nodes, where groups are searched
	mostForWays    = 2048 // nodes, where all pairs are walked over
	mostRoots      = 64   // of a tree that are tried
)

// A CollectiveForm is a way to average all nodes exactly.
type CollectiveForm struct {
	Name string
	Doc  string // one line
	row  string // its name in comparisons
	find func(ctx context.Context, g *pricing) (exactWay, error)
}

// An exactWay is a form on a cluster: how it runs, what it costs, and how it was found.
type exactWay struct {
	runs  *collective.Algorithm
	price cost.Price
	note  string
	short *design.Collective // where it need not be written down step by step
}

// CollectiveForms lists the exact averages.
var CollectiveForms = []CollectiveForm{
	{"ring-all-reduce", "2(n−1) steps of 1/n of the message along a ring", allReduceName, bestRing},
	{"halving-doubling", "partners at distance 1, 2, 4, … halve what they sum, then double it again",
		"halving-doubling all-reduce", func(ctx context.Context, g *pricing) (exactWay, error) {
			return g.ordered(ctx, 1, collective.HalvingDoubling)
		}},
	{"two-tree", "two binary trees with half of the message each, in chunks; nobody is inside both",
		"two-tree all-reduce", func(ctx context.Context, g *pricing) (exactWay, error) {
			return g.ordered(ctx, mostChunks, func(order []int) *collective.Algorithm {
				return collective.Trees(collective.TwoTrees(order))
			})
		}},
	{"tree", "up and down the spanning tree of the quickest links, in chunks", treeName, bestTree},
	{"shards", "every node sums a share of the message that suits its bandwidth, in chunks",
		"all-reduce in shards", shards},
	{"leaders", "whole messages: leaders collect for their group, swap among themselves, hand back",
		"all-reduce by leaders", leaders},
	{"two-level", "inside every group, such as a server, first, in shards; then between the groups",
		"two-level all-reduce", twoLevels},
}

// FindCollective returns the form of that name.
func FindCollective(name string) (CollectiveForm, error) {
	k := slices.IndexFunc(CollectiveForms, func(f CollectiveForm) bool { return f.Name == name })
	if k < 0 {
		return CollectiveForm{}, fmt.Errorf("planner: there is no collective %q", name)
	}
	return CollectiveForms[k], nil
}

func bestRing(ctx context.Context, g *pricing) (exactWay, error) {
	order, note, err := g.ringOrder(ctx)
	if err != nil {
		return exactWay{}, err
	}
	short := &design.Collective{Algorithm: design.RingForm, Order: order}
	price, err := cost.Of(short.Runs(), g.c)
	return exactWay{short.Runs(), price, note, short}, err
}

// ordered looks for the order of the nodes in which an algorithm is quickest, then for the best number of chunks.
func (g *pricing) ordered(
	ctx context.Context, chunks int, in func(order []int) *collective.Algorithm,
) (exactWay, error) {
	best := placement.Placement{Order: topology.InOrder(g.c.Nodes())}
	note := ""
	if first := in(best.Order); g.places && !g.c.Homogeneous() {
		// Trees are priced as if they were cut finely: then all their steps run at once.
		trial := min(chunks, 8)
		best = placement.BestBy(ctx, g.c, g.seed, trial*first.Transfers(), func(order []int) (int, float64) {
			a := in(order).InChunks(trial)
			if missing := cost.Missing(a, g.c); missing > 0 {
				return missing, 0
			}
			price, err := cost.Of(a, g.c)
			if err != nil {
				return 1, 0
			}
			return 0, price.MS
		})
		if best.Missing > 0 {
			return exactWay{}, fmt.Errorf(
				"no order of the nodes was found in which all its pairs have a route (orders tried: %d)", best.Evaluations)
		}
		note = tried(best)
	}
	a, price, err := cost.BestChunks(in(best.Order), g.c, chunks)
	return exactWay{runs: a, price: price, note: note}, err
}

// bestTree takes the spanning tree of the quickest links, and the root from which it is quickest of those that ctx
// leaves time for.
func bestTree(ctx context.Context, g *pricing) (exactWay, error) {
	edges := placement.SpanningTree(g.c)
	if len(edges) != g.c.Nodes()-1 {
		return exactWay{}, errors.New("the links do not join all nodes")
	}
	neighbors := make([][]int, g.c.Nodes())
	for _, e := range edges {
		neighbors[e.I], neighbors[e.J] = append(neighbors[e.I], e.J), append(neighbors[e.J], e.I)
	}
	var best exactWay
	for root := range min(g.c.Nodes(), mostRoots) {
		if root > 0 && ctx.Err() != nil {
			break
		}
		parent := rooted(neighbors, root)
		a, price, err := cost.BestChunks(collective.Trees(parent), g.c, mostChunks)
		if err != nil {
			return exactWay{}, err
		}
		if best.runs == nil || price.MS < best.price.MS {
			short := &design.Collective{Algorithm: design.TreeForm, Parent: parent}
			if a.Chunks > 1 {
				short.Chunks = a.Chunks
			}
			best = exactWay{runs: a, price: price, short: short}
		}
	}
	return best, nil
}

// rooted returns the parent of every node of a tree.
func rooted(neighbors [][]int, root int) []int {
	parent := make([]int, len(neighbors))
	parent[root] = -1
	for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
		for _, j := range neighbors[queue[0]] {
			if j != parent[queue[0]] {
				parent[j] = queue[0]
				queue = append(queue, j)
			}
		}
	}
	return parent
}

func shards(ctx context.Context, g *pricing) (exactWay, error) {
	if g.c.Nodes() > mostAllPairs {
		return exactWay{}, fmt.Errorf("everybody talks to everybody; not priced for more than %d nodes", mostAllPairs)
	}
	shares, err := cost.BestShares(ctx, g.c)
	if err != nil {
		return exactWay{}, err
	}
	a, price, err := cost.BestChunks(collective.Shards(shares), g.c, mostChunks)
	return exactWay{runs: a, price: price}, err
}

func leaders(ctx context.Context, g *pricing) (exactWay, error) {
	if g.c.Nodes() > mostForLeaders {
		return exactWay{}, fmt.Errorf("groups are searched for at most %d nodes", mostForLeaders)
	}
	a, price, _, err := cost.BestLeaders(ctx, g.c)
	return exactWay{runs: a, price: price}, err
}

// twoLevels takes the cheapest way to average inside the groups of a level, and between them, of those that ctx leaves
// time for. A server with several network cards has no way out that all its nodes share, and is a group all the same:
// its description says so.
func twoLevels(ctx context.Context, g *pricing) (exactWay, error) {
	c := g.c
	if c.Nodes() > mostForWays {
		return exactWay{}, fmt.Errorf("groups are looked for on at most %d nodes", mostForWays)
	}
	levels, err := Levels(c)
	if err != nil {
		return exactWay{}, err
	}
	var best exactWay
	for _, groups := range levels {
		for _, way := range collective.WaysOnLevels(groups) {
			if best.runs != nil && ctx.Err() != nil {
				return best, nil
			}
			a, price, err := cost.BestChunks(way, c, mostChunks)
			if err != nil {
				return exactWay{}, err
			}
			if best.runs == nil || price.MS < best.price.MS {
				best = exactWay{runs: a, price: price}
			}
		}
	}
	return best, nil
}

// AllReduceBound returns a time that no exact average of all nodes beats on the cluster; 0 where none is known.
func AllReduceBound(c *cluster.Cluster) cost.Bound {
	if c.Nodes() > mostForWays {
		return cost.Bound{}
	}
	return cost.LowerBound(c)
}
