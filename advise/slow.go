package advise

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/batopo/batopo/design"
)

// slowestMeasured is after how many steps differences between nodes are down to 1/e, at worst, in the slowest process
// that was trained with a round after every step: a ring of 32 nodes. A ring of 16 in every 16th step, 320 steps,
// mostly never arrived.
const slowestMeasured = 78

// errSlow says that nodes agree too slowly for the law.
var errSlow = errors.New("how it trains is not predicted")

// agreesIn is after how many rounds, in whole periods, differences between nodes are down to 1/e at worst.
func agreesIn(plan *design.Plan) float64 {
	if plan.RAsym >= 1 {
		return math.Inf(1)
	}
	rounds := float64(len(plan.Rounds))
	return rounds * max(1, math.Ceil(-1/(rounds*math.Log(plan.RAsym))))
}

// hold holds a process to what was measured. The law sees noise fade within some ten steps, so that averaging once in a
// thousand steps is nearly as good to it as once in fifty. What tight caps leave of a schedule can be as slow as that.
func (p *process) hold() error {
	if p.kind != Scheduled {
		return nil
	}
	p.rounds = agreesIn(p.plan)
	if p.slow(1) {
		return fmt.Errorf("%w: a period has %d rounds, and differences between nodes are down to 1/e after %.0f steps at "+
			"the soonest; the slowest trained with a round after every step took %d", errSlow, len(p.plan.Rounds), p.rounds,
			slowestMeasured)
	}
	p.rests = slices.ContainsFunc(p.plan.Rounds, func(r design.Round) bool { return slices.Contains(r.SelfWeights, 1) })
	return nil
}

// slow reports whether a process that is held to what was measured agrees more slowly with a round in every H-th step.
func (p *process) slow(every int) bool { return p.rounds*float64(every) > slowestMeasured }
