package verify

import (
	"fmt"

	"github.com/batopo/batopo/design"
)

// A proof says how large a bound one argument proves: the largest, or, where only single values can be
// refuted, any proved number that is not below the claim.
type proof func(claimed float64) float64

func closedForm(value float64) proof { return func(float64) float64 { return value } }

// argument returns the proof that a bound names, within limits. docs/bounds.md derives each.
func (l limits) argument(b *design.Bound) (proof, error) {
	kind := b.Kind
	if err := checkNumbers(b); err != nil {
		return nil, err
	}
	switch kind {
	case "complete":
		return closedForm(l.anyGraph()), nil
	case "tree":
		if l.edges != l.nodes-1 || l.nodes < 3 {
			return nil, fmt.Errorf("the argument %q needs a budget of n − 1 edges and 3 nodes; here are %d and %d", kind, l.edges, l.nodes)
		}
		return closedForm(l.tree()), nil
	case "ring":
		if l.largest() > 2 || l.nodes < 3 {
			return nil, fmt.Errorf("the argument %q needs degrees of at most 2 and 3 nodes; here are %d and %d", kind, l.largest(), l.nodes)
		}
		return closedForm(l.ring()), nil
	case "cut":
		if len(l.cuts) == 0 {
			return nil, fmt.Errorf("the argument %q needs a resource that every edge out of some part must pass; the cluster has none", kind)
		}
		return closedForm(l.cut()), nil
	case "ball":
		return closedForm(l.ball(b.Order)), nil
	case "two-step":
		return l.refuting(func(v float64) bool { return l.refutedByTwoSteps(b.Gamma, v) }), nil
	case "walk":
		if l.signed {
			return nil, fmt.Errorf("the argument %q holds only where weights are not negative", kind)
		}
		return l.refuting(func(v float64) bool { return l.refutedByWalks(b, v) }), nil
	}
	return nil, fmt.Errorf("kind %q is unknown, so nothing is proved", kind)
}

// hasOrder says whether order is a polynomial degree that the argument knows; 0 where there is no polynomial.
func hasOrder(kind string, order int) bool {
	switch kind {
	case "ball":
		return order >= 1
	case "two-step":
		return order == 2
	case "walk":
		return order == 3 || order == 4
	}
	return order == 0
}

// checkNumbers checks the order and the numbers that an argument leaves free: those of other arguments are 0, and
// none is so large that rounding could pass for a proof.
func checkNumbers(b *design.Bound) error {
	if !hasOrder(b.Kind, b.Order) {
		return fmt.Errorf("the argument %q has no order %d", b.Kind, b.Order)
	}
	free := [4]struct {
		name               string
		value, least, most float64
	}{{name: "gamma", value: b.Gamma}, {name: "eta", value: b.Eta}, {name: "theta", value: b.Theta}, {name: "tau", value: b.Tau}}
	switch {
	case b.Kind == "two-step":
		free[0].most = 2
	case b.Kind == "walk" && b.Order == 3:
		free[1].least, free[1].most = -1, 1e9
	case b.Kind == "walk":
		free[2].least, free[2].most = -2, 1
		free[3].most = 1
	}
	for _, f := range free {
		if f.least == f.most && f.value != 0 {
			return fmt.Errorf("%s is %v; the argument %q has no such number", f.name, f.value, b.Kind)
		}
		if !(f.value >= f.least && f.value <= f.most) {
			return fmt.Errorf("%s is %v; the argument %q needs it between %v and %v", f.name, f.value, b.Kind, f.least, f.most)
		}
	}
	return nil
}

// refuting makes a proof of a way to refute values: refutes(v) says that no W within the limits has value v or less.
func (l limits) refuting(refutes func(v float64) bool) proof {
	return func(claimed float64) float64 {
		// Rounding decides at the claim itself, so the check is made where the claim's tolerance ends.
		if claimed < 1 && refutes(claimed-boundTolerance) {
			return claimed
		}
		lowest := 0.0
		if l.lowest != nil {
			lowest = *l.lowest
		}
		return bisect(lowest, min(1, max(claimed, lowest)), refutes)
	}
}
