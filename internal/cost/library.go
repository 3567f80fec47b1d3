package cost

import (
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/topology"
)

// BucketMB is the default size of the buckets of DistributedDataParallel.
const BucketMB = 25

// A Traffic says what of the gradients a library sends.
type Traffic struct {
	Share  float64 // of their bytes in 32 bits
	Calls  float64 // all-reduces per bucket
	Faster float64 // how many times the bandwidths of the cluster the links have
}

// Gradients is the traffic of gradients as they are, or of that share of their bytes.
func Gradients(share float64) Traffic { return Traffic{Share: share, Calls: 1, Faster: 1} }

// A Library has all-reduces, which it cuts as suits each bucket. One that cannot run on the cluster has no tariffs.
type Library []tariffs

// LibraryWays are the forms of all-reduce that the cluster's backend runs, on the nodes in their order. Gloo has a
// ring, NCCL also two trees and an all-reduce on each level of the cluster.
func LibraryWays(c *cluster.Cluster) []*collective.Algorithm {
	order := topology.InOrder(c.Nodes())
	ways := []*collective.Algorithm{collective.Ring(order)}
	if c.Backend() == cluster.Gloo {
		return ways
	}
	ways = append(ways, collective.Trees(collective.TwoTrees(order)).InChunks(2))
	if levels, err := Divisions(c); err == nil { // otherwise there are none
		for _, groups := range levels {
			ways = append(ways, collective.WaysOnLevels(groups)...)
		}
	}
	return ways
}

// NewLibrary finds what the all-reduces of a library cost on a cluster. At least one of them must run there.
func NewLibrary(c *cluster.Cluster, ways ...*collective.Algorithm) (Library, error) {
	out := make(Library, len(ways))
	var none error
	found := false
	for k, way := range ways {
		most := 16
		if way.Chunks == 1 {
			most = 1 // it cuts the message itself
		}
		var err error
		if out[k], err = newTariffs(way, c, most); err != nil {
			none = err
			continue
		}
		found = true
	}
	if !found {
		return nil, none
	}
	return out, nil
}

// InBuckets returns DistributedDataParallel with buckets of that size over the all-reduce whose buckets take the least
// time together, and the number of that all-reduce. Buckets do not grow with the bandwidth. Gloo averages two of them
// at once, and the last one alone where their number is odd, so in half of all cases.
func (l Library) InBuckets(c *cluster.Cluster, bucketMB float64, sent Traffic) (best *Process, at int, err error) {
	for k, t := range l {
		if t == nil {
			continue
		}
		price := func(mb, atOnce float64) float64 {
			mb = max(mb/sent.Faster*sent.Share/sent.Calls, cluster.LeastMessageMB)
			if c.Backend() == cluster.Gloo {
				return sent.Calls * t[0].inSegments(mb, c.LatencyMS(), atOnce)
			}
			return sent.Calls * t.Price(mb, c.LatencyMS()).MS
		}
		messageMB := c.Model().MessageMB * sent.Faster
		p, err := DDP(c.Nodes(), messageMB, bucketMB, func(mb float64) (float64, error) { return price(mb, 2), nil })
		if err != nil {
			return nil, 0, err
		}
		if last := p.Buckets[len(p.Buckets)-1]; c.Backend() == cluster.Gloo {
			p.endWith((price(last.Share*messageMB, 1) - last.MS) / min(p.Calls(), 2))
		}
		if best == nil || p.AllMS() < best.AllMS() {
			best, at = p, k
		}
	}
	return best, at, nil
}

// InBuckets returns DistributedDataParallel with buckets of the usual size over the quickest of some all-reduces.
func InBuckets(c *cluster.Cluster, sent Traffic, ways ...*collective.Algorithm) (*Process, error) {
	library, err := NewLibrary(c, ways...)
	if err != nil {
		return nil, err
	}
	p, _, err := library.InBuckets(c, BucketMB, sent)
	return p, err
}

// Synchronous is a process that averages the gradients of all nodes in every step, as DistributedDataParallel does, and
// sends that share of their bytes.
func Synchronous(c *cluster.Cluster, share float64) (*Process, error) {
	return InBuckets(c, Gradients(share), LibraryWays(c)...)
}
