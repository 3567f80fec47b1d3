package advise

import (
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/format/trial"
	"github.com/batopo/batopo/internal/choose/correct"
	"github.com/batopo/batopo/internal/cost"
)

// kindTried is the kind of process that a way of the trial is; batopo's all-reduce is one in 16 bits too.
func kindTried(w correct.Way) Kind {
	switch {
	case w.Kind == trial.DDP:
		return DDP
	case w.Kind == trial.HalfDDP:
		return HalfDDP
	case w.Kind == trial.Alone:
		return Alone
	case w.Kind == trial.Hook || w.Plan.Synchronous():
		return Hook
	}
	return KindOf(w.Plan)
}

// tried is the way of the trial that is most like a process with a round after every H steps: of its kind, and with as
// many steps where one has. What it took longer than is predicted for it, others of its kind take longer too.
func (s Setting) tried(p *process, every int) (w correct.Way, ok bool) {
	kind := p.kind
	switch {
	case kind == HalfHook:
		kind = Hook
	case kind == Accumulated && p.bits() == 16: // averages as DistributedDataParallel does
		kind = HalfDDP
	case kind == Accumulated:
		kind = DDP
	}
	if s.Trial == nil || kind == Alone {
		return w, false
	}
	best := -1
	for _, way := range s.Trial.Ways {
		like := 0
		if way.Plan != nil && way.Plan.Every == every {
			like++
		}
		if way.Plan != nil && way.Plan.Wire.Bits() == p.bits() {
			like++
		}
		if kindTried(way) == kind && like > best {
			w, best = way, like
		}
	}
	return w, best >= 0
}

// bucketTried is the size of the buckets of a way.
func bucketTried(w correct.Way) float64 {
	if w.Plan == nil || w.Plan.BucketMB == 0 {
		return cost.BucketMB
	}
	return w.Plan.BucketMB
}

// excess is how much longer than predicted an iteration takes, since the way most like it did; what a round takes
// longer is paid once in H steps.
func (s Setting) excess(p *process, every int) float64 {
	way, ok := s.tried(p, every)
	if !ok {
		return 0
	}
	ms := way.MeasuredMS - way.AfterMS
	if way.Plan != nil {
		ms *= float64(way.Plan.Every)
	}
	return ms / float64(every)
}

// measured is what the trial took with just what a candidate runs.
func (s Setting) measured(c Candidate) (ms float64, ok bool) {
	if s.Trial == nil || !c.usual() || c.Accumulate > 1 {
		return 0, false
	}
	plan := c.runnable()
	for _, way := range s.Trial.Ways {
		library := way.Plan == nil && kindTried(way) == c.Kind && c.BucketMB == bucketTried(way)
		if library || way.Plan != nil && plan != nil && runs(way) == plan.Hash {
			return way.MeasuredMS, true
		}
	}
	return 0, false
}

// runs is the hash of the plan that a way ran; DistributedDataParallel runs its all-reduce for gradients.
func runs(w correct.Way) string {
	plan := *w.Plan
	if w.Kind == trial.Hook {
		plan.Clocks = design.Clocks{Average: design.Gradients, Wire: plan.Wire, BucketMB: plan.BucketMB}
	}
	return plan.ComputeHash()
}
