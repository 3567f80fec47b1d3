package cost_test

import (
	"math"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/topology"
)

// Eight nodes of 1 GB/s around a ring, 14 steps a bucket. Of 8 MB a step sends 1 MB in 1 ms, in two segments. With 0.1
// ms a link is always busy. With 10 ms half a step and two latencies go by, 20.5 ms, for two buckets at once. The last
// bucket runs alone in half of all cases.
func TestGlooHidesLatencyBehindBytesAndBuckets(t *testing.T) {
	for _, tc := range []struct{ latencyMS, bucketMB, want float64 }{
		{0.1, 8, 14 * ((1./16+0.2)/2 + 3)},
		{10, 8, 14 * ((1./16+20)/2 + 3*10.25 + 10.25/2)},
		{10, 100, 14 * ((1./16+20)/2 + (24./16+20)*3/4)},
	} {
		spec := cluster.Homogeneous(8, 1)
		spec.LatencyMS, spec.Backend, spec.Format = tc.latencyMS, cluster.Gloo, cluster.FormatV2
		message := 25.0
		spec.Model = &cluster.ModelSpec{MessageMB: &message}
		c, err := cluster.New(spec)
		if err != nil {
			t.Fatal(err)
		}
		library, err := cost.NewLibrary(c, collective.Ring(topology.InOrder(8)))
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := library.InBuckets(c, tc.bucketMB, cost.Gradients(1))
		if err != nil {
			t.Fatal(err)
		}
		if got := p.AllMS(); math.Abs(got/tc.want-1) > 1e-3 {
			t.Errorf("%v ms, buckets of %v MB: %.2f ms, want %.2f", tc.latencyMS, tc.bucketMB, got, tc.want)
		}
	}
}
