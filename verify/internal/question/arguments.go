package question

import (
	"fmt"

	"github.com/batopo/batopo/design"
)

// A Proof says how large a bound one argument proves: the largest, or, where only single values can be
// refuted, any proved number that is not below the claim.
type Proof func(claimed float64) float64

func closedForm(value float64) Proof { return func(float64) float64 { return value } }

// Argument returns the proof that a bound names, within limits. docs/research/bounds.md derives each.
func (l Limits) Argument(b *design.Bound) (Proof, error) {
	kind := b.Kind
	if err := b.Validate(); err != nil {
		return nil, err
	}
	switch kind {
	case design.CompleteBound:
		return closedForm(l.anyGraph()), nil
	case design.TreeBound:
		if l.Edges != l.Nodes-1 || l.Nodes < 3 {
			return nil, fmt.Errorf("the argument %q needs a budget of n − 1 edges and 3 nodes; here are %d and %d",
				kind, l.Edges, l.Nodes)
		}
		return closedForm(l.tree()), nil
	case design.RingBound:
		if l.largest() > 2 || l.Nodes < 3 {
			return nil, fmt.Errorf("the argument %q needs degrees of at most 2 and 3 nodes; here are %d and %d",
				kind, l.largest(), l.Nodes)
		}
		return closedForm(l.ring()), nil
	case design.CutBound:
		if len(l.Cuts) == 0 {
			return nil, fmt.Errorf("the argument %q needs a resource that every edge out of some part must "+
				"pass; the cluster has none", kind)
		}
		return closedForm(l.cut()), nil
	case design.GatewayBound:
		value, err := l.gateway(b)
		return closedForm(value), err
	case design.BallBound:
		return closedForm(l.ball(b.Order)), nil
	case design.TwoStepBound:
		return l.refuting(func(v float64) bool { return l.refutedByTwoSteps(b.Gamma, v) }), nil
	case design.WalkBound:
		if l.Signed {
			return nil, fmt.Errorf("the argument %q holds only where weights are not negative", kind)
		}
		return l.refuting(func(v float64) bool { return l.refutedByWalks(b, v) }), nil
	}
	return nil, fmt.Errorf("kind %q is unknown, so nothing is proved", kind)
}

// refuting makes a proof of a way to refute values: refutes(v) says that no W within the limits has value v or less.
func (l Limits) refuting(refutes func(v float64) bool) Proof {
	return func(claimed float64) float64 {
		// Rounding decides at the claim itself, so the check is made where the claim's tolerance ends.
		if claimed < 1 && refutes(claimed-design.ClaimTolerance) {
			return claimed
		}
		lowest := 0.0
		if l.Lowest != nil {
			lowest = *l.Lowest
		}
		return bisect(lowest, min(1, max(claimed, lowest)), refutes)
	}
}
