package verify

import (
	"fmt"
	"math"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"

	"gonum.org/v1/gonum/mat"
)

// How many nodes a problem on n × n matrices may have here.
const (
	denseLimit  = 2048 // all eigenvalues of a symmetric W
	periodLimit = 1024 // the product of a period, and its powers
)

// spectrum rechecks r_asym, the eigenvalues, the smallest eigenvalue asked for and the iterations.
func (k *check) spectrum() {
	p := k.plan
	if !p.Static() || p.Directed {
		k.symmetricOnly()
		k.period()
		return
	}
	if p.Lift != nil && (p.Inside != nil || !k.lift()) {
		return
	}
	w := k.matrices[0]
	if k.parties() <= denseLimit {
		k.symmetric(denseEigenvalues(w)) // the road that does not use symmetry, where it can be gone
		return
	}
	if p.Lift != nil {
		if others := k.liftEigenvalues(); others != nil {
			k.symmetric(others)
			return
		}
	}
	if others := k.circulant(w); others != nil {
		k.symmetric(others)
		return
	}
	k.large()
}

// symmetricOnly refuses what has no meaning for directed and time-varying plans.
func (k *check) symmetricOnly() {
	p := k.plan
	for _, f := range []struct {
		claim string
		given bool
	}{{"lambda_2", p.Lambda2 != nil}, {"lambda_n", p.LambdaN != nil}, {"min_eigenvalue", p.MinEigenvalue != nil}, {"lift",
		p.Lift != nil}} {
		if f.given {
			k.holds(f.claim, false, "only a static undirected plan has one")
		}
	}
	if p.Purpose == design.Training {
		k.training()
	}
}

// training checks W ⪰ 0 for every round, directed ones by their symmetric part: no node gives away more than it
// keeps, so that no disc of Gershgorin reaches below 0.
func (k *check) training() {
	for _, w := range k.matrices {
		for _, self := range w.Self() {
			if !w.Nonnegative() || self < 0.5-design.ClaimTolerance {
				k.unproved("purpose", 0, "training wants no negative eigenvalue in any round; "+
					"some node keeps less than half of its value, and then this is not rechecked")
				return
			}
		}
	}
	k.holds("purpose", true, "")
}

// denseEigenvalues returns the eigenvalues of a symmetric W except the all-ones vector's, ascending; nil when
// the iteration fails. With c at least its norm, W − J + cI has no negative eigenvalue, so they are its singular
// values. The all-ones vector gives c; if another is nearer to c, it differs by rounding only.
func denseEigenvalues(w *mixing.Matrix) []float64 {
	n := w.Nodes()
	shifted := minusMean(w.Dense())
	norm := 0.0
	for i := range n {
		sum := 0.0
		for _, v := range shifted.RawRowView(i) {
			sum += math.Abs(v)
		}
		norm = max(norm, sum)
	}
	for i := range n {
		shifted.Set(i, i, shifted.At(i, i)+norm)
	}
	var svd mat.SVD
	if !svd.Factorize(shifted, mat.SVDNone) {
		return nil
	}
	others := make([]float64, n)
	for i, v := range svd.Values(nil) { // descending
		others[n-1-i] = v - norm
	}
	return without(others, 0)
}

// without removes the one of ascending values that is nearest to v.
func without(values []float64, v float64) []float64 {
	nearest := 0
	for t := range values {
		if math.Abs(values[t]-v) < math.Abs(values[nearest]-v) {
			nearest = t
		}
	}
	return append(values[:nearest:nearest], values[nearest+1:]...)
}

// symmetric checks the claims of an undirected plan against all its other eigenvalues, ascending.
func (k *check) symmetric(others []float64) {
	if len(others) == 0 {
		k.holds("r_asym", false, "the eigenvalue iteration did not converge")
		return
	}
	low, high := others[0], others[len(others)-1]
	if k.inside() > 1 { // the exact average inside groups adds eigenvalues 0
		low, high = min(low, 0), max(high, 0)
	}
	k.rate(radius(others))
	k.optional("lambda_2", k.plan.Lambda2, high)
	k.optional("lambda_n", k.plan.LambdaN, low)
	if claim, mu, ok := k.lowest(); ok {
		k.atLeast(claim, mu, low, "the smallest eigenvalue is below what the plan promises")
	}
	k.iterations(radius(others), powers(others))
}

// lowest is what the plan promises about its smallest eigenvalue; training alone promises 0.
func (k *check) lowest() (claim string, mu float64, ok bool) {
	switch p := k.plan; {
	case p.MinEigenvalue != nil:
		return "min_eigenvalue", *p.MinEigenvalue, true
	case p.Purpose == design.Training:
		return "purpose", 0, true
	}
	return "", 0, false
}

// rate compares r_asym with its recomputed value.
func (k *check) rate(value float64) {
	k.number("r_asym", k.plan.RAsym, value, design.ClaimTolerance*max(1, value))
	if f := &k.report[len(k.report)-1]; f.Status == OK && k.plan.RAsymKind == design.Estimate {
		f.Status, f.Detail = Unproved, "the plan calls it an estimate"
	}
}

func (k *check) optional(claim string, claimed *float64, recomputed float64) {
	if claimed == nil {
		k.holds(claim, false, "an undirected plan states it")
		return
	}
	k.number(claim, *claimed, recomputed, design.ClaimTolerance*max(1, math.Abs(recomputed)))
}

func radius(values []float64) float64 {
	size := 0.0
	for _, v := range values {
		size = max(size, math.Abs(v))
	}
	return size
}

func (k *check) unproved(claim string, claimed float64, why string) {
	k.add(Finding{Claim: claim, Status: Unproved, Claimed: claimed, Detail: why})
}

// unprovedKind lists a number that the plan calls proved and that was not proved here.
func (k *check) unprovedKind(claim string, kind design.Certainty, why string) {
	if kind == design.Proved {
		k.unproved(claim, 0, fmt.Sprintf("%q: %s", kind, why))
	}
}

// minusMean subtracts J.
func minusMean(m *mat.Dense) *mat.Dense {
	n, _ := m.Dims()
	for i := range n {
		row := m.RawRowView(i)
		for j := range row {
			row[j] -= 1 / float64(n)
		}
	}
	return m
}
