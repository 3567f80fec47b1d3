package cost

import (
	"fmt"
	"math"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
)

// firstBucketMB is the size of the first bucket of DistributedDataParallel, small so that communication begins early.
const firstBucketMB = 1

// DDP returns DistributedDataParallel: gradients of messageMB megabytes are averaged in buckets of at most bucketMB.
// The first bucket is small. price says how long the all-reduce of that many megabytes takes. What is left for the last
// bucket depends on how layers fill the others, which is not known; it is taken as full, so that time grows steadily
// with the message.
func DDP(nodes int, messageMB, bucketMB float64, price func(mb float64) (float64, error)) (*Process, error) {
	if !(messageMB > 0) || !(bucketMB > 0) {
		return nil, fmt.Errorf("cost: buckets of %v of %v MB; both must be above 0", bucketMB, messageMB)
	}
	first := min(firstBucketMB, bucketMB, messageMB)
	rest := messageMB - first
	size := min(bucketMB, rest)
	p := &Process{Nodes: nodes, Every: 1}
	for _, part := range []struct{ mb, count float64 }{{first, 1}, {size, rest / size}} {
		const rounding = 1e-9 // of the message: less is no bucket of its own
		if part.mb <= rounding*messageMB {
			continue
		}
		ms, err := price(part.mb)
		if err != nil {
			return nil, err
		}
		p.Buckets = append(p.Buckets, Bucket{Share: part.mb / messageMB, MS: ms, Count: part.count})
	}
	return p, p.Validate()
}

// A Hook is DistributedDataParallel whose buckets python/batopo averages by an algorithm, cut into its chunks.
type Hook struct {
	cluster *cluster.Cluster
	runs    *collective.Algorithm
	cut     map[int]*tariff // of a bucket alone, by its chunks
	full    *tolls          // all steps under way, each with a whole message; nil: no bucket asked yet
}

// NewHook finds what an algorithm costs where buckets follow each other through its steps.
func NewHook(c *cluster.Cluster, a *collective.Algorithm) (*Hook, error) {
	if err := priceable(a, c); err != nil {
		return nil, err
	}
	return &Hook{cluster: c, runs: a, cut: map[int]*tariff{}}, nil
}

// alone is what a bucket in that many chunks takes from its first message to its last.
func (h *Hook) alone(chunks int, mb, latencyMS float64) (float64, error) {
	if h.cut[chunks] == nil {
		t, err := newTariff(h.runs.InChunks(chunks), h.cluster)
		if err != nil {
			return 0, err
		}
		h.cut[chunks] = t
	}
	first, each := h.notices(mb / float64(chunks))
	return first + h.cut[chunks].Price(mb, latencyMS+each).MS, nil
}

// notices are how long messages of a block wait over gloo, those of the first step and those of every step. The engine
// posts receives a step ahead for blocks up to 4 MB.
func (h *Hook) notices(blockMB float64) (first, each float64) {
	if blockMB <= 4 {
		return noticeMS(h.cluster, h.runs, 1), 0
	}
	return 0, noticeMS(h.cluster, h.runs, h.runs.Different())
}

// amid is what it takes where others are right before and behind it.
func (h *Hook) amid(chunks int, mb, latencyMS float64) (float64, error) {
	if h.full == nil {
		slot := newSlot(h.cluster)
		for s := range h.runs.Steps {
			slot.add(h.runs.At(s), 1)
		}
		full, err := slot.tolls()
		if err != nil {
			return 0, err
		}
		h.full = &full
	}
	_, late := h.notices(mb / float64(chunks))
	each := h.full.price(mb/float64(chunks), latencyMS+late)
	return h.cluster.PerCollectiveMS() + float64(chunks)*each.CommunicationMS, nil
}

// InBuckets returns it with buckets of that size. A bucket is finished before the next one begins. Over gloo, one with
// at least as many chunks as there are steps less one has the next right behind it, and only behind the last the
// pipeline runs empty. So the engine does.
func (h *Hook) InBuckets(c *cluster.Cluster, bucketMB float64, sent Traffic) (*Process, error) {
	messageMB := c.Model().MessageMB * sent.Faster
	price := func(mb float64, then func(chunks int, mb, latencyMS float64) (float64, error)) (float64, error) {
		onWire := max(mb/sent.Faster*sent.Share, cluster.LeastMessageMB)
		return then(h.chunks(mb, messageMB), onWire, c.LatencyMS())
	}
	follows := func(mb float64) bool {
		return h.cluster.Backend() == cluster.Gloo && h.chunks(mb, messageMB) >= h.runs.Steps-1
	}
	p, err := DDP(c.Nodes(), messageMB, bucketMB, func(mb float64) (float64, error) {
		if follows(mb) {
			return price(mb, h.amid)
		}
		return price(mb, h.alone)
	})
	if err != nil {
		return nil, err
	}
	last := p.Buckets[len(p.Buckets)-1]
	if lastMB := last.Share * messageMB; follows(lastMB) {
		ms, err := price(lastMB, h.alone)
		if err != nil {
			return nil, err
		}
		p.endWith(ms - last.MS)
	}
	return p, p.Validate()
}

// chunks is into how many blocks the engine cuts a bucket: its share of those of the whole message.
func (h *Hook) chunks(mb, messageMB float64) int {
	share := math.RoundToEven(float64(h.runs.Chunks) * mb / messageMB)
	return int(max(1, share, math.Ceil(mb/blockMB)))
}

// endWith makes the last bucket longer, by what goes by until it is everywhere.
func (p *Process) endWith(ms float64) {
	last := p.Buckets[len(p.Buckets)-1]
	if count := last.count(); count > 1 { // buckets that fill the rest, perhaps with a part of one
		p.Buckets[len(p.Buckets)-1].Count = max(count-1, 1)
		last.Share *= count - max(count-1, 1)
		last.MS *= count - max(count-1, 1)
		last.Count = 1
		p.Buckets = append(p.Buckets, last)
	}
	p.Buckets[len(p.Buckets)-1].MS += ms
}
