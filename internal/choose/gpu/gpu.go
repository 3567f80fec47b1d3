// Package gpu says what training takes of a GPU's memory: parameters, gradients, the optimizer's state and what
// averaging adds. Activations come on top.
package gpu

import (
	"fmt"
	"math"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
)

// A Memory is what there is and what it has to hold. The zero value asks nothing.
type Memory struct {
	GPUGB float64 // of one GPU; 0: not known, and everything fits
}

// Validate complains about numbers that no GPU has.
func (m Memory) Validate() error {
	const mostGB = 1e5
	if !(m.GPUGB >= 0 && m.GPUGB <= mostGB) {
		return fmt.Errorf("gpu_memory_gb is %v; it must be from 0 to %v", m.GPUGB, float64(mostGB))
	}
	return nil
}

// A Job is what fills the memory.
type Job struct {
	AdamW     bool // it keeps two moments, SGD one momentum
	Gradients bool // these are averaged, not parameters
	Alone     bool // nothing is averaged
	Changes   bool // parameters are averaged as changes since the last average
	Wire      design.Wire
	Among     int // that many GPUs each hold a part of the model; up to 1: all of it
}

// NeedsGB is what a job needs on a cluster, without activations.
func (m Memory) NeedsGB(c *cluster.Cluster, j Job) float64 {
	const single, half = 4., 2. // bytes of a number
	model := c.Model()
	parameter, gradient, moment := single, model.GradientBytes, single
	switch model.DType {
	case cluster.Mixed:
		parameter = single + half
	case cluster.BF16:
		parameter, moment = half, half
	}
	optimizer := moment
	if j.AdamW {
		optimizer = 2 * moment
	}
	if j.Among > 1 {
		return sharded(model, parameter+gradient+optimizer, j.Among)
	}
	buffers := gradient // DistributedDataParallel copies gradients into buckets
	if j.Alone {
		buffers = 0
	} else if !j.Gradients {
		buffers = 2 * single // at most: a copy to send and receive, and a snapshot
	}
	if j.Changes {
		buffers += single // what they are changes of
	}
	if j.Wire.Few() {
		buffers += single // what rounding has left over
	}
	return (parameter + gradient + optimizer + buffers) * model.Parameters / 1e9
}

// Blocks is how many blocks a transformer of that many parameters has. The width of a GPT is about 128 times its depth,
// and a block has 12 squares of the width.
func Blocks(parameters float64) int {
	const squares, width = 12, 128
	return int(max(1, math.Round(math.Cbrt(parameters/(squares*width*width)))))
}

// Gathered is how many bytes a parameter has where it is gathered to be computed with.
func Gathered(m cluster.Model) float64 {
	const single, half = 4, 2
	if m.DType == cluster.FP32 {
		return single
	}
	return half
}

// sharded is what a GPU needs that holds a part of the model, with these bytes for each parameter. It gathers the block
// that it computes and the next one, and has the gradients of one block.
func sharded(m cluster.Model, bytes float64, among int) float64 {
	block := m.Parameters / float64(Blocks(m.Parameters))
	return (bytes*m.Parameters/float64(among) + block*(2*Gathered(m)+m.GradientBytes)) / 1e9
}

// Enough is among how many GPUs a model must be divided to fit; 0: it never does.
func (m Memory) Enough(c *cluster.Cluster, j Job) int {
	need := func(among int) float64 { j.Among = among; return m.NeedsGB(c, j) }
	const many = 1 << 40
	half, rest := need(2)-need(many), m.GPUGB-need(many)
	if rest <= 0 {
		return 0
	}
	return int(math.Ceil(2 * half / rest))
}
