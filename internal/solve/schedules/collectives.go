package schedules

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/internal/solve/placement"
	"github.com/batopo/batopo/topology"
)

// Chunks is how many a message is cut into at most where nothing else is said. Each is a message of its own.
const Chunks = 64

// A Collective is a known way to average all nodes exactly. Package cost says for how many nodes each is looked
// for.
type Collective struct {
	Name  string
	Title string // in comparisons
	Doc   string // one line
	Whole bool   // it sends whole messages only
	find  func(ctx context.Context, s Site) (Exact, error)
}

// A Site is where a collective is looked for.
type Site struct {
	Cluster *cluster.Cluster
	Seed    uint64
	Chunks  int  // the most that a message is cut into
	Places  bool // look for the best order of the nodes; otherwise they keep theirs
}

// An Exact is an all-reduce by a collective on a cluster.
type Exact struct {
	Runs  *collective.Algorithm
	Price cost.Price
	Note  string             // how it was found
	Short *design.Collective // where it need not be written down step by step; otherwise nil
}

// Names of collectives that others ask for.
const (
	RingAllReduce = "ring-all-reduce"
	Tree          = "tree"
)

// Collectives lists the known all-reduces.
var Collectives = []Collective{
	{Name: RingAllReduce, Title: "ring all-reduce", Doc: "2(n−1) steps of 1/n of the message along a ring",
		find: bestRing},
	{Name: "halving-doubling", Title: "halving-doubling all-reduce",
		Doc: "partners at distance 1, 2, 4, … halve what they sum, then double it again",
		find: func(ctx context.Context, s Site) (Exact, error) {
			s.Chunks = 1
			return s.ordered(ctx, collective.HalvingDoubling)
		}},
	{Name: "two-tree", Title: "two-tree all-reduce",
		Doc: "two binary trees with half of the message each, in chunks; nobody is inside both",
		find: func(ctx context.Context, s Site) (Exact, error) {
			return s.ordered(ctx, func(order []int) *collective.Algorithm {
				return collective.Trees(collective.TwoTrees(order))
			})
		}},
	{Name: Tree, Title: "tree all-reduce", Doc: "up and down the spanning tree of the quickest links, in chunks",
		find: bestTree},
	{Name: "shards", Title: "all-reduce in shards",
		Doc: "every node sums a share of the message that suits its bandwidth, in chunks", find: shards},
	{Name: "leaders", Title: "all-reduce by leaders", Whole: true,
		Doc:  "whole messages: leaders collect for their group, swap among themselves, hand back",
		find: leaders},
	{Name: "two-level", Title: "two-level all-reduce",
		Doc:  "inside every group, such as a server, first, in shards; then between the groups",
		find: twoLevels},
}

// doubling swaps whole sums between partners at distance 1, 2, 4, …; as a part of leaders it has no name of its own.
var doubling = Collective{Name: "doubling", Whole: true, find: func(ctx context.Context, s Site) (Exact, error) {
	s.Chunks = 1
	return s.ordered(ctx, collective.Doubling)
}}

// FindCollective returns the collective of that name.
func FindCollective(name string) (Collective, error) {
	k := slices.IndexFunc(Collectives, func(f Collective) bool { return f.Name == name })
	if k < 0 {
		return Collective{}, fmt.Errorf("schedules: there is no collective %q", name)
	}
	return Collectives[k], nil
}

// Find looks for the best of its kind. When ctx ends it returns the best so far, or an error.
func (f Collective) Find(ctx context.Context, s Site) (Exact, error) { return f.find(ctx, s) }

func bestRing(ctx context.Context, s Site) (Exact, error) {
	best := placement.Placement{Order: topology.InOrder(s.Cluster.Nodes())}
	if s.Places && !s.Cluster.Homogeneous() {
		var err error
		if best, err = placement.BestRing(ctx, s.Cluster, s.Seed); err != nil {
			return Exact{}, err
		}
		if err := best.Err(); err != nil {
			return Exact{}, fmt.Errorf("no ring through all nodes: %w", err)
		}
	}
	short := &design.Collective{Algorithm: design.RingForm, Order: best.Order}
	price, err := cost.Of(short.Runs(), s.Cluster)
	return Exact{short.Runs(), price, best.Note(), short}, err
}

// ordered looks for the order of the nodes in which an algorithm is quickest, then for the best number of chunks.
func (s Site) ordered(ctx context.Context, in func(order []int) *collective.Algorithm) (Exact, error) {
	best := placement.Placement{Order: topology.InOrder(s.Cluster.Nodes())}
	if s.Places && !s.Cluster.Homogeneous() {
		// Trees are priced as if they were cut finely: then all their steps run at once.
		trial := min(s.Chunks, 8)
		best = placement.BestOf(ctx, s.Cluster, s.Seed, func(order []int) *collective.Algorithm {
			return in(order).InChunks(trial)
		})
		if err := best.Err(); err != nil {
			return Exact{}, err
		}
	}
	a, price, err := cost.BestChunks(in(best.Order), s.Cluster, s.Chunks)
	return Exact{Runs: a, Price: price, Note: best.Note()}, err
}

// bestTree takes the spanning tree of the quickest links, and the root from which it is quickest of those that ctx
// leaves time for.
func bestTree(ctx context.Context, s Site) (Exact, error) {
	const mostRoots, mostNodes = 64, 8192 // all pairs of nodes are put in order
	n := s.Cluster.Nodes()
	if n > mostNodes {
		return Exact{}, limits.Refuse("%d nodes; a tree is looked for on at most %d", n, mostNodes)
	}
	edges := placement.SpanningTree(s.Cluster)
	if len(edges) != n-1 {
		return Exact{}, errors.New("the links do not join all nodes")
	}
	neighbors := make([][]int, n)
	for _, e := range edges {
		neighbors[e.I], neighbors[e.J] = append(neighbors[e.I], e.J), append(neighbors[e.J], e.I)
	}
	var best Exact
	for root := range min(n, mostRoots) {
		if root > 0 && ctx.Err() != nil {
			break
		}
		parent, _ := from(root, neighbors)
		a, price, err := cost.BestChunks(collective.Trees(parent), s.Cluster, s.Chunks)
		if err != nil {
			return Exact{}, err
		}
		if best.Runs == nil || price.RankMS < best.Price.RankMS {
			short := &design.Collective{Algorithm: design.TreeForm, Parent: parent}
			if a.Chunks > 1 {
				short.Chunks = a.Chunks
			}
			best = Exact{Runs: a, Price: price, Short: short}
		}
	}
	return best, nil
}

func shards(ctx context.Context, s Site) (Exact, error) {
	shares, err := cost.BestShares(ctx, s.Cluster)
	if err != nil {
		return Exact{}, err
	}
	a, price, err := cost.BestChunks(collective.Shards(shares), s.Cluster, s.Chunks)
	return Exact{Runs: a, Price: price}, err
}

func leaders(ctx context.Context, s Site) (Exact, error) {
	a, price, _, err := cost.BestLeaders(ctx, s.Cluster)
	return Exact{Runs: a, Price: price}, err
}

func twoLevels(ctx context.Context, s Site) (Exact, error) {
	a, price, err := cost.BestLevels(ctx, s.Cluster, s.Chunks)
	return Exact{Runs: a, Price: price}, err
}
