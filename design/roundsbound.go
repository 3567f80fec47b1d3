package design

import (
	"errors"
	"fmt"
	"math"
)

// A RoundsBound proves that no weights on the plan's edges reach the target error in fewer rounds.
type RoundsBound struct {
	Rounds int `json:"rounds"`
	// Certificate is missing where Rounds is 1, which needs no proof.
	Certificate *RoundsCertificate `json:"certificate,omitempty"`
}

// A RoundsCertificate shows that one round less is not enough. With k = Rounds − 1 and λ the eigenvalues of W besides
// the all-ones vector's, N = (Σ λ^{2k})^{1/2k} = ‖Wᵏ − J‖_F^{1/k} is a norm of W − J. Let W₀ be the matrix of Weights
// and Y = (W₀ − J)^{2k−1}. By Hölder's inequality every W with weights g on the edges satisfies
//
//	N(W)·‖Y‖ ≥ ⟨Y, W − J⟩ = tr Y − Σ g_k aₖᵀYaₖ,   ‖Y‖ = (Σ λ₀^{2k})^{(2k−1)/2k},
//
// aₖ the incidence vector of edge k. Prices q ≥ 0, one per node, with q_i + q_j ≥ aₖᵀYaₖ/‖Y‖ on every edge make that
// N(W) ≥ tr Y/‖Y‖ − Σ q where weights are not negative and sum to at most 1 at every node. The proof is complete when
// the right side exceeds target^{1/k}. Any Weights and Prices give a valid inequality; W₀ need not even be a mixing
// matrix.
//
// Free weights have no prices. A W that did reach the target would have |g_k − 1/n| ≤ (1 − 1/n)·target^{1/k},
// which limits the sum. Under W ⪰ μI, Z = Floor·(W₀ − μI)⁻¹ on the complement of the all-ones vector may take part:
// Y/‖Y‖ − Z takes the place of Y/‖Y‖, and the right side loses (1−μ)·tr Z.
type RoundsCertificate struct {
	Sign          Sign     `json:"setting"`
	MinEigenvalue *float64 `json:"min_eigenvalue,omitempty"` // μ; nil means no limit
	// Weights has one per arc of the plan's lift, or per edge where it has none.
	Weights []float64 `json:"weights"`
	Prices  []float64 `json:"prices,omitempty"` // one per orbit of the lift, or per node
	Floor   float64   `json:"floor,omitempty"`
}

// Validate reports everything that makes the certificate unreadable, for a plan whose lift has that many arcs and
// orbits; without a lift they are its edges and nodes.
func (c *RoundsCertificate) Validate(edges, nodes int) error {
	var errs []error
	complain := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("design: rounds certificate: "+format, args...))
	}
	if err := c.Sign.Validate(); err != nil {
		complain("%w", err)
	}
	if m := c.MinEigenvalue; m != nil && !(*m >= -1 && *m < 1) {
		complain("min_eigenvalue is %v; it must be at least −1 and below 1", *m)
	}
	if len(c.Weights) != edges {
		complain("%d weights; the plan needs %d, one per arc of its lift or per edge", len(c.Weights), edges)
	}
	if c.Sign == Free {
		nodes = 0
	}
	if len(c.Prices) != nodes {
		complain("%d prices; weights %q needs %d", len(c.Prices), c.Sign, nodes)
	}
	for k, g := range c.Weights {
		if !(math.Abs(g) <= largestWeight) {
			complain("weight %d is %v; it must be at most %v in size", k, g, largestWeight)
		}
	}
	for i, q := range c.Prices {
		if !(q >= 0) || math.IsInf(q, 0) {
			complain("price %d is %v; it must be a number that is not negative", i, q)
		}
	}
	if !(c.Floor >= 0) || math.IsInf(c.Floor, 0) || c.Floor > 0 && c.MinEigenvalue == nil {
		complain("floor is %v; it must not be negative, and 0 where there is no min_eigenvalue", c.Floor)
	}
	return errors.Join(errs...)
}

// largestWeight exceeds every weight of interest: a W that averages has |g − 1/n| ≤ 1.
const largestWeight = 2.0

// MostRoundsWork limits orbits³·size² of lifts (n³ without symmetry) for which rounds are minimised: a product of two
// such matrices takes a second.
const MostRoundsWork = 1 << 28

// RoundsRounding is how much, relatively, rounding may change what a certificate proves.
func RoundsRounding(rounds, nodes int) float64 {
	const machine = 0x1p-52
	return 1e-10 + 4*machine*float64(rounds)*float64(nodes)
}
