package design

import (
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/cost"
)

// NewCollectivePlan describes an exact average of all nodes on a cluster: one round, after which everybody agrees.
func NewCollectivePlan(c *cluster.Cluster, how *Collective) (*Plan, error) {
	p := blank(c)
	p.Kind, p.Every, p.Order, p.Sign = CollectiveKind, 1, AdaptThenCombine, NonNegative
	p.Collective = how
	if err := how.check(p.Nodes); err != nil {
		return nil, err
	}
	algorithm := how.Runs()
	price, err := cost.Of(algorithm, c)
	if err != nil {
		return nil, err
	}
	p.MaxDegree, p.MinEdgeGBs = algorithm.MaxDegree(), price.MinGBs
	p.RoundMS, p.CommunicationMS, p.TimeMS, p.Iterations = []float64{price.MS}, price.MS, price.MS, 1
	p.Hash = p.ComputeHash()
	return p, nil
}
