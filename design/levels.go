package design

import (
	"context"
	"errors"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/mixing"
)

// NewTwoLevelPlan describes hierarchical gossip: nodes average exactly inside groups of one size, and the rounds of s
// are among the groups. Member m of each group exchanges the m-th part of the message.
func NewTwoLevelPlan(ctx context.Context, c *cluster.Cluster, groups [][]int, s *mixing.Schedule) (*Plan, error) {
	if len(groups) != s.Nodes() {
		return nil, errors.New("there must be as many groups as the rounds have nodes")
	}
	p := blank(c)
	p.Inside = &Inside{Groups: groups}
	if err := p.checkInside(); err != nil {
		return nil, err
	}
	p.setMatrices(s)
	if err := p.setAgreement(ctx, s); err != nil {
		return nil, err
	}
	return p, p.setCosts(c)
}

// setAgreement says how fast the groups agree, and with them the nodes: an all-reduce inside leaves what the groups
// disagree about, and adds eigenvalues 0.
func (p *Plan) setAgreement(ctx context.Context, s *mixing.Schedule) (err error) {
	var reached bool
	if s.Static() {
		spectrum, err := s.Rounds[0].Spectrum(ctx)
		if err != nil {
			return err
		}
		p.RAsym = spectrum.RAsym
		if spectrum.Estimated {
			p.RAsymKind, p.IterationsKind = Estimate, Estimate
		}
		if spectrum.Symmetric {
			second, lowest := spectrum.Lambda2, spectrum.LambdaN
			if len(p.Inside.Groups[0]) > 1 {
				second, lowest = max(second, 0), min(lowest, 0)
			}
			p.Lambda2, p.LambdaN = &second, &lowest
		}
		p.Iterations, reached, err = spectrum.Iterations(ctx, p.TargetError)
		if err != nil {
			return err
		}
	} else {
		if p.RAsym, err = s.Rate(ctx); err != nil {
			return err
		}
		if p.Iterations, reached, err = s.Iterations(ctx, p.TargetError); err != nil {
			return err
		}
	}
	if !reached {
		p.Iterations = 0
		p.Notes = append(p.Notes, neverReached(p.RAsym))
	}
	return nil
}
