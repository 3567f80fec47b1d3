package train_test

import (
	"context"
	"fmt"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/train"
	"github.com/batopo/batopo/mixing"
)

// spread has one parameter, which each node would rather have at its own number: the best for all is their mean.
type spread struct{}

func (spread) Params() int       { return 1 }
func (spread) Start(x []float64) { x[0] = 0 }
func (spread) Gradient(dst, x []float64, node, _ int) float64 {
	dst[0] = x[0] - float64(node)
	return dst[0] * dst[0] / 2
}

// An objective of one's own, trained by eight nodes that talk to one other at a time.
func ExampleNew() {
	hardware, err := cluster.New(cluster.Homogeneous(8, 10))
	if err != nil {
		panic(err)
	}
	rounds, err := mixing.OnePeerHypercube(8)
	if err != nil {
		panic(err)
	}
	run, err := train.New(hardware, train.Entry{W: rounds, Settings: train.Settings{Rate: 0.05}}, spread{})
	if err != nil {
		panic(err)
	}
	steps := run.Advance(context.Background(), 300)
	mean := make([]float64, 1)
	run.Mean(mean)
	fmt.Printf("%d steps, %.0f ms: %.2f, and %.1f apart\n", steps, run.TimeMS(), mean[0], run.Distance(mean))
	// Output:
	// 300 steps, 6030 ms: 3.50, and 0.1 apart
}
