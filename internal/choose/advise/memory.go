package advise

import (
	"errors"
	"fmt"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
)

// A Memory is what a GPU has to hold. The zero value asks nothing.
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

func (m Memory) validate() error {
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

// ErrMemory says that something does not fit into a GPU.
var ErrMemory = errors.New("it does not fit")

// fits complains about a process that needs more than a GPU has: parameters, gradients, the optimizer's state and what
// averaging adds. Activations come on top.
func (s Setting) fits(p *process, c *cluster.Cluster) error {
	m := s.Memory
	if m.GPUGB == 0 {
		return nil
	}
	if p.half != nil && s.fits(p.half, c) != nil {
		p.half = nil
	}
	need := s.bytes(p) * m.millions(c) / 1e3
	if need <= m.GPUGB {
		return nil
	}
	return fmt.Errorf("%w: parameters, gradients, optimizer and buffers need %.3g GB without activations, of %.3g GB",
		ErrMemory, need, m.GPUGB)
}

func (m Memory) millions(c *cluster.Cluster) float64 {
	const gradient = 4 // bytes
	if m.Parameters > 0 {
		return m.Parameters
	}
	return c.Model().MessageMB / gradient
}

// bytes is what every parameter takes.
func (s Setting) bytes(p *process) float64 {
	const single, half = 4, 2
	parameter, gradient, optimizer := single, single, single // SGD keeps a momentum
	if s.Optimizer == AdamW {
		optimizer = 2 * single
	}
	if s.DType == Mixed {
		parameter, gradient = single+half, half
	}
	buffers := gradient // DistributedDataParallel copies gradients into buckets
	if !p.kind.Gradients() {
		buffers = 2 * single // at most: a copy to send and receive, and a snapshot
	}
	if p.changes() {
		buffers += single // what they are changes of
	}
	if p.plan != nil && p.plan.Wire == design.INT8 {
		buffers += single // what rounding has left over
	}
	return float64(parameter + gradient + optimizer + buffers)
}

// sharding adds what to do where nothing fits.
func sharding(err error) error {
	if !errors.Is(err, ErrMemory) {
		return err
	}
	return fmt.Errorf("%w; shard the model instead: FSDP or ZeRO inside servers, and plan for the servers as nodes", err)
}
