package advise

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/collective"
	"github.com/batopo/batopo/iteration"
)

// bucketSizes are the sizes of buckets that DistributedDataParallel is priced with; 25 MB is its default. The best of
// them is what a careful user would run.
var bucketSizes = []float64{25, 5, 100}

// A bucketing is DistributedDataParallel with buckets of one size.
type bucketing struct {
	mb    float64
	waits *iteration.Process
}

// mostChunks limits what is tried again and again, for every size of message.
const mostChunks = 16

// A quickest average of messages of any size: prices between a small and a whole message lie on a line, which is what
// they do as long as the message is cut into the same number of chunks.
type quickest struct {
	smallMB, wholeMB float64
	small, whole     []collective.Cost // of every average
}

func newQuickest(c *cluster.Cluster, runs []*collective.Algorithm) (*quickest, error) {
	q := &quickest{wholeMB: c.Model().MessageMB, smallMB: max(c.Model().MessageMB/64, cluster.LeastMessageMB)}
	little, err := withMessage(c, q.smallMB)
	if err != nil {
		return nil, err
	}
	for _, a := range runs {
		most := mostChunks
		if a.Chunks == 1 {
			most = 1 // it cuts the message itself
		}
		_, small, err := a.BestChunks(little, most)
		if err != nil {
			return nil, err
		}
		_, whole, err := a.BestChunks(c, most)
		if err != nil {
			return nil, err
		}
		q.small, q.whole = append(q.small, small), append(q.whole, whole)
	}
	return q, nil
}

// ms is the least time for that many megabytes.
func (q *quickest) ms(mb float64) (float64, error) {
	least := math.Inf(1)
	for k := range q.whole {
		slope := 0.0
		if q.wholeMB > q.smallMB {
			slope = (q.whole[k].MS - q.small[k].MS) / (q.wholeMB - q.smallMB)
		}
		least = min(least, max(0, q.small[k].MS+slope*(mb-q.smallMB)))
	}
	return least, nil
}

// bottleneck is what makes the quickest average of a whole message take as long as it does.
func (q *quickest) bottleneck() string {
	return slices.MinFunc(q.whole, func(a, b collective.Cost) int { return cmp.Compare(a.MS, b.MS) }).Bottleneck
}

// ddp is DistributedDataParallel over whichever of these all-reduces is quickest.
func ddp(nodes int, runs []*collective.Algorithm) *process {
	price := func(c *cluster.Cluster) (out cost, err error) {
		q, err := newQuickest(c, runs)
		if err != nil {
			return out, err
		}
		for _, mb := range bucketSizes {
			waits, err := iteration.DDP(c.Nodes(), c.Model().MessageMB, mb, q.ms)
			if err != nil {
				return out, err
			}
			out.buckets = append(out.buckets, bucketing{mb, waits})
		}
		out.bottleneck = q.bottleneck()
		return out, nil
	}
	return &process{kind: DDP, shape: exactShape(nodes), price: price}
}

// DDPIterationMS predicts an iteration of DistributedDataParallel with the best size of buckets.
func DDPIterationMS(ctx context.Context, c *cluster.Cluster) (float64, error) {
	l := &list{c: c}
	l.exact(ctx)
	if len(l.processes) == 0 || l.processes[0].kind != DDP {
		return 0, fmt.Errorf("advise: no all-reduce that libraries have can be run on this cluster: %w", l.skipped[0].Err)
	}
	w := newWeigher(MeasuredLaw(), Setting{}.WithDefaults(), c.Nodes())
	best, err := w.best(l.processes[0], c, iteration.ComputeOf(c))
	return best.IterationMS, err
}

// withMessage is the cluster with messages of another size.
func withMessage(c *cluster.Cluster, mb float64) (*cluster.Cluster, error) {
	spec := c.Spec()
	model := cluster.ModelSpec{}
	if spec.Model != nil {
		model = *spec.Model
	}
	model.MessageMB = &mb
	spec.Model = &model
	return cluster.New(spec)
}

// withLatency is the cluster with another latency between any two nodes, besides what its links add.
func withLatency(c *cluster.Cluster, ms float64) (*cluster.Cluster, error) {
	spec := c.Spec()
	spec.LatencyMS = ms
	return cluster.New(spec)
}
