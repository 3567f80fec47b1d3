package weights

import (
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/batopo/batopo/design"
)

// A program is the linear part of the problem. Its variables are the weights of
// edges, or of the arcs of a lift, and, last, the value s. There may be
// rows·weights ≤ 1, and for FMMC weights ≥ 0.
type program struct {
	vars    int
	limited bool    // FMMC
	floored bool    // W ⪰ floor·I replaces W − J ⪰ −s·I
	floor   float64 // μ
	start   []int   // row i is start[i] … start[i+1]
	index   []int   // variables of a row
	coef    []float64
}

// set empties the program and takes over what the settings say.
func (p *program) set(vars int, s Settings) {
	p.vars = vars
	p.limited = s.Sign == design.NonNegative
	p.floored, p.floor = s.MinEigenvalue != nil, 0
	if p.floored {
		p.floor = *s.MinEigenvalue
	}
	p.start = append(p.start[:0], 0)
	p.index, p.coef = p.index[:0], p.coef[:0]
}

// term adds coef·(variable k) to the row being written.
func (p *program) term(k int, coef float64) {
	p.index, p.coef = append(p.index, k), append(p.coef, coef)
}

// endRow finishes the row being written.
func (p *program) endRow() { p.start = append(p.start, len(p.index)) }

func (p *program) rows() int { return len(p.start) - 1 }

// room writes 1 − rows·x to slack.
func (p *program) room(slack, x []float64) {
	for i := range slack {
		sum := 1.0
		for e := p.start[i]; e < p.start[i+1]; e++ {
			sum -= p.coef[e] * x[p.index[e]]
		}
		slack[i] = sum
	}
}

// shape returns Z = (value·s + constant)·I + sign·L + shift·J of the upper (0) or lower (1) half,
// L the Laplacian of the weights. The shift moves the eigenvalue of the all-ones vector, which is not
// ours to choose, to where it never binds: s + 2 above; below it is s + 1 or 1 − μ.
func (p *program) shape(half int) shape {
	switch {
	case half == 0:
		return shape{value: 1, constant: -1, sign: 1, shift: 3}
	case p.floored:
		return shape{value: 0, constant: 1 - p.floor, sign: -1}
	default:
		return shape{value: 1, constant: 1, sign: -1}
	}
}

type shape struct{ value, constant, sign, shift float64 }

// The starting point: weights at this share of what surely keeps Z₂ and the rows
// positive, and a value above 1, the worst there is.
const (
	startShare = 0.8
	startValue = 1.3
)

// startWeight returns the first weight of an edge where the larger degree of its ends is given.
func (p *program) startWeight(degree float64) float64 {
	reach := 1.0 // λ_max(L) ≤ 2·(largest row sum) must stay below 2, or below 1 − μ
	if p.floored {
		reach = min(reach, (1-p.floor)/2)
	}
	return startShare * reach / degree
}

// freeWeight exceeds every weight of interest where they are free: |gₖ − 1/n| ≤ ‖W − J‖₂ ≤ 1 where
// W averages at all, and likewise for a spectrum in [μ, 1].
const freeWeight = 2.0

// A cone is the part of a point that lives in the matrix inequalities
//
//	Z₁ = sI − W + 3J ⪰ 0   and   Z₂ = sI + W ⪰ 0 (or W − μI ⪰ 0)
//
// with their multipliers Y₁, Y₂. Vectors over variables hold the weights first and s last; A_k is the
// derivative of Z with respect to variable k. The directions are those of Helmberg, Rendl, Vanderbei and Wolkowicz
// (1996), Kojima, Shindoh and Hara (1997) and Monteiro (1997): dY = νZ⁻¹ − Y − sym(Y dZ Z⁻¹).
type cone interface {
	// order returns the number of eigenvalues that are held away from zero.
	order() int
	// begin sets Y to one multiple of the identity in both halves, so that no edge sees it.
	begin()
	// evaluate computes Z at x and its inverse; false when Z or Y is not positive definite.
	evaluate(x []float64) bool
	// complementarity returns ⟨Y, Z⟩.
	complementarity() float64
	// gradient adds ⟨A_k, Z⁻¹⟩ to w.
	gradient(w []float64)
	// schur adds ⟨A_k, Y A_l Z⁻¹⟩ to the upper triangle of h.
	schur(h blas64.General)
	// predict computes dZ and dY for the step dx that aims at complementarity 0.
	predict(dx []float64)
	// secondOrder adds ⟨A_k, sym(dY dZ Z⁻¹)⟩ of the predicted step to w.
	secondOrder(w []float64)
	// correct computes dZ and dY for the step dx that aims at complementarity ν, less the
	// second-order term of the predicted step.
	correct(dx []float64, nu float64)
	// primalStep and dualStep return how far Z and Y may go along dZ and dY and stay
	// positive semidefinite, but at most limit.
	primalStep(limit float64) float64
	dualStep(limit float64) float64
	// move adds step·dY to Y.
	move(step float64)
	// balance adds ⟨A_k, Y⟩ to w.
	balance(w []float64)
	// columns returns a factor of Y₁ (half 0) or Y₂ (half 1), leaving out what in all has a trace of at most drop.
	columns(half int, drop float64) []design.Column
}
