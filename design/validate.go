package design

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/topology"
)

// Validate refuses a plan that no later code could make sense of: unknown words, parts that speak of different numbers
// of nodes, a cluster or a lift that its own constructor refuses. Whether claims are true is not decided here.
func (p *Plan) Validate() error {
	if err := p.checkWords(); err != nil {
		return err
	}
	if err := p.checkCounts(); err != nil {
		return err
	}
	c, err := cluster.New(p.Cluster)
	if err != nil {
		return fmt.Errorf("the plan's cluster: %w", err)
	}
	if c.Nodes() != p.Nodes {
		return fmt.Errorf("nodes is %d, but the cluster has %d", p.Nodes, c.Nodes())
	}
	if !slices.Equal(p.Names, p.Cluster.Names) {
		return errors.New("names are not those of question.cluster.names; both must name the nodes alike")
	}
	if err := cmp.Or(p.checkSentences(c), p.Answer.check(p.Nodes), p.checkLift()); err != nil {
		return err
	}
	if p.TimeBound != nil {
		if err := p.TimeBound.Validate(p.Nodes); err != nil {
			return err
		}
	}
	return p.checkCertificate()
}

// checkCounts compares the lengths of lists with the number of nodes.
func (p *Plan) checkCounts() error {
	switch {
	case p.Format != PlanFormat:
		return unknownFormat(p.Format)
	case p.Nodes < 2 || p.Nodes > limits.Nodes:
		return fmt.Errorf("nodes is %d; a plan has between 2 and %d", p.Nodes, limits.Nodes)
	case len(p.Names) > 0 && len(p.Names) != p.Nodes:
		return fmt.Errorf("names has %d entries for %d nodes", len(p.Names), p.Nodes)
	case p.MaxEdges < 0 || p.DegreeLimit < 0 || p.Settings.Evaluations < 0:
		return fmt.Errorf("max_edges is %d, max_degree %d, evaluations %d; none may be negative",
			p.MaxEdges, p.DegreeLimit, p.Settings.Evaluations)
	}
	if err := p.checkAveraging(); err != nil {
		return err
	}
	for t, r := range p.Rounds {
		if err := p.checkRound(fmt.Sprintf("rounds[%d].", t), r.Edges, r.SelfWeights); err != nil {
			return err
		}
	}
	return nil
}

func unknownFormat(format string) error {
	return fmt.Errorf("format is %.64q; this program reads %q: make the plan again with the command that made it", format,
		PlanFormat)
}

func (p *Plan) checkRound(at string, edges []PlanEdge, self []float64) error {
	n := p.parties()
	if len(self) != n {
		return fmt.Errorf("%sself_weights has %d entries for %d nodes", at, len(self), n)
	}
	for k, e := range edges {
		if min(e.I, e.J) < 0 || max(e.I, e.J) >= n {
			return fmt.Errorf("%sedges[%d] joins %d and %d; nodes are 0 … %d", at, k, e.I, e.J, n-1)
		}
	}
	return nil
}

// checkWords refuses names that mean nothing.
func (p *Plan) checkWords() error {
	for _, word := range []struct {
		field, got string
		known      []string
	}{
		{"weights", string(p.Sign), []string{string(NonNegative), string(Free)}},
		{"purpose", string(p.Purpose), []string{string(Consensus), string(Training)}},
		{"r_asym_kind", string(p.RAsymKind), []string{string(Proved), string(Estimate)}},
		{"iterations_kind", string(p.IterationsKind), []string{string(Proved), string(Estimate), ""}},
		{"kind", string(p.Kind), []string{string(GossipKind), string(CollectiveKind)}},
		{"order", string(p.Order), []string{string(AdaptThenCombine), string(CombineThenAdapt)}},
		{"objective", string(p.Objective), []string{string(Rate), string(Time), ""}},
		{"stop", string(p.Stop), stopWords()},
	} {
		if !slices.Contains(word.known, word.got) {
			return fmt.Errorf("%s is %q; it must be one of %q", word.field, word.got, word.known)
		}
	}
	return nil
}

func (p *Plan) checkLift() error {
	if p.Lift == nil {
		return nil
	}
	l := p.Lift
	if err := sameNodes(l.Orbits, l.Size, p.Nodes); err != nil {
		return fmt.Errorf("lift: %w", err)
	}
	for k, a := range l.Arcs {
		if a.S < 0 || a.S >= l.Size {
			return fmt.Errorf("lift.arcs[%d].s is %d; shifts are 0 … %d", k, a.S, l.Size-1)
		}
	}
	if _, err := topology.NewLift(l.Orbits, l.Size, l.Arcs); err != nil {
		return fmt.Errorf("lift: %w", err)
	}
	return nil
}

func (p *Plan) checkCertificate() error {
	if p.WeightsBound == nil || p.WeightsBound.Certificate == nil {
		return nil
	}
	c := p.WeightsBound.Certificate
	if err := sameNodes(c.Orbits, c.Size, p.Nodes); err != nil {
		return fmt.Errorf("weights_bound.certificate: %w", err)
	}
	if err := c.Validate(); err != nil {
		return fmt.Errorf("weights_bound: %w", err)
	}
	return nil
}

// sameNodes compares orbits·size with n; the product of what a file says may overflow.
func sameNodes(orbits, size, n int) error {
	if orbits < 1 || size < 1 || orbits > n || size > n || orbits*size != n {
		return fmt.Errorf("%d orbits of size %d are not the %d nodes of the plan", orbits, size, n)
	}
	return nil
}
