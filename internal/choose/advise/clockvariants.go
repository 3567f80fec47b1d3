package advise

import (
	"math"
	"slices"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/adamw"
	"github.com/batopo/batopo/internal/cost"
)

// ClockIntervals are the numbers of steps from one all-reduce to the next that are looked at with AdamW.
var ClockIntervals = []int{1, 2, 4, 8, 16, 32, 64, 128, 256, 512}

// A way is what the table says about clocks that a process may have.
type way struct {
	adamw.Averaging
	adamw.Steps
}

// ways are the clocks of a process that something is known about, or why there are none.
func (w *predictor) ways(p *process) ([]way, error) {
	switch {
	case w.setting.Skew > 0:
		return nil, adamw.Unmeasured("averages of parameters were not run under skew")
	case p.ways != nil:
		return p.ways, nil
	}
	var unknown error
	for _, a := range w.measured(p) {
		switch s, err := w.table.Steps(a); {
		case err == nil:
			p.ways = append(p.ways, way{a, s})
		case unknown == nil:
			unknown = err
		}
	}
	if len(p.ways) == 0 {
		return nil, unknown
	}
	return p.ways, nil
}

// clockVariants lists an all-reduce with all clocks that the table knows.
func (w *predictor) clockVariants(p *process, price priced, s scene, limitMS float64) (out []variant, err error) {
	ways, err := w.ways(p)
	if err != nil {
		return nil, err
	}
	var together *cost.Process
	slower := price.waits.Slower(SlowerLinks)
	enough := math.MaxInt // from this H on averages cost nothing, and fewer of them only cost steps
	for _, k := range ways {
		plain := k.Averaging.Like(adamw.Averaging{Bits: p.bits(), Pieces: p.pieces() > 1}.Tidy())
		if plain && k.Every > enough || w.hopelessly(k, s.compute, limitMS) {
			continue
		}
		if k.Synchronous > 0 && together == nil {
			if together, err = cost.Synchronous(s.c, p.plan.Wire.OfGradients().Share()); err != nil {
				return nil, err
			}
		}
		v, err := w.clocked(p, price, k, slower, together, s.compute, limitMS)
		if err != nil {
			return nil, err
		}
		out, limitMS = append(out, v), min(limitMS, v.PessimisticMS)
		if free, err := w.hidden(v, s.compute); err != nil {
			return nil, err
		} else if plain && free {
			enough = min(enough, k.Every)
		}
	}
	return out, nil
}

// hopelessly reports whether clocks are well above a limit although nobody waits for anything but the slowest node.
func (w *predictor) hopelessly(k way, compute *cost.Draws, limitMS float64) bool {
	return slices.Max(compute.Compute.MS)*k.High > wellAbove*limitMS
}

// clocked predicts what a process with certain clocks is ranked by; slower is over slower links, together averages
// gradients of all nodes.
func (w *predictor) clocked(p *process, price priced, k way, slower, together *cost.Process, compute *cost.Draws,
	limitMS float64) (variant, error) {
	between := k.Every / p.pieces()
	v := variant{waits: price.waits.Running(between, k.Delay), compute: compute, Candidate: Candidate{
		Name: p.name, Text: p.text + k.Clocks(), Kind: p.kind, Every: k.Every, Order: design.AdaptThenCombine,
		CommunicationMS: price.meanMS, LongestMS: price.longestMS, Bottleneck: price.bottleneck,
		Epochs: k.Ratio, Deviation: math.Log(k.High / k.Ratio), Rate: k.Rate, Source: k.Source, RunParameters: k.Parameters,
		RunLength: k.Steps.Length,
		Plan:      p.plan, Meeting: p.meeting.every(k.Every), special: p.special, Numerics: w.numerics(p),
	}}
	late := variant{waits: slower.Running(between, k.Delay)}
	if k.Synchronous > 0 {
		v.together, v.share = together, k.Synchronous
		late.together, late.share = together.Slower(SlowerLinks), k.Synchronous
	}
	clocks := p.clocksOf(k, w.setting.Steps)
	v.Clocks = &clocks
	v.excess = w.setting.excess(p, k.Every)
	ms, rough, err := w.below(limitMS/k.High-v.excess, late.waits, compute)
	if err == nil && late.share > 0 {
		ms, err = late.mean(compute)
		rough = false
	}
	ms = atLeast(ms+v.excess, compute)
	v.lateMS, v.rough, v.PessimisticMS = ms, rough, ms*k.High
	return v, err
}

// mean is how long an iteration takes: over all steps, where the first ones are synchronous.
func (v variant) mean(compute *cost.Draws) (float64, error) {
	ms, err := v.waits.MeanOver(compute, 0)
	if err != nil || v.share == 0 {
		return ms, err
	}
	first, err := v.together.MeanOver(compute, 0)
	return v.share*first + (1-v.share)*ms, err
}

// clocksOf adds the delay, outer optimizer and synchronous start of a way to the plan's clocks.
func (p *process) clocksOf(k way, steps int) design.Clocks {
	c := p.plan.Clocks
	c.DelaySteps = k.Delay
	if k.OuterRate > 0 {
		c.Average, c.Outer = design.Changes, &design.Outer{LearningRate: k.OuterRate, Momentum: k.OuterMomentum}
	}
	if k.Synchronous > 0 {
		first := int(math.Round(k.Synchronous * float64(steps)))
		c.Phases = []design.TrainingPhase{{Steps: max(1, first)}, {Every: k.Every, Delay: k.Delay}}
	}
	return c
}
