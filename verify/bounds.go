package verify

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/verify/internal/question"
)

// limitsFunc computes the limits of a question, or says why there are none.
type limitsFunc = func() (question.Limits, error)

// bounds rechecks the proved lower bounds and the gaps to them.
func (k *check) bounds() {
	p := k.plan
	k.weightsBound()
	k.timeBound()
	within := func(choose func(question.Capacities) []int) limitsFunc {
		return sync.OnceValues(func() (question.Limits, error) { return k.posed(choose) })
	}
	posed := [2]limitsFunc{
		within(func(c question.Capacities) []int { return c.Roomy }),
		within(func(c question.Capacities) []int { return c.Tight }),
	}
	even := posed
	for t := range even {
		even[t] = func() (question.Limits, error) {
			l, err := posed[t]()
			if err != nil {
				return l, err
			}
			most := design.EvenDegree(p.MaxEdges, p.Nodes)
			if p.MaxDegree > most {
				return l, fmt.Errorf("it speaks of degrees up to %d, the plan has %d", most, p.MaxDegree)
			}
			return l.Capped(most)
		}
	}
	k.bound("bound", p.Bound, posed)
	k.gap("gap", p.Gap, p.Bound)
	k.bound("degree_bound", p.DegreeBound, even)
	k.gap("degree_gap", p.DegreeGap, p.DegreeBound)
}

// posed derives the limits of the problem that the plan answers from what the plan says was
// asked: its settings, its cluster, its setting and its smallest eigenvalue. Capacities are chosen from those that the
// question may have.
func (k *check) posed(choose func(question.Capacities) []int) (question.Limits, error) {
	p := k.plan
	asked := design.Problem{Cluster: k.cluster, MaxEdges: p.MaxEdges, MaxDegree: p.DegreeLimit, Objective: p.Objective,
		Purpose: p.Purpose, Sign: p.Sign, MinEigenvalue: p.MinEigenvalue}
	if err := asked.Validate(); err != nil {
		return question.Limits{}, err
	}
	l := question.Limits{Nodes: p.Nodes, Edges: p.MaxEdges, Degrees: slices.Repeat([]int{p.Nodes - 1}, p.Nodes),
		Signed: p.Sign == design.Free, Lowest: p.MinEigenvalue}
	if !k.cluster.Homogeneous() {
		c, err := k.capacities()
		if err != nil {
			return question.Limits{}, err
		}
		if k.cluster.PerNode() {
			copy(l.Degrees, choose(c))
		} else {
			all, err := k.routes()
			if err != nil {
				return question.Limits{}, err
			}
			l.Routes = all.Within(choose(c))
			l.Degrees, l.Cuts = l.Routes.Degrees(), l.Routes.Cuts()
		}
	}
	slices.Sort(l.Degrees)
	most := l.Nodes - 1
	if p.DegreeLimit > 0 {
		most = min(most, p.DegreeLimit)
	}
	return l.Capped(most)
}

// bound checks that the named argument proves the value within the limits of the problem,
// and that the plan itself does not contradict it. Limits are those that the question has at most, and at least: what
// is proved within the first holds, what is not even proved within the second is false.
func (k *check) bound(claim string, b *design.Bound, within [2]limitsFunc) {
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
	return err == nil && !c.Known()
}

var errOpen = errors.New("it holds if resources carry as few edges as they may in this question, which is not proved")

// proved returns what the argument of b proves, at least if that is as much as b says.
func (k *check) proved(claim string, b *design.Bound, within limitsFunc) (float64, error) {
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
	argue, err := l.Argument(b)
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
