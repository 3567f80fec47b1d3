package design

import (
	"context"
	"fmt"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/mixing"
)

// FromSchedule describes matrices and nothing else: a plan that makes no claims and names no cluster, for exports
// of a W that was never priced.
func FromSchedule(s *mixing.Schedule) *Plan {
	p := &Plan{Format: PlanFormat, Nodes: s.Nodes()}
	p.setMatrices(s)
	p.RoundMS = make([]float64, len(s.Rounds))
	return p
}

// setMatrices fills in who averages with whom, what that says about the weights, and the hash.
func (p *Plan) setMatrices(s *mixing.Schedule) {
	p.Kind, p.Every, p.Order = GossipKind, 1, AdaptThenCombine
	p.Directed, p.Sign = s.Directed(), NonNegative
	for _, w := range s.Rounds {
		if !w.Nonnegative() {
			p.Sign = Free
		}
		p.Rounds = append(p.Rounds, Round{1, planEdges(w, p.Directed), w.Self()})
	}
	p.Hash = p.ComputeHash()
}

// Schedule returns the plan's matrices over time and what their rounds cost: one round for a static plan, one period
// otherwise.
func (p *Plan) Schedule() (*mixing.Schedule, error) {
	rounds, err := p.Matrices()
	if err != nil {
		return nil, err
	}
	return &mixing.Schedule{Name: p.Method, Rounds: rounds, RoundMS: p.RoundMS}, nil
}

// NewSchedulePlan describes a time-varying plan: one period of matrices. One round is a static plan.
func NewSchedulePlan(ctx context.Context, c *cluster.Cluster, s *mixing.Schedule) (*Plan, error) {
	if s.Static() {
		spectrum, err := s.Rounds[0].Spectrum(ctx)
		if err != nil {
			return nil, err
		}
		return NewPlan(ctx, c, s.Rounds[0], spectrum)
	}
	p := blank(c)
	rate, err := s.Rate(ctx)
	if err != nil {
		return nil, err
	}
	p.setMatrices(s)
	p.RAsym, p.MaxDegree = rate, s.MaxDegree()
	for t, w := range s.Rounds {
		round, err := cost.Gossip(c, w)
		if err != nil {
			return nil, fmt.Errorf("round %d: %w", t, err)
		}
		p.RoundMS = append(p.RoundMS, round.CommunicationMS)
		if round.MinEdgeGBs > 0 && (p.MinEdgeGBs == 0 || round.MinEdgeGBs < p.MinEdgeGBs) {
			p.MinEdgeGBs = round.MinEdgeGBs
		}
	}
	p.CommunicationMS = slices.Max(p.RoundMS)
	k, ok, err := s.Iterations(ctx, p.TargetError)
	if err != nil {
		return nil, err
	}
	if ok {
		p.Iterations, p.TimeMS = k, TimeOfRounds(p.RoundMS, k)
	} else {
		p.Notes = append(p.Notes, neverReached(p.RAsym))
	}
	return p, nil
}

// TimeOfRounds is how long the first k rounds take, of a schedule whose period has these times. Billions of rounds take
// no longer to add up than one, and lose no digits.
func TimeOfRounds(period []float64, k int) (ms float64) {
	for t, round := range period {
		times := k / len(period)
		if t < k%len(period) {
			times++
		}
		ms += float64(times) * round
	}
	return ms
}

// neverReached says why rounds that each leave this part of the consensus error never reach the target.
func neverReached(left float64) string {
	if left > 1+mixing.NearUnity {
		return "never reaches the target: the error grows from round to round"
	}
	return "never reaches the target: some nodes cannot agree"
}
