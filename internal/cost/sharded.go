package cost

import (
	"cmp"
	"fmt"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/topology"
)

// Among are the ways to divide a model among the nodes of every group. Groups sum their shards among themselves.
func Among(c *cluster.Cluster, groups [][]int) (ways []collective.Halves) {
	insides, between := []collective.Scatter{collective.Around}, collective.Ring(topology.InOrder(len(groups)))
	if c.Backend() != cluster.Gloo {
		insides = append(insides, collective.Direct)
	}
	for _, inside := range insides {
		way := collective.Levels(groups, inside, between)
		ways = append(ways, way.Halved((way.Steps-between.Steps)/2))
	}
	return ways
}

// A Sharded library takes the quickest of some shardings.
type Sharded []struct{ sums, gathers tariffs }

// NewSharded finds what shardings cost on a cluster. At least one of them must run there.
func NewSharded(c *cluster.Cluster, ways ...collective.Halves) (Sharded, error) {
	const mostChunks = 16
	var out Sharded
	none := fmt.Errorf("cost: no sharding is known for %d nodes", c.Nodes())
	for _, way := range ways {
		sums, err := newTariffs(way.Sums, c, mostChunks)
		gathers, other := newTariffs(way.Gathers, c, mostChunks)
		if err = cmp.Or(err, other); err != nil {
			none = err
			continue
		}
		out = append(out, struct{ sums, gathers tariffs }{sums, gathers})
	}
	if len(out) == 0 {
		return nil, none
	}
	return out, nil
}

// InBlocks returns the process of the sharding that takes the least time in all, and what makes its sums long. The
// model is gathered in equal blocks, whose parameters have that many times the bytes of their gradients. A block is
// gathered while the one before it is computed. In the backward pass the next block is gathered and a gradient summed
// while earlier layers are computed; the last block has no next one.
func (s Sharded) InBlocks(c *cluster.Cluster, blocks int, bytes float64) (best *Process, bottleneck string, err error) {
	count, mb := float64(blocks), c.Model().MessageMB/float64(blocks)
	for _, way := range s {
		sum := way.sums.Price(max(mb, cluster.LeastMessageMB), c.LatencyMS())
		gather := way.gathers.Price(max(mb*bytes, cluster.LeastMessageMB), c.LatencyMS()).MS
		p := &Process{Nodes: c.Nodes(), Every: 1, Gathers: Bucket{MS: gather, Count: count},
			Buckets: []Bucket{{Share: 1 / count, MS: sum.MS + gather, Count: count}}}
		p.endWith(-gather)
		if best == nil || p.AllMS() < best.AllMS() {
			best, bottleneck = p, sum.Bottleneck
		}
	}
	return best, bottleneck, best.Validate()
}

// gathering is how much longer the forward pass takes than it computes. The first block is waited for, then the
// next is gathered while one is computed. The backward pass begins with a gather too.
func (p *Process) gathering(forwardMS float64) float64 {
	gather, count := p.Gathers.MS, p.Gathers.count()
	return 2*gather + (count-1)*max(gather-forwardMS/count, 0)
}
