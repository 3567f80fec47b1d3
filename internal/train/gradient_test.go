package train_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/batopo/batopo/internal/train"
)

// Gradients of softmax regression and of networks are the slopes of the loss.
func TestGradientIsTheSlopeOfTheLoss(t *testing.T) {
	for _, hidden := range [][]int{nil, {7}, {6, 5}} {
		n, err := train.NewNetwork(train.Digits(), train.Model{Hidden: hidden, Batch: 16, Seed: 1}, 4)
		if err != nil {
			t.Fatal(err)
		}
		x, g, scratch := make([]float64, n.Params()), make([]float64, n.Params()), make([]float64, n.Params())
		n.Start(x)
		rng := rand.New(rand.NewPCG(3, 3))
		for k := range x {
			x[k] += 0.1 * rng.NormFloat64() // away from biases of 0
		}
		for node := range 4 {
			step := 3 * node
			n.Gradient(g, x, node, step)
			largest := 0.0
			for range 200 {
				k := rng.IntN(len(x))
				const h = 1e-5
				kept := x[k]
				x[k] = kept + h
				above := n.Gradient(scratch, x, node, step)
				x[k] = kept - h
				below := n.Gradient(scratch, x, node, step)
				x[k] = kept
				slope := (above - below) / (2 * h)
				largest = max(largest, math.Abs(slope))
				// h² from the next term of the series, 1e-16/h from rounding.
				if math.Abs(slope-g[k]) > 1e-8 {
					t.Errorf("hidden %v, node %d, parameter %d: gradient %g, slope %g", hidden, node, k, g[k], slope)
				}
			}
			if largest < 1e-3 {
				t.Errorf("hidden %v, node %d: all slopes are below %g; the test says nothing", hidden, node, largest)
			}
		}
	}
}
