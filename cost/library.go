package cost

import (
	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/collective"
)

// A Traffic says what of the gradients a library sends.
type Traffic struct {
	Share  float64 // of their bytes in 32 bits
	Calls  float64 // all-reduces per bucket
	Faster float64 // how many times the bandwidths of the cluster the links have
}

// LibraryTariffs are those of an all-reduce that a library cuts as suits each bucket.
func LibraryTariffs(a *collective.Algorithm, c *cluster.Cluster) (Tariffs, error) {
	most := 16
	if a.Chunks == 1 {
		most = 1 // it cuts the message itself
	}
	return NewTariffs(a, c, most)
}

// InBuckets returns DistributedDataParallel over a library's all-reduce, with buckets of that size. Buckets do not grow
// with the bandwidth.
func (t Tariffs) InBuckets(c *cluster.Cluster, bucketMB float64, sent Traffic) (*Process, error) {
	return DDP(c.Nodes(), c.Model().MessageMB*sent.Faster, bucketMB, func(mb float64) (float64, error) {
		mb = max(mb/sent.Faster*sent.Share/sent.Calls, cluster.LeastMessageMB)
		return sent.Calls * t.Price(mb, c.LatencyMS()).MS, nil
	})
}
