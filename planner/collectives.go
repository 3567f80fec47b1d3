package planner

import (
	"errors"
	"fmt"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/collective"
	"github.com/batopo/batopo/topology"
)

// Limits of what is worth pricing while somebody waits.
const (
	mostChunks     = 64   // that a message is cut into
	mostAllPairs   = 128  // nodes, where everybody talks to everybody
	mostForLeaders = 64   // nodes, where groups are searched
	mostForWays    = 2048 // nodes, where all pairs are walked over
)

// A pricedCollective builds an exact average on a cluster and says what it costs.
type pricedCollective struct {
	name  string
	price func(c *cluster.Cluster) (*collective.Algorithm, collective.Cost, error)
}

// collectives lists the exact averages that are priced beside ring all-reduce.
var collectives = []pricedCollective{
	{"halving-doubling all-reduce", func(c *cluster.Cluster) (*collective.Algorithm, collective.Cost, error) {
		return collective.HalvingDoubling(topology.InOrder(c.Nodes())).BestChunks(c, 1)
	}},
	{"two-tree all-reduce", func(c *cluster.Cluster) (*collective.Algorithm, collective.Cost, error) {
		first, second := collective.TwoTrees(topology.InOrder(c.Nodes()))
		return collective.Trees(first, second).BestChunks(c, mostChunks)
	}},
	{"all-reduce in shards", shards},
	{"all-reduce by leaders", leaders},
	{"two-level all-reduce", twoLevels},
}

func shards(c *cluster.Cluster) (*collective.Algorithm, collective.Cost, error) {
	if c.Nodes() > mostAllPairs {
		return nil, collective.Cost{},
			fmt.Errorf("everybody talks to everybody; not priced for more than %d nodes", mostAllPairs)
	}
	shares, err := collective.BestShares(c)
	if err != nil {
		return nil, collective.Cost{}, err
	}
	return collective.Shards(shares).BestChunks(c, mostChunks)
}

func leaders(c *cluster.Cluster) (*collective.Algorithm, collective.Cost, error) {
	if c.Nodes() > mostForLeaders {
		return nil, collective.Cost{}, fmt.Errorf("groups are searched for at most %d nodes", mostForLeaders)
	}
	a, cost, _, err := collective.BestLeaders(c)
	return a, cost, err
}

// twoLevels takes the cheapest way to average inside the groups that share a way out, and between them.
func twoLevels(c *cluster.Cluster) (best *collective.Algorithm, least collective.Cost, err error) {
	if c.Nodes() > mostForWays {
		return nil, least, fmt.Errorf("groups are looked for on at most %d nodes", mostForWays)
	}
	groups := collective.Groups(c)
	if groups == nil {
		return nil, least, errors.New("no groups of equal size share a way out")
	}
	order := topology.InOrder(len(groups))
	for _, inside := range []collective.Scatter{collective.Direct, collective.Around} {
		for _, between := range []*collective.Algorithm{collective.Ring(order), collective.HalvingDoubling(order)} {
			a, cost, err := collective.Levels(groups, inside, between).BestChunks(c, mostChunks)
			if err != nil {
				return nil, least, err
			}
			if best == nil || cost.MS < least.MS {
				best, least = a, cost
			}
		}
	}
	return best, least, nil
}

// AllReduceBound returns a time that no exact average of all nodes beats on the cluster; 0 where none is known.
func AllReduceBound(c *cluster.Cluster) collective.Bound {
	if c.Nodes() > mostForWays {
		return collective.Bound{}
	}
	return collective.LowerBound(c)
}

// collectiveRow prices an exact average.
func collectiveRow(c *cluster.Cluster, p pricedCollective) (Row, error) {
	a, cost, err := p.price(c)
	if err != nil {
		return Row{}, err
	}
	once := 1
	note := fmt.Sprintf("exact; %d steps", cost.Slots)
	if a.Chunks > 1 {
		note = fmt.Sprintf("exact; %d chunks through %d steps", a.Chunks, a.Steps)
	}
	return Row{
		Name: p.name, Kind: AllReduce, Edges: a.Pairs(), MaxDegree: a.MaxDegree(), MinEdgeGBs: cost.MinGBs,
		CommunicationMS: cost.MS, Iterations: &once, TimeMS: &cost.MS, Note: note,
	}, nil
}
