package advise

import (
	"cmp"
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

// mostForTrees and mostForLevels limit what is priced again and again, for every size of message.
const (
	mostForTrees  = 256
	mostForLevels = 256
	mostChunks    = 16
)

// An exactAverage is an all-reduce that libraries run, for any size of message.
type exactAverage func(c *cluster.Cluster) (collective.Cost, error)

// libraryCollectives lists what NCCL or gloo run: along a ring, over two trees, and inside servers first.
func libraryCollectives(c *cluster.Cluster, ring []int) []exactAverage {
	chunked := func(a *collective.Algorithm) exactAverage {
		return func(c *cluster.Cluster) (collective.Cost, error) {
			_, cost, err := a.BestChunks(c, mostChunks)
			return cost, err
		}
	}
	averages := []exactAverage{func(c *cluster.Cluster) (collective.Cost, error) { return collective.Ring(ring).Cost(c) }}
	if c.Nodes() <= mostForTrees {
		averages = append(averages, chunked(collective.Trees(twoTrees(c.Nodes())...)))
	}
	if groups := collective.Groups(c); c.Nodes() <= mostForLevels && groups != nil {
		between := collective.Ring(inOrder(len(groups)))
		averages = append(averages, chunked(collective.Levels(groups, collective.Direct, between)))
	}
	return averages
}

func twoTrees(nodes int) [][]int {
	a, b := collective.TwoTrees(inOrder(nodes))
	return [][]int{a, b}
}

func inOrder(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// A quickest average of messages of any size: prices between a small and a whole message lie on a line, which is what
// they do as long as the message is cut into the same number of chunks.
type quickest struct {
	smallMB, wholeMB float64
	small, whole     []collective.Cost // of every average
}

func newQuickest(c *cluster.Cluster, averages []exactAverage) (*quickest, error) {
	q := &quickest{wholeMB: c.Model().MessageMB, smallMB: c.Model().MessageMB / 64}
	little, err := withMessage(c, q.smallMB)
	if err != nil {
		return nil, err
	}
	for _, average := range averages {
		small, err := average(little)
		if err != nil {
			continue // a pair without a route, or a link that carries no more: this one cannot be run here
		}
		whole, err := average(c)
		if err != nil {
			continue
		}
		q.small, q.whole = append(q.small, small), append(q.whole, whole)
	}
	if len(q.whole) == 0 {
		return nil, errNoAllReduce
	}
	return q, nil
}

// ms is the least time for that many megabytes.
func (q *quickest) ms(mb float64) (float64, error) {
	least := math.Inf(1)
	for k := range q.whole {
		slope := (q.whole[k].MS - q.small[k].MS) / (q.wholeMB - q.smallMB)
		least = min(least, max(0, q.small[k].MS+slope*(mb-q.smallMB)))
	}
	return least, nil
}

// bottleneck is what makes the quickest average of a whole message take as long as it does.
func (q *quickest) bottleneck() string {
	return slices.MinFunc(q.whole, func(a, b collective.Cost) int { return cmp.Compare(a.MS, b.MS) }).Bottleneck
}

// ddp is DistributedDataParallel on a cluster.
func ddp(c *cluster.Cluster, ring []int) *process {
	averages := libraryCollectives(c, ring)
	price := func(c *cluster.Cluster) (out cost, err error) {
		q, err := newQuickest(c, averages)
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
	return &process{name: "DistributedDataParallel", kind: DDP, shape: exactShape(c.Nodes()), price: price}
}

// DDPIterationMS predicts an iteration of DistributedDataParallel with the best size of buckets.
func DDPIterationMS(c *cluster.Cluster) (float64, error) {
	w := newWeigher(MeasuredLaw(), Setting{}.WithDefaults(), c.Nodes())
	best, err := w.best(ddp(c, inOrder(c.Nodes())), c, iteration.ComputeOf(c))
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
