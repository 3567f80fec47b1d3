package advise

import (
	"context"
	"fmt"
	"math"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/collective"
	"github.com/batopo/batopo/cost"
	"github.com/batopo/batopo/internal/choose/sweep"
)

// bucketSizes are the sizes of buckets that DistributedDataParallel is priced with; 25 MB is its default. The best of
// them is what a careful user would run.
var bucketSizes = []float64{25, 5, 100}

// A bucketing is DistributedDataParallel with buckets of one size.
type bucketing struct {
	mb    float64
	waits *cost.Process
}

// mostChunks limits what is tried again and again, for every size of message.
const mostChunks = 16

// quickest is what messages of any size cost over whichever of some all-reduces and in whatever number of chunks.
type quickest []cost.Tariffs

func newQuickest(c *cluster.Cluster, runs []*collective.Algorithm) (q quickest, err error) {
	for _, a := range runs {
		most := mostChunks
		if a.Chunks == 1 {
			most = 1 // it cuts the message itself
		}
		tariffs, err := cost.NewTariffs(a, c, most)
		if err != nil {
			return nil, err
		}
		q = append(q, tariffs)
	}
	return q, nil
}

// of prices messages of that many megabytes.
func (q quickest) of(mb, latencyMS float64) cost.Price {
	best := cost.Price{MS: math.Inf(1)}
	for _, tariffs := range q {
		if price := tariffs.Price(max(mb, cluster.LeastMessageMB), latencyMS); price.MS < best.MS {
			best = price
		}
	}
	return best
}

// ddp is DistributedDataParallel over whichever of these all-reduces is quickest.
func ddp(nodes int, runs []*collective.Algorithm) *process {
	all := perLinks(func(c *cluster.Cluster) (quickest, error) { return newQuickest(c, runs) })
	price := func(s scene) (out priced, err error) {
		q, err := all(s)
		if err != nil {
			return out, err
		}
		latency := s.c.LatencyMS()
		// Buckets do not grow with the bandwidth as the message does that stands for it.
		bucketMS := func(mb float64) (float64, error) { return q.of(mb/s.faster, latency).MS, nil }
		for _, mb := range bucketSizes {
			waits, err := cost.DDP(s.c.Nodes(), s.c.Model().MessageMB*s.faster, mb, bucketMS)
			if err != nil {
				return out, err
			}
			out.buckets = append(out.buckets, bucketing{mb, waits})
		}
		out.bottleneck = q.of(s.c.Model().MessageMB, latency).Bottleneck
		return out, nil
	}
	return &process{kind: DDP, shape: exactShape(nodes), price: price}
}

// DDPIterationMS predicts an iteration of DistributedDataParallel with the best size of buckets.
func DDPIterationMS(ctx context.Context, c *cluster.Cluster) (float64, error) {
	l := &list{c: c}
	l.exact(ctx, &sweep.Sweep{}) // nothing has been priced yet
	if len(l.processes) == 0 || l.processes[0].kind != DDP {
		return 0, fmt.Errorf("advise: no all-reduce that libraries have can be run on this cluster: %w", l.skipped[0].Err)
	}
	w := newWeigher(MeasuredLaw(), Setting{}.WithDefaults())
	best, err := w.best(l.processes[0], scene{c: c, faster: 1, compute: cost.DrawsOf(c)})
	return best.IterationMS, err
}

// withLatency is the cluster with another latency between any two nodes, besides what its links add.
func withLatency(c *cluster.Cluster, ms float64) (*cluster.Cluster, error) {
	spec := c.Spec()
	spec.LatencyMS = ms
	return cluster.New(spec)
}
