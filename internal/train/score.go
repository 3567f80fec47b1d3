package train

import "github.com/batopo/batopo/internal/ground/workers"

// A Score is how good a model is on test images.
type Score struct {
	Accuracy float64
	Loss     float64 // mean cross-entropy
}

// Test tests a model on every stride-th test image, from the first on, with a limited number of goroutines.
func (n *Network) Test(x []float64, stride, most int) Score {
	images := (n.data.Test.Count() + stride - 1) / stride
	parts := len(n.nodes) // each part uses the memory of one node
	correct, loss := make([]int, parts), make([]float64, parts)
	workers.Each(most, parts, func(part int) {
		correct[part], loss[part] = n.testPart(part, x, part*images/parts, (part+1)*images/parts, stride)
	})
	right, total := 0, 0.0
	for part := range parts {
		right, total = right+correct[part], total+loss[part]
	}
	return Score{float64(right) / float64(images), total / float64(images)}
}

// testPart tests a model on the images first … end−1 of those that are tested.
func (n *Network) testPart(part int, x []float64, first, end, stride int) (correct int, loss float64) {
	at, m := n.nodes[part], n.data.Test
	for ; first < end; first += n.model.Batch {
		count := min(n.model.Batch, end-first)
		for b := range count {
			n.load(at, m, b, (first+b)*stride)
		}
		n.forward(at, x, count)
		for b := range count {
			scores, label := row(at.values[len(n.layers)], b, n.data.Classes), int(m.Labels[(first+b)*stride])
			loss += crossEntropy(nil, scores, label)
			if best(scores) == label {
				correct++
			}
		}
	}
	return correct, loss
}

// best returns the first of the largest scores, and −1 where one is not a number: that is no answer.
func best(scores []float64) int {
	at := 0
	for k, s := range scores {
		if s != s {
			return -1
		}
		if s > scores[at] {
			at = k
		}
	}
	return at
}
