package search

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/batopo/batopo/topology"
)

// A quench anneals a wiring under the barrier of its resolvents: moves that crowd
// the spectrum at the ends of an interval around it become ever rarer, while the interval itself
// closes in. Eigenvalues are computed only a few times, to reset the interval.
type quench struct {
	w      *wiring
	r      *resolvents
	rng    *rand.Rand
	ruler  *ruler
	deltas []float64

	narrowest []topology.Arc // the least relative spread seen where the interval was set
	ratio     float64        // its smallest over its largest eigenvalue
	pulse     func()         // called where the interval is set; may be nil
}

// The schedule was chosen on n = 40 … 150, degrees 4 … 8 and shapes of 3 … n orbits: best
// and median value after optimal weights over 8 seeds.
const (
	quenchStages = 60   // how often the interval is set
	wideMargin   = 0.1  // of the interval around the spectrum, at first and
	closeMargin  = 0.03 // at last, relative to the middle
	hotQuantile  = 0.3  // of increases of the barrier that is accepted with probability 1/e at first
	coldFactor   = 0.03 // last temperature relative to the first
	askEvery     = 256  // evaluations between two looks at the context, by the way
	probes       = 300  // moves drawn to find the first temperature
)

func newQuench(f *frame, rng *rand.Rand) *quench {
	return &quench{w: newWiring(f), r: newResolvents(f.orbits, f.size), rng: rng, ruler: newRuler(f), ratio: math.Inf(-1)}
}

// run anneals until the budget is spent. The last wiring is then in w. A warm start leaves out
// the first part of the schedule, which would undo what the start is good for.
func (q *quench) run(ctx context.Context, budget *meter, warm bool) {
	hot := 0.0
	var m move
	first := 0
	if warm {
		first = quenchStages * 6 / 10
	}
	stages := quenchStages - first
	for stage := range stages {
		if ctx.Err() != nil || stage > 0 && !budget.left() {
			break
		}
		if q.pulse != nil {
			q.pulse()
		}
		done := float64(first+stage) / quenchStages
		q.set(wideMargin*math.Pow(closeMargin/wideMargin, done), budget)
		if hot == 0 {
			hot = q.probe()
		}
		temperature := hot * math.Pow(coldFactor, done)
		for budget.spent*stages < (stage+1)*budget.limit {
			budget.spent++
			if budget.spent%askEvery == 0 && ctx.Err() != nil {
				break
			}
			if !q.w.propose(q.rng, &m) {
				continue
			}
			delta := q.r.barrier(&m)
			budget.chargeTests(q.r.looked)
			if delta <= temperature*q.rng.ExpFloat64() {
				q.r.apply(&m)
				q.w.apply(&m)
				budget.chargeUpdate(q.r, m.count)
			}
		}
	}
	q.keep()
}

// set chooses the interval around the spectrum of the wiring.
func (q *quench) set(margin float64, budget *meter) {
	budget.chargeSpectrum(q.r)
	low, high := q.keep()
	middle := (low + high) / 2
	for !q.r.set(q.w, low-margin*middle, high+margin*middle) {
		margin *= 2 // the ends were computed by other means; only rounding can lead here
	}
}

// keep computes the ends of the spectrum and remembers the wiring if it is the best so far.
func (q *quench) keep() (low, high float64) {
	low, high = q.ruler.ends(q.w)
	if low/high > q.ratio && q.w.missing() == 0 {
		q.ratio = low / high
		q.narrowest = append(q.narrowest[:0], q.w.arcs...)
	}
	return low, high
}

// probe returns an increase of the barrier that is small among those of random moves.
func (q *quench) probe() float64 {
	q.deltas = q.deltas[:0]
	var m move
	for range probes {
		if q.w.propose(q.rng, &m) {
			if d := q.r.barrier(&m); d > 0 {
				q.deltas = append(q.deltas, d)
			}
		}
	}
	if len(q.deltas) == 0 {
		return 0
	}
	slices.Sort(q.deltas)
	for i := int(hotQuantile * float64(len(q.deltas))); i >= 0; i-- {
		if !math.IsInf(q.deltas[i], 0) {
			return q.deltas[i]
		}
	}
	return 0
}
