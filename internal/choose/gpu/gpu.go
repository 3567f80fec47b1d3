// Package gpu says what training takes of a GPU's memory: parameters, gradients, the optimizer's state and what
// averaging adds. Activations come on top.
package gpu

import (
	"fmt"

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
	buffers := gradient // DistributedDataParallel copies gradients into buckets
	if j.Alone {
		buffers = 0
	} else if !j.Gradients {
		buffers = 2 * single // at most: a copy to send and receive, and a snapshot
	}
	if j.Changes {
		buffers += single // what they are changes of
	}
	if j.Wire == design.INT8 {
		buffers += single // what rounding has left over
	}
	return (parameter + gradient + optimizer + buffers) * model.Parameters / 1e9
}
