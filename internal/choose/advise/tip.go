package advise

import (
	"context"
	"math"

	"github.com/batopo/batopo/internal/train"
)

// A Tip says what quasi-global momentum would gain where local momentum was asked for.
type Tip struct {
	Winner Candidate // what would be run with it
	Gain   float64   // how many times as fast as what is recommended, to the same accuracy
	Error  float64   // the factor by which the convergence model may be wrong about that
}

// mostForTips limits nodes: whether nodes drift apart is found by simulating each process.
const mostForTips = 64

// tip compares the same processes with quasi-global momentum. It returns nil unless the convergence model predicts more
// than its error, or where that would cost much.
func (d *decider) tip(ctx context.Context) *Tip {
	s, model := d.w.setting, d.w.model
	if s.Optimizer != SGD || s.Momentum != train.Local || d.here.c.Nodes() > mostForTips || ctx.Err() != nil {
		return nil
	}
	local := s.features()
	s.Momentum = train.QuasiGlobal
	worthMS := d.now.PredictedMS / math.Exp(model.between(local, s.features())) // what is recommended, in such iterations
	// What the convergence model says of the momentum itself is no surer than what it says of anything else.
	variance := square(d.now.Deviation) + square(model.error(local.Skew, 0))
	other := *d
	other.w = newPredictor(model, s)
	// A candidate ranked above this, on the bad side of its own error, does not gain as much as that.
	limitMS := worthMS * SlowerLinks
	winner, ok := other.winner(d.here, limitMS*(1+simplerWithin))
	if !ok || winner.Kind.Gradients() {
		return nil // nothing gains so much, or can be run at all; DDP has no such momentum
	}
	out := &Tip{Winner: winner, Gain: worthMS / winner.PredictedMS,
		Error: math.Exp(math.Sqrt(variance + square(winner.Deviation)))}
	if !(out.Gain > out.Error) {
		return nil
	}
	return out
}

// between is ln of the epochs of exact averaging in one setting over those in another, by the terms that no process has
// a part in.
func (l *Convergence) between(from, to Features) (log float64) {
	for _, t := range l.Terms {
		log += t.Coefficient * (product(to, t.Product) - product(from, t.Product))
	}
	return log
}
