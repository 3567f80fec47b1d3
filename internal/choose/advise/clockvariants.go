package advise

import (
	"math"

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
	case p.ways != nil || p.unknown != nil:
		return p.ways, p.unknown
	}
	for _, a := range w.measured(p) {
		switch s, err := w.table.Steps(a); {
		case err == nil:
			p.ways = append(p.ways, way{a, s})
		case p.unknown == nil:
			p.unknown = err
		}
	}
	if len(p.ways) > 0 {
		p.unknown = nil
	}
	return p.ways, p.unknown
}

// clockVariants lists an all-reduce with all clocks that the table knows.
func (w *predictor) clockVariants(p *process, price priced, s scene, limitMS float64) (out []variant, err error) {
	ways, err := w.ways(p)
	if err != nil {
		return nil, err
	}
	var first *cost.Process
	enough := math.MaxInt // from this H on averages cost nothing, and fewer of them only cost steps
	for _, k := range ways {
		plain := k.Averaging.Like(adamw.Averaging{Bits: p.bits(), Pieces: p.pieces() > 1}.Tidy())
		if plain && k.Every > enough || hopeless(k.High, s.compute, limitMS) {
			continue
		}
		if k.Synchronous > 0 && first == nil {
			if first, err = cost.Synchronous(s.c, p.plan.Wire.OfGradients().Share()); err != nil {
				return nil, err
			}
		}
		v, err := w.clocked(p, price, k, first, s.compute, limitMS)
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

// clocked predicts what a process with certain clocks is ranked by; first averages gradients of all nodes.
func (w *predictor) clocked(p *process, price priced, k way, first *cost.Process, compute *cost.Draws,
	limitMS float64) (variant, error) {
	between := k.Every / p.pieces()
	now := iterations{waits: price.waits.Running(between, k.Delay)}
	late := iterations{waits: price.slower().Running(between, k.Delay)}
	if k.Synchronous > 0 {
		now.first, now.share = first, k.Synchronous
		late.first, late.share = first.Slower(SlowerLinks), k.Synchronous
	}
	g := guess{epochs: k.Ratio, deviation: math.Log(k.High / k.Ratio), pessimistic: k.High, steps: k.Steps}
	v, err := w.predict(p, price, g, k.Every, now, late, compute, limitMS)
	clocks := p.clocksOf(k, w.setting.Steps)
	v.Text, v.Clocks = v.Text+k.Clocks(), &clocks
	return v, err
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
