package advise

import (
	"cmp"
	"fmt"
	"math"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/choose/correct"
	"github.com/batopo/batopo/internal/choose/gpu"
	"github.com/batopo/batopo/internal/train"
)

// A Norm is the kind of normalisation layers of the network.
type Norm string

// The norms that the convergence model knows.
const (
	BatchNorm Norm = "batch"
	GroupNorm Norm = "group"
)

// An Optimizer is what turns gradients into steps.
type Optimizer = cluster.Optimizer

// The optimizers that runs were made with: AdamW with a GPT, SGD with ResNet-18.
const (
	AdamW = cluster.AdamW
	SGD   = cluster.SGD
)

// A Setting is what is trained, as far as runs tell about it. The zero value means no skew, local momentum, batch norm.
type Setting struct {
	Optimizer Optimizer      // "": see On
	Steps     int            // of the whole job; 0: not known
	Skew      float64        // α of Dirichlet class shares per node; 0: every node sees the same mix
	Momentum  train.Momentum // "" means local
	Norm      Norm           // "" means batch norm
	Seed      uint64         // of the searches for good orders of the nodes and for schedules

	// MaxEdges and MaxDegree, where positive, are the most pairs of nodes that may talk and the most others a node may
	// talk to. They hold for graphs and, over a period, for schedules.
	MaxEdges, MaxDegree int

	// Trial is what was measured on the machines; nil: nothing.
	Trial *correct.Correction

	gpu.Memory
	Wish

	narrow bool // gradients have 16 bits already: see On
}

// WithDefaults fills in what was left open. Doing it again changes nothing.
func (s Setting) WithDefaults() Setting {
	if s.Optimizer == "" && (s.Skew != 0 || s.Momentum == train.QuasiGlobal || s.Norm == GroupNorm) {
		s.Optimizer = SGD // only runs with SGD tell about these
	}
	if s.Momentum == "" {
		s.Momentum = train.Local
	}
	if s.Norm == "" {
		s.Norm = BatchNorm
	}
	return s
}

// On takes from a description what was not asked for: the optimizer, the memory of its GPUs, and whether 16 bits can
// make a gradient shorter.
func (s Setting) On(c *cluster.Cluster) Setting {
	s = s.WithDefaults()
	s.Optimizer = cmp.Or(s.Optimizer, c.Model().Optimizer)
	s.GPUGB = cmp.Or(s.GPUGB, gpu.CardGB(c.Spec().GPU))
	const bytes16 = 2
	s.narrow = c.Model().GradientBytes == bytes16
	return s
}

// Validate complains about what the convergence model has no words for.
func (s Setting) Validate() error {
	s = s.WithDefaults()
	if err := s.Wish.validate(); err != nil {
		return err
	}
	if err := s.Timing.validate(s); err != nil {
		return err
	}
	if err := s.Memory.Validate(); err != nil {
		return err
	}
	const least, most = 1e-3, 10 // below nodes see one class each, above all see the same mix
	switch {
	case s.Optimizer != "" && s.Optimizer != AdamW && s.Optimizer != SGD:
		return fmt.Errorf("optimizer is %q; runs were made with %q and %q", s.Optimizer, AdamW, SGD)
	case s.Optimizer == AdamW && (s.Momentum == train.QuasiGlobal || s.Norm == GroupNorm):
		return fmt.Errorf("momentum is %q and norm %q; runs with AdamW tell nothing about that: leave them out, or choose "+
			"the optimizer %q", s.Momentum, s.Norm, SGD)
	case s.Steps < 0:
		return fmt.Errorf("steps is %d; say how many steps the job takes, or 0 if that is not known", s.Steps)
	case s.Steps > 0 && s.Optimizer == SGD:
		return fmt.Errorf("steps is %d; what is known of SGD is in epochs and does not depend on it: leave it out", s.Steps)
	case s.Skew != 0 && !(s.Skew >= least && s.Skew < most) || math.IsNaN(s.Skew):
		return fmt.Errorf("skew is %v; α of the Dirichlet distribution must be from %v to below %v, or 0 for no skew",
			s.Skew, least, most)
	case s.Momentum != train.Local && s.Momentum != train.QuasiGlobal:
		return fmt.Errorf("momentum is %q; runs were made with %q and %q", s.Momentum, train.Local, train.QuasiGlobal)
	case s.Norm != BatchNorm && s.Norm != GroupNorm:
		return fmt.Errorf("norm is %q; runs were made with %q and %q", s.Norm, BatchNorm, GroupNorm)
	}
	return nil
}

// features are those of the setting alone.
func (s Setting) features() Features {
	var f Features
	if s.Skew > 0 {
		f.Skew = SkewOf(s.Skew)
	}
	if s.Momentum == train.QuasiGlobal {
		f.Quasi = 1
	}
	if s.Norm == GroupNorm {
		f.Group = 1
	}
	return f
}
