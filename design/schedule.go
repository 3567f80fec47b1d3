package design

import (
	"context"
	"fmt"
	"slices"

	"batopo/cluster"
	"batopo/mixing"
)

// NewSchedulePlan describes a time-varying plan: one period of matrices.
func NewSchedulePlan(ctx context.Context, c *cluster.Cluster, s *mixing.Schedule) (*Plan, error) {
	p := blank(c)
	rate, err := s.Rate(ctx)
	if err != nil {
		return nil, err
	}
	p.RAsym = rate
	for _, w := range s.Rounds {
		p.Directed = p.Directed || w.Directed()
		if !w.Nonnegative() {
			p.Setting = FDLA
		}
	}
	for t, w := range s.Rounds {
		round, err := c.Round(w)
		if err != nil {
			return nil, fmt.Errorf("round %d: %w", t, err)
		}
		p.Rounds = append(p.Rounds, PlanRound{planEdges(w, p.Directed), w.Self(), round.CommunicationMS})
		p.MaxDegree = max(p.MaxDegree, slices.Max(w.Degrees()))
		p.CommunicationMS = max(p.CommunicationMS, round.CommunicationMS)
		if t == 0 || round.MinEdgeGBs < p.MinEdgeGBs {
			p.MinEdgeGBs = round.MinEdgeGBs
		}
	}
	k, ok, err := s.Iterations(ctx, p.TargetError)
	if err != nil {
		return nil, err
	}
	if ok {
		p.Iterations = k
		for t := range k {
			p.TimeMS += p.Rounds[t%len(p.Rounds)].CommunicationMS
		}
	} else {
		p.Notes = append(p.Notes, "never reaches the target: some nodes cannot agree")
	}
	p.Hash = p.ComputeHash()
	return p, nil
}
