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

// bucketSizes are the sizes of buckets that DistributedDataParallel is priced with, its default first. Another one must
// gain more than worthSetting: what one all-reduce costs beside its bytes is seldom known so well.
var bucketSizes = []float64{25, 5, 100}

const worthSetting = 0.05

// guessedCallMS is what a call of a library's all-reduce is taken to cost where the size of buckets is chosen and the
// cluster says nothing: without it the smallest buckets would nearly always be best.
const guessedCallMS = 0.1

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
