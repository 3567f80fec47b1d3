package train

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/batopo/batopo/internal/ground/limits"
)

// A Model says what every node trains, and on which part of the data.
type Model struct {
	Hidden []int   // widths of rectified layers; none is softmax regression
	Batch  int     // images per node and step
	Skew   float64 // 0: the same number of each class at every node; else the parameter of a Dirichlet split
	Seed   uint64  // of the start, the split and the batches
}

// A Network is a Model on data: an Objective. It also tests models.
type Network struct {
	data   Data
	model  Model
	layers []layer
	params int
	nodes  []*networkNode
}

// networkNode is what one node needs to compute a gradient.
type networkNode struct {
	batches *batches
	values  [][]float64 // values[0] are the inputs of a batch, values[k] the outputs of layer k−1
	deltas  [][]float64 // derivatives of the loss by values[k]; none for the inputs
}

// NewNetwork shares the training images out to nodes and allocates all that gradients need.
func NewNetwork(d Data, m Model, nodes int) (*Network, error) {
	if len(m.Hidden) > limits.Layers {
		return nil, fmt.Errorf("train: %d hidden layers; there may be %d", len(m.Hidden), limits.Layers)
	}
	n := &Network{data: d, model: m}
	widths, total := append(append([]int{d.Train.Size}, m.Hidden...), d.Classes), 0
	for k, width := range widths {
		if width < 1 || k > 0 && width > limits.LayerWidth {
			return nil, fmt.Errorf("train: hidden is %v; a layer must be from 1 to %d wide", m.Hidden, limits.LayerWidth)
		}
		if total += width; k > 0 {
			l := layer{in: widths[k-1], out: width, at: n.params}
			n.layers, n.params = append(n.layers, l), n.params+l.size()
		}
	}
	if m.Batch < 1 || m.Batch > limits.TrainingValues/nodes/total {
		return nil, fmt.Errorf("train: batch is %d; it must be 1 to %d images", m.Batch, limits.TrainingValues/nodes/total)
	}
	held, err := split(d.Train, d.Classes, nodes, m.Skew, m.Seed)
	if err != nil {
		return nil, err
	}
	for i := range held {
		node := &networkNode{batches: newBatches(held[i], i, m.Batch, m.Seed)}
		for k, width := range widths {
			node.values = append(node.values, make([]float64, m.Batch*width))
			if node.deltas = append(node.deltas, nil); k > 0 {
				node.deltas[k] = make([]float64, m.Batch*width)
			}
		}
		n.nodes = append(n.nodes, node)
	}
	return n, nil
}

// Params returns the number of parameters.
func (n *Network) Params() int { return n.params }

// Start writes weights from a Gaussian with variance 2/inputs (He et al. 2015) and biases 0.
func (n *Network) Start(x []float64) {
	rng := rand.New(rand.NewPCG(n.model.Seed, stream(streamStart, 0, 0)))
	for _, l := range n.layers {
		deviation := math.Sqrt(2 / float64(l.in))
		for k := range l.in {
			w := l.row(x, k)
			for j := range w {
				w[j] = deviation * rng.NormFloat64()
			}
		}
		clear(l.row(x, l.in))
	}
}

// Gradient computes the gradient of the mean cross-entropy over the node's batch of the step.
func (n *Network) Gradient(dst, x []float64, node, step int) float64 {
	at := n.nodes[node]
	batch := at.batches.at(step)
	for b, image := range batch {
		n.load(at, n.data.Train, b, int(image))
	}
	n.forward(at, x, len(batch))
	last := len(n.layers)
	loss := 0.0
	for b, image := range batch {
		label := int(n.data.Train.Labels[image])
		scores, delta := row(at.values[last], b, n.data.Classes), row(at.deltas[last], b, n.data.Classes)
		loss += crossEntropy(delta, scores, label)
	}
	scale := 1 / float64(len(batch))
	for k := range at.deltas[last] {
		at.deltas[last][k] *= scale
	}
	for k := last - 1; k >= 0; k-- {
		n.layers[k].backward(dst, at.deltas[k], x, at.values[k], at.deltas[k+1], len(batch))
	}
	return loss * scale
}

// load puts an image into place b of a node's batch.
func (n *Network) load(at *networkNode, m *Images, b, image int) {
	input := row(at.values[0], b, m.Size)
	for k, pixel := range m.Pixels[image*m.Size : (image+1)*m.Size] {
		input[k] = m.Scale * float64(pixel)
	}
}

// forward computes the values of all layers.
func (n *Network) forward(at *networkNode, x []float64, count int) {
	for k, l := range n.layers {
		out := at.values[k+1][:count*l.out]
		l.forward(out, x, at.values[k], count)
		if k < len(n.layers)-1 {
			rectify(out)
		}
	}
}

func row(of []float64, k, width int) []float64 { return of[k*width : (k+1)*width] }

// crossEntropy returns −log softmax(scores)[label] and writes its derivative by the scores where delta is not nil.
func crossEntropy(delta, scores []float64, label int) float64 {
	top := math.Inf(-1)
	for _, s := range scores {
		top = max(top, s)
	}
	sum := 0.0
	for _, s := range scores {
		sum += math.Exp(s - top)
	}
	if delta != nil {
		for k, s := range scores {
			delta[k] = math.Exp(s-top) / sum
		}
		delta[label]--
	}
	return math.Log(sum) - (scores[label] - top)
}
