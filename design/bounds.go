package design

import (
	"fmt"
	"math"
)

// A Certainty says how sure a number is.
type Certainty string

// Proved numbers come with an argument that verify repeats; estimates do not.
const (
	Proved   Certainty = "proved"
	Estimate Certainty = "estimate"
)

// A BoundKind names the argument that proves a bound. docs/research/bounds.md derives each.
type BoundKind string

// The arguments. All but the last are about every graph within the limits of the question.
const (
	CompleteBound    BoundKind = "complete"    // not even the complete graph does better
	TreeBound        BoundKind = "tree"        // the budget admits only trees
	RingBound        BoundKind = "ring"        // the degrees admit only rings and paths
	CutBound         BoundKind = "cut"         // few edges can leave some part of the nodes
	GatewayBound     BoundKind = "gateway"     // what passes between two parts passes few nodes
	BallBound        BoundKind = "ball"        // few nodes can be reached in Order steps
	TwoStepBound     BoundKind = "two-step"    // the entries of W²
	WalkBound        BoundKind = "walk"        // closed walks that retrace their edges
	CertificateBound BoundKind = "certificate" // repeats the plan's weights_bound: only weights were asked for
)

// A Bound proves that no plan within the limits it names has a smaller r_asym.
type Bound struct {
	RAsym  float64   `json:"r_asym"`
	Kind   BoundKind `json:"kind"`   // which argument; verify repeats it
	Detail string    `json:"detail"` // in words
	// Order is the degree of the polynomial that the argument uses; 0 where it uses none.
	Order int `json:"order,omitempty"`
	// The numbers that an argument leaves free, with the names of docs/research/bounds.md. Any choice
	// gives a proof, these give the value, so that a reader need not search again.
	Gamma float64 `json:"gamma,omitempty"` // two-step
	Eta   float64 `json:"eta,omitempty"`   // walk of order 3
	Theta float64 `json:"theta,omitempty"` // walk of order 4
	Tau   float64 `json:"tau,omitempty"`   // walk of order 4
	Alpha float64 `json:"alpha,omitempty"` // gateway
	Beta  float64 `json:"beta,omitempty"`  // gateway
	// Groups and Together say between which parts the gateways of the argument "gateway" are: around the one group
	// that is named, or around some Together of groups of one size that hold all nodes.
	Groups   [][]int `json:"groups,omitempty"`
	Together int     `json:"together,omitempty"`
}

// mostStep is more than any step of a useful test vector of the argument "gateway".
const mostStep = 1e3

// Validate checks the order and the numbers that an argument leaves free: those of other arguments are 0, and
// none is so large that rounding could pass for a proof.
func (b *Bound) Validate() error {
	if !b.Kind.hasOrder(b.Order) {
		return fmt.Errorf("the argument %q has no order %d", b.Kind, b.Order)
	}
	if b.Kind != GatewayBound && (b.Groups != nil || b.Together != 0) {
		return fmt.Errorf("the argument %q has no groups", b.Kind)
	}
	free := [6]struct {
		name               string
		value, least, most float64
	}{{name: "gamma", value: b.Gamma}, {name: "eta", value: b.Eta}, {name: "theta", value: b.Theta}, {name: "tau",
		value: b.Tau}, {name: "alpha", value: b.Alpha}, {name: "beta", value: b.Beta}}
	switch {
	case b.Kind == TwoStepBound:
		free[0].most = 2
	case b.Kind == WalkBound && b.Order == 3:
		free[1].least, free[1].most = -1, 1e9
	case b.Kind == WalkBound:
		free[2].least, free[2].most = -2, 1
		free[3].most = 1
	case b.Kind == GatewayBound:
		free[4].most, free[5].most = mostStep, mostStep
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

// hasOrder says whether order is a polynomial degree that the argument knows; 0 where there is no polynomial.
func (k BoundKind) hasOrder(order int) bool {
	switch k {
	case BallBound:
		return order >= 1
	case TwoStepBound:
		return order == 2
	case WalkBound:
		return order == 3 || order == 4
	}
	return order == 0
}

// EvenDegree is the largest degree where edges are spread evenly over nodes: what a plan's degree bound is about.
func EvenDegree(edges, nodes int) int { return (2*edges + nodes - 1) / nodes }

// A WeightBound proves that no weights on the plan's edges give a smaller value.
type WeightBound struct {
	RAsym       float64      `json:"r_asym"` // a bound on λ₂ when the certificate has a smallest eigenvalue
	Certificate *Certificate `json:"certificate"`
}

// WhyNoBound says in a sentence why no bound on r_asym can be stated for the plan; empty where one can.
func (p *Plan) WhyNoBound() string {
	switch {
	case !p.Static():
		return "a schedule may average exactly, so no r_asym above 0 is excluded"
	case p.Directed:
		return "every argument needs a symmetric W, and this plan is directed"
	}
	return ""
}

// FewestRounds is a lower bound on the rounds that any plan, static or time-varying, directed or not, takes to
// the target error, if every node hears from at most `peers` others in a round. After k rounds a row of the product
// P of the matrices has at most B = (1 + peers)ᵏ entries that are not 0, and they sum to 1. So ‖P − J‖_F² =
// ‖P‖_F² − 1 ≥ n/B − 1.
func FewestRounds(nodes, peers int, target float64) int {
	reached, rounds := 1.0, 0
	for float64(nodes) > reached*(1+target*target)*(1+ClaimTolerance) {
		if peers < 1 {
			return math.MaxInt
		}
		reached *= float64(1 + peers)
		rounds++
	}
	return max(rounds, 1)
}

// Heard is how many nodes every node must have heard of before the error can be down to the target: a row with B
// entries that are not 0 sums to 1, so it is off by 1/B − 1/n at least, squared and summed.
func Heard(nodes int, target float64) int {
	n := float64(nodes)
	return min(nodes, int(math.Ceil(n/(1+n*target*target)*(1-ClaimTolerance))))
}
