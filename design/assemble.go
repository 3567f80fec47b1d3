package design

import (
	"context"
	"math"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/cost"
	"github.com/batopo/batopo/mixing"
)

// NewPlan describes a static W on a cluster: what it costs there and how fast it
// averages. The caller adds how the plan was found and what is proved about it.
func NewPlan(ctx context.Context, c *cluster.Cluster, w *mixing.Matrix, s mixing.Spectrum) (*Plan, error) {
	round, err := cost.Gossip(c, w)
	if err != nil {
		return nil, err
	}
	p := blank(c)
	p.setMatrices(mixing.Static(w))
	p.RAsym = s.RAsym
	if s.Estimated {
		p.RAsymKind, p.IterationsKind = Estimate, Estimate
	}
	if s.Symmetric {
		p.Lambda2, p.LambdaN = &s.Lambda2, &s.LambdaN
	}
	p.MaxDegree = slices.Max(w.Degrees())
	p.MinEdgeGBs, p.CommunicationMS, p.RoundMS = round.MinEdgeGBs, round.CommunicationMS, []float64{round.CommunicationMS}
	k, ok, err := s.Iterations(ctx, p.TargetError)
	if err != nil {
		return nil, err
	}
	if ok {
		p.Iterations, p.TimeMS = k, float64(k)*round.CommunicationMS
	} else {
		p.Notes = append(p.Notes, neverReached(p.RAsym))
	}
	return p, nil
}

// blank holds what every plan on a cluster shares.
func blank(c *cluster.Cluster) *Plan {
	m := c.Model()
	return &Plan{
		Format: PlanFormat, Nodes: c.Nodes(), Names: c.Spec().Names,
		Question:   Question{Cluster: c.Spec(), Purpose: Consensus, TargetError: m.TargetError},
		Claims:     Claims{RAsymKind: Proved, IterationsKind: Proved, ComputeMS: m.ComputeMS},
		Provenance: Provenance{Stop: Constructed},
	}
}

// SetBound records what is proved about the problem as posed.
func (p *Plan) SetBound(b *Bound) { p.Bound, p.Gap = b, p.gapTo(b) }

// SetDegreeBound records what is proved under the plan's maximum degree.
func (p *Plan) SetDegreeBound(b *Bound) { p.DegreeBound, p.DegreeGap = b, p.gapTo(b) }

// Quality is the number that bounds speak about, and its name in a plan: λ₂ under a limit on the spectrum, r_asym
// otherwise.
func (p *Plan) Quality() (name string, value float64) {
	if p.MinEigenvalue != nil && p.Lambda2 != nil {
		return "lambda_2", *p.Lambda2
	}
	return "r_asym", p.RAsym
}

// MeetsBound reports whether nothing better exists, because the plan attains what is proved about the problem.
func (p *Plan) MeetsBound() bool {
	if b := p.TimeBound; b != nil && b.SpeaksOf(p) && p.Iterations > 0 && p.TimeMS <= b.MS*(1+Attained) {
		return true
	}
	_, value := p.Quality()
	return p.Bound != nil && value-p.Bound.RAsym <= Attained*math.Abs(p.Bound.RAsym)
}

// gapTo is value/bound − 1, or nil where that means nothing: a bound that may be all rounding is no measure.
func (p *Plan) gapTo(b *Bound) *float64 {
	if b == nil || b.RAsym <= ClaimTolerance {
		return nil
	}
	_, value := p.Quality()
	g := value/b.RAsym - 1
	return &g
}
