package weights

import (
	"context"
	"math"
	"slices"

	"github.com/batopo/batopo/design"
)

// A quest looks for the least number of rounds.
type quest struct {
	w        *roundsMethod
	target   float64
	settings Settings
}

// run asks for one round less than the best weights need until that is proved impossible or stays open.
func (q *quest) run(ctx context.Context, r *RoundsResult, inside []float64) {
	w := q.w
	given, ok := q.count(r.Weights)
	// Weights of least λ₂ under W ⪰ μI, μ near −1, may all but oscillate forever.
	if plain, better := q.count(inside); better && (!ok || plain < given) {
		given, ok = plain, true
		copy(r.Weights, inside)
	}
	if !ok {
		r.Stop = design.Breakdown
		return
	}
	r.Rounds = given
	q.enter(r.Weights, inside, given)
	for r.Rounds > 1 {
		if !w.begin(r.Rounds-1, q.aim(r.Rounds-1)) {
			r.Stop = design.Breakdown
			return
		}
		r.Stop = w.run(ctx)
		fewer, ok := q.count(w.x)
		if !ok || fewer >= r.Rounds {
			break
		}
		r.Rounds = fewer
		copy(r.Weights, w.x)
		if w.p.floored {
			q.enter(r.Weights, inside, fewer)
		}
	}
	if r.Rounds == 1 {
		r.Bound = &design.RoundsBound{Rounds: 1}
		r.Stop = design.Converged
	} else if r.Stop == design.Rejected {
		r.Bound = &design.RoundsBound{Rounds: r.Rounds, Certificate: q.certificate()}
		r.Stop = design.Converged
	}
	if r.Rounds < given {
		q.finish(ctx, r)
	}
}

// aim is the norm that means k rounds.
func (q *quest) aim(k int) float64 { return math.Pow(q.target, 1/float64(k)) }

// enter writes the given weights to x, moved a little inside all limits: by less than what the norm of that order
// notices much.
func (q *quest) enter(weights, inside []float64, rounds int) {
	share := min(0.05, 0.5/float64(rounds))
	for k, g := range weights {
		q.w.x[k] = (1-share)*g + share*inside[k]
	}
}

// count returns the first k with ‖Wᵏ − J‖_F ≤ target, with a margin so that others who count agree.
func (q *quest) count(weights []float64) (rounds int, ok bool) {
	s := q.w.norm
	if !s.Evaluate(weights, 2) || s.Size >= 1 {
		return 0, false
	}
	if s.Size == 0 {
		return 1, true
	}
	most := 1.0
	reached := func(k float64) bool {
		sum := s.PowerSum(2 * k) // of λ/largest
		return math.Log(sum)/2+k*math.Log(s.Size) <= math.Log(q.target)-countMargin*k
	}
	for !reached(most) {
		most *= 2
		if most > mostRounds {
			return 0, false
		}
	}
	least := most / 2 // not enough, or 1/2
	for most-least > 1 {
		if mid := math.Floor((least + most) / 2); reached(mid) {
			most = mid
		} else {
			least = mid
		}
	}
	return int(most), true
}

const (
	countMargin = 1e-10
	mostRounds  = 1 << 40
)

// finish minimises the error after r.Rounds rounds and drops the weights that are as good as 0.
func (q *quest) finish(ctx context.Context, r *RoundsResult) {
	w := q.w
	if w.begin(r.Rounds, 0) && w.run(ctx) != design.Breakdown {
		if k, ok := q.count(w.x); ok && k <= r.Rounds {
			copy(r.Weights, w.x)
		}
	}
	if w.p.limited {
		q.tidy(r)
	}
}

// tidy sets weights to 0 that are below a level and below their multipliers, as far as that costs no round.
func (q *quest) tidy(r *RoundsResult) {
	for _, level := range zeroLevels {
		trial := slices.Clone(r.Weights)
		for k, low := range q.w.low {
			if trial[k] < min(level, low) {
				trial[k] = 0
			}
		}
		if k, ok := q.count(trial); ok && k <= r.Rounds {
			r.Weights = trial
			return
		}
	}
}

// certificate writes down what was proved last.
func (q *quest) certificate() *design.RoundsCertificate {
	p := &q.w.proof
	return &design.RoundsCertificate{Sign: q.settings.Sign, MinEigenvalue: copied(q.settings.MinEigenvalue),
		Weights: slices.Clone(p.weights), Prices: slices.Clone(p.prices), Floor: p.floor}
}
