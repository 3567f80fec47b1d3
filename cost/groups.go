package cost

import (
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/collective"
	"github.com/batopo/batopo/topology"
)

// BucketMB is the default size of the buckets of DistributedDataParallel.
const BucketMB = 25

// GradientsInside returns the process whose nodes also average gradients inside groups in every step, in buckets, while
// the backward pass goes on. All groups do so at the same time; the slowest decides.
func (p *Process) GradientsInside(c *cluster.Cluster, groups [][]int) (*Process, error) {
	nothing := collective.Listed("nothing", len(groups), nil)
	inner, err := InBuckets(c, []*collective.Algorithm{
		collective.Levels(groups, collective.Around, nothing), collective.Levels(groups, collective.Direct, nothing)}, 1)
	if err != nil {
		return nil, err
	}
	out := *p
	out.Buckets, out.Groups = inner.Buckets, groups
	return &out, out.Validate()
}

// Synchronous is a process that averages the gradients of all nodes in every step, as DistributedDataParallel does.
func Synchronous(c *cluster.Cluster) (*Process, error) { return InBuckets(c, LibraryWays(c), 1) }

// LibraryWays are what a library may run: a ring in the order of the nodes, or an all-reduce on levels of the cluster.
func LibraryWays(c *cluster.Cluster) []*collective.Algorithm {
	ways := []*collective.Algorithm{collective.Ring(topology.InOrder(c.Nodes()))}
	if levels, err := Divisions(c); err == nil { // otherwise there are none
		for _, groups := range levels {
			ways = append(ways, collective.WaysOnLevels(groups)...)
		}
	}
	return ways
}

// InBuckets averages gradients in buckets by whichever of some ways is quickest for their size, and sends that share of
// their bytes.
func InBuckets(c *cluster.Cluster, ways []*collective.Algorithm, share float64) (*Process, error) {
	var tariffs []*Tariff
	var none error
	for _, way := range ways {
		t, err := NewTariff(way, c)
		if err != nil {
			none = err
			continue
		}
		tariffs = append(tariffs, t)
	}
	if len(tariffs) == 0 {
		return nil, none
	}
	return DDP(c.Nodes(), c.Model().MessageMB, BucketMB, func(mb float64) (float64, error) {
		least := math.Inf(1)
		for _, t := range tariffs {
			least = min(least, t.Price(mb*share, c.LatencyMS()).MS)
		}
		return least, nil
	})
}

// WithBatches returns the compute times of nodes that each have a share of the batch of all; nil: equal shares.
func (c Compute) WithBatches(shares []float64) Compute {
	if len(shares) == 0 {
		return c
	}
	out := Compute{MS: slices.Clone(c.MS), JitterMS: slices.Clone(c.JitterMS), Forward: c.Forward}
	for i, share := range shares {
		out.MS[i] *= share * float64(len(shares))
		out.JitterMS[i] *= share * float64(len(shares))
	}
	return out
}
