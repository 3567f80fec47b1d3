package design

import (
	"context"
	"fmt"
	"slices"

	"batopo/cluster"
	"batopo/mixing"
)

// FromSchedule describes matrices and nothing else: a plan that makes no claims and names no cluster, for exports
// of a W that was never priced.
func FromSchedule(s *mixing.Schedule) *Plan {
	p := &Plan{Format: PlanFormat, Nodes: s.Nodes()}
	p.setMatrices(s)
	return p
}

// setMatrices fills in who averages with whom, what that says about the weights, and the hash.
func (p *Plan) setMatrices(s *mixing.Schedule) {
	p.Directed, p.Setting = s.Directed(), FMMC
	for _, w := range s.Rounds {
		if !w.Nonnegative() {
			p.Setting = FDLA
		}
		p.Rounds = append(p.Rounds, PlanRound{Edges: planEdges(w, p.Directed), SelfWeights: w.Self()})
	}
	if s.Static() {
		p.Edges, p.SelfWeights, p.Rounds = p.Rounds[0].Edges, p.Rounds[0].SelfWeights, nil
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
	s := &mixing.Schedule{Name: p.Method, Rounds: rounds, RoundMS: []float64{p.CommunicationMS}}
	if len(p.Rounds) > 0 {
		s.RoundMS = nil
	}
	for _, r := range p.Rounds {
		s.RoundMS = append(s.RoundMS, r.CommunicationMS)
	}
	return s, nil
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
	roundMS := make([]float64, len(s.Rounds))
	for t, w := range s.Rounds {
		round, err := c.Round(w)
		if err != nil {
			return nil, fmt.Errorf("round %d: %w", t, err)
		}
		roundMS[t] = round.CommunicationMS
		if t == 0 || round.MinEdgeGBs < p.MinEdgeGBs {
			p.MinEdgeGBs = round.MinEdgeGBs
		}
	}
	p.CommunicationMS = slices.Max(roundMS)
	for t := range p.Rounds {
		p.Rounds[t].CommunicationMS = roundMS[t]
	}
	k, ok, err := s.Iterations(ctx, p.TargetError)
	if err != nil {
		return nil, err
	}
	if ok {
		p.Iterations = k
		for t := range k {
			p.TimeMS += roundMS[t%len(roundMS)]
		}
	} else {
		p.Notes = append(p.Notes, neverReached)
	}
	return p, nil
}

const neverReached = "never reaches the target: some nodes cannot agree"
