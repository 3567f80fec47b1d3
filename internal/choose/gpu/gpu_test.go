package gpu

import (
	"math"
	"testing"

	"github.com/batopo/batopo/cluster"
)

// 196.6 million parameters are 10 blocks of 19.66 million: 12 × (128 × 10)² each. With AdamW in mixed precision a
// parameter takes 16 bytes, among 8 GPUs 2. Two gathered blocks take 2 bytes a parameter, the gradients of one 2.
func TestShardsByHand(t *testing.T) {
	parameters := 12 * 128 * 128 * 1000.0
	spec := cluster.Homogeneous(8, 10)
	spec.Format = cluster.FormatV2
	spec.Model = &cluster.ModelSpec{Parameters: &parameters, DType: cluster.Mixed}
	c, err := cluster.New(spec)
	if err != nil {
		t.Fatal(err)
	}
	if n := Blocks(parameters); n != 10 {
		t.Errorf("%d blocks; want 10", n)
	}
	j := Job{AdamW: true, Gradients: true, Among: 8}
	const rounding = 1e-9
	if got, want := (Memory{}).NeedsGB(c, j), (2*parameters+6*parameters/10)/1e9; math.Abs(got-want) > rounding {
		t.Errorf("%v GB; by hand %v", got, want)
	}
	// Beside the blocks, 0.118 GB, a GPU of 0.3 GB has 0.182 GB for 3.146 GB of shards.
	if n := (Memory{GPUGB: 0.3}).Enough(c, j); n != 18 {
		t.Errorf("%d GPUs are enough; by hand 18", n)
	}
	if n := (Memory{GPUGB: 0.1}).Enough(c, j); n != 0 {
		t.Errorf("%d GPUs are enough, each too small for its blocks", n)
	}
}
