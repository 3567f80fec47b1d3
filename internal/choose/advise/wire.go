package advise

import (
	"fmt"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/choose/adamw"
	"github.com/batopo/batopo/internal/train"
)

// half is what is sent in 16 bits where the planner chooses: bf16 has the range of float32, so that no gradient is lost
// or too large, where float16 needs a scaler.
const half = design.BF16

// only32 is the wish for 32 bits, and nothing else.
const only32 design.Wire = "fp32"

// on16 says what numbers of 16 bits change of something that is sent.
func on16(what string, wire design.Wire) string {
	digits := 8
	if wire == design.FP16 {
		digits = 11
	}
	return fmt.Sprintf("In %s %s are rounded to %d significant bits on the way", wire, what, digits)
}

// gradientsOn16 is the same for gradients.
func gradientsOn16(wire design.Wire) string {
	return on16("gradients", wire) + ": the numerics change, and no run of ours measured it"
}

// rounding is what runs say of averages in 16 bits.
func (w *predictor) rounding(p *process) adamw.Rounding {
	if w.table != nil {
		return w.table.Rounding(p.averaging(1).Process)
	}
	return w.model.Rounding.Of(p.changes())
}

// numerics says what 16 bits change, and what that costs.
func (w *predictor) numerics(p *process) string {
	if p.numerics == "" || p.kind.Gradients() {
		return p.numerics
	}
	text := p.numerics + ": "
	if p.plan.Wire == design.FP16 {
		text = p.numerics + ", which no run of ours measured; in bf16 "
	}
	text += w.rounding(p).Text(w.setting.Optimizer == AdamW)
	if p.kind == TwoClocks {
		text += ". So are gradients inside groups, which no run of ours measured"
	}
	return text
}

// rounds reports whether the planner may send numbers of 16 bits in place of longer ones.
func (s Setting) rounds() bool { return !s.Exact && s.Wire == "" && !s.narrow }

// sends is the wire that the user wants, 32 bits where nothing was said.
func (w Wish) sends() design.Wire {
	if w.Wire == only32 {
		return design.FP32
	}
	return w.Wire
}

// rounded is the wire of gradients in 16 bits: the one that the user wants, or that the planner may choose.
func (s Setting) rounded() design.Wire {
	if s.rounds() {
		return half
	}
	return s.sends()
}

// rounded is a process that averages parameters on the wire that the user wants, or with the choice of 16 bits where
// the planner chooses. Hierarchical averaging has no choice: sums inside groups would round the parameters themselves.
func (l *list) rounded(p *process) (*process, error) {
	switch wire := l.setting.sends(); {
	case p.plan == nil || p.kind.Gradients() || p.plan.Wire != design.FP32:
	case wire != design.FP32:
		p = p.on(wire, p.timed() && l.setting.changes())
		return p, p.plan.SetWire(l.c, wire)
	case l.setting.rounds() && p.kind != TwoLevel:
		p.half = p.on(half, p.timed())
	}
	return p, nil
}

// changes reports whether a process averages changes instead of parameters.
func (p *process) changes() bool { return p.plan != nil && p.plan.Average == design.Changes }

// changes reports whether changes can be averaged: quasi-global momentum needs parameters.
func (s Setting) changes() bool { return s.Momentum != train.QuasiGlobal }

// on is a process on another wire. All-reduces of changes are better there: rounded parameters lose small steps.
func (p *process) on(wire design.Wire, changes bool) *process {
	q, plan := *p, *p.plan
	plan.Wire, plan.TimeBound = wire, nil // the bound is about 32 bits
	if changes {
		plan.Average = design.Changes
	}
	plan.Seal()
	q.plan, q.price = &plan, prices(&plan, p.periods)
	q.name, q.text = p.name+", "+string(wire), p.text+", in "+string(wire)
	q.numerics = on16("parameters", wire) + ", at both ends alike, so that the mean of all nodes stays"
	if changes {
		q.numerics = on16("changes since the last average", wire)
	}
	return &q
}
