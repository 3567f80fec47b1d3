package design

import (
	"errors"
	"fmt"
	"math"
)

// A Certificate proves that no weights on a given graph do better than some
// value. It holds a point of the dual problem; weak duality turns any such point into a bound, so
// a reader needs to trust neither the solver nor its rounding.
//
// Nodes are arranged as in a lift: node i is (a, x) with a = i / Size and
// x = i mod Size. Without symmetry Size is 1 and Orbits is the number of nodes.
// A column f of block j stands for the vector u_i = f_a ω^{jx}/√Size with
// ω = e^{2πi/Size}, and the matrices of the proof are
//
//	Y₁ = Σ over Upper of ½(uu* + ūuᵀ),   Y₂ = Σ over Lower of ½(uu* + ūuᵀ):
//
// positive semidefinite whatever the numbers are. Upper belongs to λ₂, Lower to the smallest
// eigenvalue. Prices holds q, one number per orbit, the price of the row limit
// Σ_j w_ij ≤ 1 at each of its nodes; it is empty for Free, which has no such limit.
//
// On edge k = {i,j} the duals meet the weight with d_k = Σ ±|u_i − u_j|² (plus for Upper,
// minus for Lower). With t₁, t₂ the traces of Y₁, Y₂ on the complement of the
// all-ones vector, every W with weights g on the graph satisfies
//
//	(t₁ + t₂)·r_asym ≥ t₁ − t₂ − Σ g_k d_k            no limit on the spectrum
//	t₁·λ₂ ≥ t₁ − (1−μ)·t₂ − Σ g_k d_k                 under W ⪰ μI
//
// For NonNegative, Σ g_k d_k ≤ Σ q_i as soon as q ≥ 0 and q_i + q_j ≥ d_k on every edge.
//
// For Free the weights are free and every d_k should be 0. What rounding leaves is charged: on the
// complement of the all-ones vector the spectrum of W lies in [v₀, v], v the value in question and
// v₀ = −v or μ, so an off-diagonal entry of W differs from (1−(v+v₀)/2)/n by at
// most (1−1/n)(v−v₀)/2. The inequality stays linear in v.
type Certificate struct {
	Sign          Sign      `json:"setting"`
	MinEigenvalue *float64  `json:"min_eigenvalue,omitempty"` // μ; nil means no limit, and a bound on r_asym
	Orbits        int       `json:"orbits"`
	Size          int       `json:"size"`
	Upper         []Column  `json:"upper"`
	Lower         []Column  `json:"lower"`
	Prices        []float64 `json:"prices,omitempty"`
}

// A Column is one column of a factor, in one block of the cyclic group.
type Column struct {
	Block int       `json:"block,omitempty"`
	Re    []float64 `json:"re"`           // one entry per orbit
	Im    []float64 `json:"im,omitempty"` // likewise; nil when the column is real
}

// Nodes returns the number of nodes of the graphs that the certificate speaks about.
func (c *Certificate) Nodes() int { return c.Orbits * c.Size }

// Validate reports everything that makes the certificate unreadable. Whether
// it proves anything is not decided here.
func (c *Certificate) Validate() error {
	var errs []error
	complain := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("design: certificate: "+format, args...))
	}
	if err := c.Sign.Validate(); err != nil {
		complain("%w", err)
	}
	if m := c.MinEigenvalue; m != nil && !(*m >= -1 && *m < 1) {
		complain("min_eigenvalue is %v; it must be at least −1 and below 1", *m)
	}
	if c.Orbits < 1 || c.Size < 1 {
		complain("%d orbits of size %d; both must be at least 1", c.Orbits, c.Size)
		return errors.Join(errs...)
	}
	if len(c.Upper) == 0 {
		complain("upper has no column, so nothing is proved")
	}
	for k, column := range c.Upper {
		if err := column.validate(c.Orbits, c.Size); err != nil {
			complain("upper column %d: %w", k, err)
		}
	}
	for k, column := range c.Lower {
		if err := column.validate(c.Orbits, c.Size); err != nil {
			complain("lower column %d: %w", k, err)
		}
	}
	want := c.Orbits
	if c.Sign == Free {
		want = 0
	}
	if len(c.Prices) != want {
		complain("%d prices; weights %q with %d orbits needs %d", len(c.Prices), c.Sign, c.Orbits, want)
	}
	for a, q := range c.Prices {
		if !(q >= 0) || math.IsInf(q, 0) {
			complain("price of orbit %d is %v; it must be a number that is not negative", a, q)
		}
	}
	return errors.Join(errs...)
}

func (f Column) validate(orbits, size int) error {
	if f.Block < 0 || f.Block >= size {
		return fmt.Errorf("block is %d; blocks are 0 … %d", f.Block, size-1)
	}
	if len(f.Re) != orbits || len(f.Im) != 0 && len(f.Im) != orbits {
		return fmt.Errorf("%d real and %d imaginary entries; both must be %d, or no imaginary ones",
			len(f.Re), len(f.Im), orbits)
	}
	for _, part := range [][]float64{f.Re, f.Im} {
		for a, v := range part {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("entry %d is %v; it must be a finite number", a, v)
			}
		}
	}
	return nil
}
