package cost_test

import (
	"math"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/topology"
)

// Four nodes of 10 GB/s average 40 MB, each message 0.5 ms and each call 2 ms, worked out by hand. A ring sends 10 MB
// in each of 6 steps. In two chunks it sends 5 MB in 7 slots; in the first and the last nobody sends two messages.
func TestMessagesAndCallsCostTime(t *testing.T) {
	mb := 40.0
	c, err := cluster.New(cluster.Spec{Nodes: 4, Bandwidth: cluster.Numbers{10}, PerMessageMS: 0.5, PerCollectiveMS: 2,
		Model: &cluster.ModelSpec{MessageMB: &mb}})
	if err != nil {
		t.Fatal(err)
	}
	ring := collective.Ring(topology.InOrder(4))
	for chunks, want := range map[int]float64{
		1: 2 + 6*(0.5+1),
		2: 2 + 2*(0.5+0.5) + 5*(2*0.5+2*0.5),
	} {
		price, err := cost.Of(ring.InChunks(chunks), c)
		if err != nil || math.Abs(price.MS-want) > 1e-12 {
			t.Errorf("in %d chunks: %v ms, %v; want %v", chunks, price.MS, err, want)
		}
	}
}
