package search

import (
	"context"
	"math"

	"github.com/batopo/batopo/internal/ground/workers"
	"github.com/batopo/batopo/internal/solve/weights"
)

// rounds returns how many rounds a candidate needs until the target with the best weights for that, and whether no
// weights on its edges are known to need fewer; 0 where that is not known.
func (p Problem) rounds(ctx context.Context, c *Solution) (rounds int, proved bool, err error) {
	s := weights.Settings{Sign: p.Sign, MinEigenvalue: p.MinEigenvalue}
	var r *weights.RoundsResult
	if c.Lift != nil {
		r, err = weights.SolveLiftRounds(ctx, *c.Lift, c.ArcWeights, p.Target, s)
	} else {
		r, err = weights.SolveRounds(ctx, c.Graph, c.Weights, p.Target, s)
	}
	if err != nil {
		return 0, false, err
	}
	return r.Rounds, r.Bound != nil && r.Bound.Rounds == r.Rounds, nil
}

// enough is the value that a graph must have for fewer rounds than these: ‖Wᵏ − J‖_F ≥ r_asymᵏ.
func (p Problem) enough(rounds int) float64 {
	if rounds < 2 {
		return 0
	}
	return math.Pow(p.Target, 1/float64(rounds-1))
}

// runnersUp is how many candidates are compared by their rounds. They lie close together by value, and each
// costs a few solves.
const runnersUp = 6

// soonest returns the candidate that needs the fewest rounds of the polished best one and the best others. It looks at
// up to limit of them at the same time.
func (p *Portfolio) soonest(ctx context.Context, best *Solution, limit int) (*Solution, error) {
	least, _, err := p.problem.rounds(ctx, best)
	if err != nil || least == 0 {
		return best, err
	}
	others := p.pool[min(1, len(p.pool)):min(len(p.pool), runnersUp)]
	for k, c := range others {
		if c.Value(p.problem) > p.problem.enough(least) {
			others = others[:k] // so are all that come after it
			break
		}
	}
	counts := make([]counted, len(others))
	workers.Each(limit, len(others), func(k int) { counts[k] = p.problem.count(ctx, others[k]) })
	for k, c := range counts {
		if ctx.Err() != nil || others[k].Value(p.problem) > p.problem.enough(least) {
			break
		}
		if c.err != nil {
			return nil, c.err
		}
		if 0 < c.rounds && c.rounds < least {
			best, least = c.polished, c.rounds
		}
	}
	return best, nil
}

// counted is what became of a candidate whose rounds were counted.
type counted struct {
	polished *Solution
	rounds   int // 0: not known
	err      error
}

func (p Problem) count(ctx context.Context, c *Solution) (out counted) {
	if ctx.Err() != nil {
		return out
	}
	if out.polished, out.err = Polish(ctx, p, c); out.err == nil {
		out.rounds, _, out.err = p.rounds(ctx, out.polished)
	}
	return out
}
