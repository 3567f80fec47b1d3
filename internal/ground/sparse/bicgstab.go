package sparse

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// ErrNotConverged means that the iterations were used up, or that the method broke down
// again after a restart; the error that wraps it gives the residual reached.
var ErrNotConverged = errors.New("sparse: Bi-CGSTAB did not converge")

// BiCGSTAB solves m x = b for one matrix and many right-hand sides, preconditioned from the
// right. It owns its work vectors: one goroutine at a time.
type BiCGSTAB struct {
	m   *CSC
	pre *ILU
	// The vectors of van der Vorst's paper; shadow is r̂₀, pHat and sHat are preconditioned.
	r, shadow, p, v, s, t, pHat, sHat []float64
}

// NewBiCGSTAB prepares a solver; the factorization must be of the same size as m, or nil for no preconditioning.
func NewBiCGSTAB(m *CSC, pre *ILU) *BiCGSTAB {
	if m.rows != m.cols || pre != nil && pre.factors.rows != m.rows {
		panic("sparse: NewBiCGSTAB needs a square matrix and a factorization of its size")
	}
	b := &BiCGSTAB{m: m, pre: pre}
	for _, v := range []*[]float64{&b.r, &b.shadow, &b.p, &b.v, &b.s, &b.t, &b.pHat, &b.sHat} {
		*v = make([]float64, m.rows)
	}
	return b
}

// Solve improves x, which holds the first guess, until ‖b − m x‖ ≤ tolerance·‖b‖, and
// returns the number of iterations (two products with m each). It does not allocate
// unless it fails. A breakdown (a direction orthogonal to r̂₀) restarts it from the current x.
func (b *BiCGSTAB) Solve(x, rhs []float64, tolerance float64, limit int) (iterations int, err error) {
	target := tolerance * floats.Norm(rhs, 2)
	for iterations < limit {
		if b.start(x, rhs) <= target {
			return iterations, nil
		}
		done, used := b.cycle(x, target, limit-iterations)
		iterations += used
		if used == 0 {
			break // broke down at once: another restart would do the same
		}
		if done && b.start(x, rhs) <= target { // the true residual, not the recurrence
			return iterations, nil
		}
	}
	return iterations, fmt.Errorf("%w: residual %.3g after %d iterations, wanted %.3g",
		ErrNotConverged, b.start(x, rhs), iterations, target)
}

// start computes the residual of x, makes it the shadow vector and returns its norm.
func (b *BiCGSTAB) start(x, rhs []float64) float64 {
	b.m.Apply(b.r, x)
	floats.SubTo(b.r, rhs, b.r)
	copy(b.shadow, b.r)
	return floats.Norm(b.r, 2)
}

// cycle iterates until the residual of the recurrence meets the target (done), a breakdown, or limit.
func (b *BiCGSTAB) cycle(x []float64, target float64, limit int) (done bool, used int) {
	clear(b.p)
	clear(b.v)
	rho, alpha, omega := 1.0, 1.0, 1.0
	for used < limit {
		rhoNew := floats.Dot(b.shadow, b.r)
		beta := rhoNew / rho * alpha / omega
		rho = rhoNew
		if rho == 0 || math.IsNaN(beta) || math.IsInf(beta, 0) {
			return false, used
		}
		for i, v := range b.v { // p = r + β (p − ω v)
			b.p[i] = b.r[i] + beta*(b.p[i]-omega*v)
		}
		b.precondition(b.pHat, b.p)
		b.m.Apply(b.v, b.pHat)
		alpha = rho / floats.Dot(b.shadow, b.v)
		if math.IsNaN(alpha) || math.IsInf(alpha, 0) {
			return false, used
		}
		used++
		floats.AddScaledTo(b.s, b.r, -alpha, b.v)
		floats.AddScaled(x, alpha, b.pHat)
		if floats.Norm(b.s, 2) <= target {
			return true, used
		}
		b.precondition(b.sHat, b.s)
		b.m.Apply(b.t, b.sHat)
		omega = floats.Dot(b.t, b.s) / floats.Dot(b.t, b.t)
		if math.IsNaN(omega) || math.IsInf(omega, 0) || omega == 0 {
			return false, used
		}
		floats.AddScaled(x, omega, b.sHat)
		floats.AddScaledTo(b.r, b.s, -omega, b.t)
		if floats.Norm(b.r, 2) <= target {
			return true, used
		}
	}
	return false, used
}

func (b *BiCGSTAB) precondition(dst, v []float64) {
	if b.pre == nil {
		copy(dst, v)
		return
	}
	b.pre.Solve(dst, v)
}
