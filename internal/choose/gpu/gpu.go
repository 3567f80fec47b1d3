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
	GPUGB      float64 // of one GPU; 0: not known, and everything fits
	Parameters float64 // in millions; 0: a quarter of the message's MB, since gradients have 4 bytes
	DType      DType
}

// A DType says in which numbers a model is trained.
type DType string

// FP32 holds everything in 32 bits, Mixed computes in 16 and keeps a copy of the parameters in 32.
const (
	FP32  DType = "fp32"
	Mixed DType = "mixed"
)

// Validate complains about numbers that no GPU has.
func (m Memory) Validate() error {
	const mostGB, mostMillions = 1e5, 1e8
	switch {
	case !(m.GPUGB >= 0 && m.GPUGB <= mostGB):
		return fmt.Errorf("gpu_memory_gb is %v; it must be from 0 to %v", m.GPUGB, float64(mostGB))
	case !(m.Parameters >= 0 && m.Parameters <= mostMillions):
		return fmt.Errorf("parameters is %v million; it must be from 0 to %v", m.Parameters, float64(mostMillions))
	case m.DType != "" && m.DType != FP32 && m.DType != Mixed:
		return fmt.Errorf("dtype is %q; it must be %q or %q", m.DType, FP32, Mixed)
	}
	return nil
}

// A Job is what fills the memory.
type Job struct {
	AdamW     bool // it keeps two moments, SGD one momentum
	Gradients bool // these are averaged, not parameters
	Changes   bool // parameters are averaged as changes since the last average
	Wire      design.Wire
}

// NeedsGB is what a job needs on a cluster, without activations.
func (m Memory) NeedsGB(c *cluster.Cluster, j Job) float64 {
	const single, half = 4, 2 // bytes of a number
	millions := m.Parameters
	if millions == 0 {
		millions = c.Model().MessageMB / single
	}
	parameter, gradient, optimizer := single, single, single
	if j.AdamW {
		optimizer = 2 * single
	}
	if m.DType == Mixed {
		parameter, gradient = single+half, half
	}
	buffers := gradient // DistributedDataParallel copies gradients into buckets
	if !j.Gradients {
		buffers = 2 * single // at most: a copy to send and receive, and a snapshot
	}
	if j.Changes {
		buffers += single // what they are changes of
	}
	if j.Wire == design.INT8 {
		buffers += single // what rounding has left over
	}
	return float64(parameter+gradient+optimizer+buffers) * millions / 1e3
}
