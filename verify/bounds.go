package verify

import (
	"errors"
	"fmt"
	"sync"

	"github.com/batopo/batopo/design"
)

// bounds rechecks the proved lower bounds and the gaps to them.
func (k *check) bounds() {
	p := k.plan
	k.weightsBound()
	k.roundsBound()
	k.timeBound()
	posed := [2]func() (limits, error){
		sync.OnceValues(func() (limits, error) { return k.posed(func(c capacities) []int { return c.roomy }) }),
		sync.OnceValues(func() (limits, error) { return k.posed(func(c capacities) []int { return c.tight }) }),
	}
	even := posed
	for t := range even {
		even[t] = func() (limits, error) {
			l, err := posed[t]()
			if err != nil {
				return l, err
			}
			most := design.EvenDegree(p.MaxEdges, p.Nodes)
			if p.MaxDegree > most {
				return l, fmt.Errorf("it speaks of degrees up to %d, the plan has %d", most, p.MaxDegree)
			}
			return l.capped(most)
		}
	}
	k.bound("bound", p.Bound, posed)
	k.gap("gap", p.Gap, p.Bound)
	k.bound("degree_bound", p.DegreeBound, even)
	k.gap("degree_gap", p.DegreeGap, p.DegreeBound)
}

// bound checks that the named argument proves the value within the limits of the problem,
// and that the plan itself does not contradict it. Limits are those that the question has at most, and at least: what
// is proved within the first holds, what is not even proved within the second is false.
func (k *check) bound(claim string, b *design.Bound, within [2]func() (limits, error)) {
	if b == nil {
		return
	}
	proved, err := k.proved(claim, b, within[0])
	holds := err == nil && b.RAsym <= proved+design.ClaimTolerance
	if !holds && !errors.Is(err, errTooLarge) && k.open() {
		if most, tight := k.proved(claim, b, within[1]); tight == nil && b.RAsym <= most+design.ClaimTolerance {
			err = errOpen
		}
	}
	if errors.Is(err, errTooLarge) || errors.Is(err, errOpen) {
		k.unproved(claim, b.RAsym, err.Error())
		k.notBelow(claim, b.RAsym)
		return
	}
	if err != nil {
		k.holds(claim, false, err.Error())
		return
	}
	f := Finding{Claim: claim, Status: OK, Claimed: b.RAsym, Recomputed: proved, Tolerance: design.ClaimTolerance}
	if !holds {
		f.Status, f.Detail = False, fmt.Sprintf("the argument %q proves less for this problem", b.Kind)
	}
	k.add(f)
	k.notBelow(claim, b.RAsym)
}

// open reports whether it is not known how many edges the resources of the question may carry.
func (k *check) open() bool {
	if k.cluster.Homogeneous() || k.plan.MaxEdges == 0 {
		return false
	}
	c, err := k.capacities()
	return err == nil && !c.known()
}

var errOpen = errors.New("it holds if resources carry as few edges as they may in this question, which is not proved")

// proved returns what the argument of b proves, at least if that is as much as b says.
func (k *check) proved(claim string, b *design.Bound, within func() (limits, error)) (float64, error) {
	p := k.plan
	switch {
	case p.WhyNoBound() != "":
		return 0, errors.New(p.WhyNoBound())
	case b.Kind == design.CertificateBound && claim == "bound" && p.MaxEdges == 0 && p.DegreeLimit == 0:
		if p.WeightsBound == nil || p.WeightsBound.RAsym != b.RAsym {
			return 0, fmt.Errorf("a bound of kind %q repeats weights_bound; this one does not", b.Kind)
		}
		if k.found("weights_bound") == Unproved {
			return 0, errTooLarge
		}
		return b.RAsym, b.Validate() // weightsBound checks the value
	case b.Kind == design.CertificateBound:
		return 0, errors.New("a certificate is about the plan's own edges, not about every graph within " +
			"the limits of the question")
	case p.MaxEdges == 0:
		return 0, fmt.Errorf("the question names no edge budget, so only the plan's own weights can be bounded, by kind %q",
			design.CertificateBound)
	}
	l, err := within()
	if err != nil {
		return 0, err
	}
	argue, err := l.argument(b)
	if err != nil {
		return 0, err
	}
	return argue(b.RAsym), nil
}

// notBelow rejects a plan that is better than what it calls impossible: one of the two is false.
func (k *check) notBelow(claim string, bound float64) {
	name, value := k.plan.Quality()
	k.holds(name+" is not below "+claim, value >= bound-design.ClaimTolerance, fmt.Sprintf("%s is %.12g, the bound %.12g",
		name, value, bound))
}

// gap checks value/bound − 1. It is null where the bound is not positive, and may be where it is no more than rounding.
func (k *check) gap(claim string, claimed *float64, b *design.Bound) {
	_, value := k.plan.Quality()
	meaningful := b != nil && b.RAsym > 0
	switch {
	case claimed == nil && (!meaningful || b.RAsym <= design.ClaimTolerance):
	case claimed == nil:
		k.holds(claim, false, "it is missing, although there is a bound")
	case !meaningful:
		k.holds(claim, false, "there is no positive bound to compare with")
	default:
		ratio := value / b.RAsym
		k.number(claim, *claimed, ratio-1, design.ClaimTolerance*ratio)
	}
}
