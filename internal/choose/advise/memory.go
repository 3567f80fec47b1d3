package advise

import (
	"errors"
	"fmt"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/gpu"
)

// ErrMemory says that something does not fit into a GPU.
var ErrMemory = errors.New("it does not fit")

// fits complains about a process that needs more than a GPU has.
func (s Setting) fits(p *process, c *cluster.Cluster) error {
	if s.GPUGB == 0 {
		return nil
	}
	if p.half != nil && s.fits(p.half, c) != nil {
		p.half = nil
	}
	return s.holds(p, c)
}

// holds is the same, and leaves the process alone.
func (s Setting) holds(p *process, c *cluster.Cluster) error {
	need := s.NeedsGB(c, s.job(p.kind, p.plan, p.shards))
	if s.GPUGB == 0 || need <= s.GPUGB {
		return nil
	}
	return fmt.Errorf("%w: parameters, gradients, optimizer and buffers need %.3g GB without activations, of %.3g GB",
		ErrMemory, need, s.GPUGB)
}

func (s Setting) job(kind Kind, plan *design.Plan, shards *Sharding) gpu.Job {
	j := gpu.Job{AdamW: s.Optimizer == AdamW, Gradients: kind.Gradients(), Alone: kind == Alone, Among: shards.Among()}
	if plan != nil {
		j.Changes, j.Wire = plan.Average == design.Changes, plan.Wire
	}
	return j
}

// NeedsGB is what the answer needs of every GPU, without activations.
func (a *Advice) NeedsGB(c *cluster.Cluster) float64 {
	r := a.Recommended
	return a.Setting.NeedsGB(c, a.Setting.job(r.Kind, r.Plan, r.Shards))
}
