package cost

import (
	"fmt"

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

// Hooked returns DistributedDataParallel whose buckets follow each other through the steps of an algorithm, cut into
// its chunks; ms is what all of them take. The next bucket does not wait until the one before it is everywhere: only
// behind the last one the pipeline runs empty.
func Hooked(nodes int, messageMB, bucketMB float64, a *collective.Algorithm, ms float64) (*Process, error) {
	drain := 0.0
	if a.Chunks > 1 {
		drain = ms * float64(a.Steps-1) / float64(a.Steps+a.Chunks-1)
	}
	p, err := DDP(nodes, messageMB, bucketMB, func(mb float64) (float64, error) {
		return (ms - drain) * mb / messageMB, nil
	})
	if err != nil {
		return nil, err
	}
	last := p.Buckets[len(p.Buckets)-1]
	if count := last.count(); count > 1 { // buckets that fill the rest, perhaps with a part of one
		p.Buckets[len(p.Buckets)-1].Count = max(count-1, 1)
		last.Share *= count - max(count-1, 1)
		last.MS *= count - max(count-1, 1)
		last.Count = 1
		p.Buckets = append(p.Buckets, last)
	}
	p.Buckets[len(p.Buckets)-1].MS += drain
	return p, p.Validate()
}
