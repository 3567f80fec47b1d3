package cost_test

import (
	"math"
	"testing"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/collective"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/topology"
)

// Four nodes with 1 GB/s each way, 400 MB of gradients in four blocks, and 900 ms of compute, 300 of them forward.
//
// FSDP gathers a block in three steps of 25 MB, 75 ms, and sums it in as many. Forward: the first gather, three blocks
// of 75 ms beside three gathers, the last block, and the gather before the backward pass: 450 ms. The backward pass
// computes a block in 150 ms, and sums and gathers beside it in 150; the last sum takes 75: 450 + 4 × 150 + 75.
//
// HSDP in pairs gathers a block in one step of 50 MB, 50 ms, and sums it in one of 50 MB and two of 25 MB, 100 ms.
// Forward: 50 + 4 × 75 + 50 = 400. Backward as above, and the last sum takes 100: 400 + 4 × 150 + 100.
func TestShardedModelsByHand(t *testing.T) {
	spec := cluster.Homogeneous(4, 1)
	message, compute := 400.0, 900.0
	spec.Model = &cluster.ModelSpec{MessageMB: &message, ComputeMS: &compute}
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	ring := collective.Ring(topology.InOrder(4))
	for _, tc := range []struct {
		name       string
		ways       []collective.Halves
		bytes      float64 // of gathered parameters, over gradients
		allMS, all float64 // of all that is sent, and of an iteration
	}{
		{"FSDP", []collective.Halves{ring.Halved(3)}, 1, 4*75 + 4*150 - 75, 1125},
		{"FSDP, parameters in half the bits", []collective.Halves{ring.Halved(3)}, 0.5,
			4*37.5 + 4*112.5 - 37.5, 2*37.5 + 300 + 600 + 75},
		{"HSDP", cost.Among(c, [][]int{{0, 1}, {2, 3}}), 1, 4*50 + 4*150 - 50, 1100},
	} {
		library, err := cost.NewSharded(c, tc.ways...)
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := library.InBlocks(c, 4, tc.bytes)
		if err != nil {
			t.Fatal(err)
		}
		ms, err := p.OnCluster(c)
		const rounding = 1e-9
		if err != nil || math.Abs(ms-tc.all) > rounding*tc.all || math.Abs(p.AllMS()-tc.allMS) > rounding*tc.allMS {
			t.Errorf("%s: an iteration takes %v ms and sends for %v; by hand %v and %v (%v)", tc.name, ms, p.AllMS(), tc.all,
				tc.allMS, err)
		}
		if slow, err := p.Slower(2).OnCluster(c); err != nil || slow <= ms || p.Floor(cost.ComputeOf(c)) > ms {
			t.Errorf("%s: %v ms over links half as fast, at least %v (%v)", tc.name, slow, p.Floor(cost.ComputeOf(c)), err)
		}
	}
}
