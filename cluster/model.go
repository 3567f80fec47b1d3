package cluster

import (
	"cmp"
	"math"
)

// A DType says in which numbers a model is trained.
type DType string

// FP32 holds everything in 32 bits and BF16 in 16. Mixed has gradients in 16 and a copy of the parameters in 32.
const (
	FP32  DType = "fp32"
	Mixed DType = "mixed"
	BF16  DType = "bf16"
)

// An Optimizer is what turns gradients into steps.
type Optimizer string

// The optimizers that runs were made with: AdamW with a GPT, SGD with ResNet-18.
const (
	AdamW Optimizer = "adamw"
	SGD   Optimizer = "sgd"
)

// A Backend is what torch.distributed communicates with.
type Backend string

// NCCL runs on GPUs, Gloo on anything.
const (
	NCCL Backend = "nccl"
	Gloo Backend = "gloo"
)

// Model holds what is sent and what it is for.
type Model struct {
	MessageMB     float64   // size of what neighbours exchange in a round
	ComputeMS     float64   // computation between two rounds of training
	TargetError   float64   // consensus error that counts as done
	Parameters    float64   // how many
	GradientBytes float64   // of a number of a gradient
	DType         DType     // never empty
	Optimizer     Optimizer // as stated, or as assumed
}

const (
	single, half = 4, 2 // bytes of a number
	megabyte     = 1e6
)

// bytes is what a number of a gradient has where nothing else follows from the sizes.
func (d DType) bytes() float64 {
	if d == Mixed || d == BF16 {
		return half
	}
	return single
}

// model fills in what was left out. The message is the gradients, so parameters and their type give its size.
func (s Spec) model() Model {
	said := ModelSpec{}
	if s.Model != nil {
		said = *s.Model
	}
	value := func(p *float64, other float64) float64 {
		if p != nil {
			return *p
		}
		return other
	}
	m := Model{ComputeMS: value(said.ComputeMS, PaperComputeMS), TargetError: value(said.TargetError, PaperTarget),
		DType: cmp.Or(said.DType, FP32), Optimizer: cmp.Or(said.Optimizer, s.usualOptimizer()),
		GradientBytes: said.DType.bytes()}
	switch {
	case said.Parameters == nil:
		m.MessageMB = value(said.MessageMB, PaperMessageMB)
		m.Parameters = m.MessageMB * megabyte / m.GradientBytes
	case said.MessageMB == nil:
		m.Parameters = *said.Parameters
		m.MessageMB = m.Parameters * m.GradientBytes / megabyte
	default:
		m.Parameters, m.MessageMB = *said.Parameters, *said.MessageMB
		if m.DType == Mixed && near(m.MessageMB*megabyte, single*m.Parameters) {
			m.GradientBytes = single
		}
	}
	return m
}

// usualOptimizer is AdamW, which most people train with. Where the description says nothing about the size of the
// model, the paper's ResNet-18 is assumed, which SGD trains.
func (s Spec) usualOptimizer() Optimizer {
	if s.Model == nil || s.Model.MessageMB == nil && s.Model.Parameters == nil {
		return SGD
	}
	return AdamW
}

// near reports whether sizes agree; buffers and layers that are not trained make a difference.
func near(x, y float64) bool {
	const most = 0.1
	return math.Abs(x-y) <= most*y
}

// checkModel complains about words that mean nothing, and about sizes that do not fit together.
func (c *Cluster) checkModel(check *checker) {
	m := c.model
	check.within("model.message_mb", m.MessageMB, messageSpan)
	check.within("model.compute_ms", m.ComputeMS, computeSpan)
	check.within("model.target_error", m.TargetError, targetSpan)
	switch b := c.spec.Backend; b {
	case "", NCCL, Gloo:
	default:
		check.complain("backend", "is %q; it must be %q or %q", shorten(string(b)), NCCL, Gloo)
	}
	if c.spec.GPU != "" {
		check.name("gpu", c.spec.GPU)
	}
	said := c.spec.Model
	if said == nil {
		return
	}
	if m.DType != FP32 && m.DType != Mixed && m.DType != BF16 {
		check.complain("model.dtype", "is %q; it must be %q, %q or %q", shorten(string(m.DType)), FP32, Mixed, BF16)
	}
	if m.Optimizer != AdamW && m.Optimizer != SGD {
		check.complain("model.optimizer", "is %q; runs were made with %q and %q", shorten(string(m.Optimizer)), AdamW, SGD)
	}
	if said.Parameters == nil {
		return
	}
	check.within("model.parameters", m.Parameters, parametersSpan)
	if fit := m.Parameters * m.GradientBytes / megabyte; said.MessageMB != nil && !near(m.MessageMB, fit) {
		check.complain("model.message_mb", "is %v, but %s parameters have gradients of %.6g MB in %s; leave one of them out",
			m.MessageMB, Count(m.Parameters), fit, m.DType)
	}
}

// Backend is what torch.distributed communicates with: as stated, or else NCCL, since nearly all training is on GPUs.
func (c *Cluster) Backend() Backend { return cmp.Or(c.spec.Backend, NCCL) }

// WithModel returns the cluster with what is not empty here in place of what its description says.
func (c *Cluster) WithModel(parameters float64, dtype DType, backend Backend) (*Cluster, error) {
	if parameters == 0 && dtype == "" && backend == "" {
		return c, nil
	}
	spec, model := c.Spec(), ModelSpec{}
	spec.Format = FormatV2
	if spec.Model != nil {
		model = *spec.Model
	}
	spec.Backend, model.DType = cmp.Or(backend, spec.Backend), cmp.Or(dtype, model.DType)
	if parameters != 0 {
		model.Parameters = &parameters
	}
	if spec.Model != nil || parameters != 0 || dtype != "" {
		spec.Model = &model
	}
	return New(spec)
}
