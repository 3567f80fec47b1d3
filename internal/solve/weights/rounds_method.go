package weights

import (
	"context"
	"math"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/weights/internal/matrix"
	"github.com/batopo/batopo/internal/solve/weights/internal/schatten"
	"github.com/batopo/batopo/topology"
)

// A roundsMethod minimises the Schatten norm N of W − J over the weights of a lift by a primal-dual interior-point
// method: Newton steps on the optimality conditions with a barrier, shortened until the barrier function falls. A
// limit W ⪰ μI has a barrier of its own.
type roundsMethod struct {
	barrier
	lift topology.Lift
	norm *schatten.Norm

	descent []float64 // −∇N
	resist  []float64 // −(gradient of −strength·log det(W − μI)), the pull of its multiplier on arcs
	trial   []float64

	order    float64 // p = 2k
	strength float64 // of the barrier
	value    float64 // N at x
	taken    float64 // length of the last step
	// decrement is what the last step was to gain, next to the strength: Newton's method is fast where it is small.
	decrement float64

	aim    float64 // the question is whether N can be this small; 0 where only the least N is wanted
	margin float64 // by how much, relatively, a proof must exceed the aim: others who recheck it round differently
	proof  roundsProof
}

func newRoundsMethod(l topology.Lift, p *program) *roundsMethod {
	w := &roundsMethod{lift: l, norm: schatten.New(l)}
	w.prepare(p, 0)
	for _, f := range []*[]float64{&w.descent, &w.resist, &w.trial} {
		matrix.Resize(f, p.vars)
	}
	w.proof.prepare(p, l)
	return w
}

// degree is how many inequalities there are.
func (w *roundsMethod) degree() float64 {
	d := len(w.low) + len(w.price)
	if w.p.floored {
		d += w.lift.Nodes() - 1
	}
	return float64(d)
}

const (
	// firstStrength is the barrier's first share of what N can be away from its least value, which is about N/p.
	firstStrength = 0.1
	// boundary is how much of the way to the nearest limit a step may go.
	boundary = 0.99
	// roundsTolerance is the relative accuracy of N at which a question that is still open stays so.
	roundsTolerance = 1e-10
	// gainLeft is how small what is left to gain must be next to what was gained beyond the aim.
	gainLeft        = 0.1
	mostNewtonSteps = 200
)

// begin takes the strictly feasible weights in x as the start of a minimisation of order 2k.
func (w *roundsMethod) begin(rounds int, aim float64) bool {
	w.order, w.aim = 2*float64(rounds), aim
	w.margin = 2 * design.RoundsRounding(rounds, w.lift.Nodes())
	w.proof.bound, w.taken = math.Inf(-1), 0
	w.p.room(w.slack, w.x)
	if !w.evaluate() {
		return false
	}
	w.strength = firstStrength * w.value / w.order / max(1, w.degree())
	for k := range w.low {
		w.low[k] = w.strength / w.x[k]
	}
	for i := range w.price {
		w.price[i] = w.strength / w.slack[i]
	}
	return true
}

// evaluate computes N, its gradient and what the multipliers prove at x.
func (w *roundsMethod) evaluate() bool {
	if !w.norm.Evaluate(w.x, w.order) || w.norm.Size == 0 || w.p.floored && w.norm.Low <= w.p.floor {
		return false
	}
	w.value = w.norm.Value()
	w.norm.Descent(w.descent)
	return true
}

// run improves x until N is known to reach the aim or not to reach it, or as far as rounding allows. Where the aim is
// reached it goes on until little is left to gain.
func (w *roundsMethod) run(ctx context.Context) design.Stop {
	for range mostNewtonSteps {
		w.resistFloor()
		w.prove()
		left := w.left()
		switch {
		case w.aim > 0 && w.proof.bound > w.aim*(1+w.margin):
			return design.Rejected
		case left <= roundsTolerance*w.value, w.value <= w.aim && left <= gainLeft*(w.aim-w.value):
			return design.Converged
		case ctx.Err() != nil:
			return design.Interrupted
		}
		w.weaken()
		if !w.step() {
			return design.Stalled
		}
	}
	return design.BudgetSpent
}

// left is how far N can be from its least value: by proof, or by the strength of the barrier where x minimises that.
func (w *roundsMethod) left() float64 {
	left := w.value - w.proof.bound
	if w.p.floored && w.centred() {
		left = min(left, w.strength*w.degree())
	}
	return left
}

// resistFloor computes the pull of the floor's multiplier.
func (w *roundsMethod) resistFloor() {
	clear(w.resist)
	if w.p.floored {
		w.norm.Resist(w.resist, w.p.floor, w.strength)
	}
}
