package verify

import (
	"fmt"
	"math"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/spectral"
)

// agreement is how close two Lanczos iterations come that both have converged to residuals of 1e-8.
const agreement = 1e-7

// large checks an undirected plan that is too large for all eigenvalues to be computed. Lanczos finds Rayleigh
// quotients, so eigenvalues at least so far out exist and a claim short of them is false; that none lies further out is
// not proved.
func (k *check) large() {
	w := k.matrices[0]
	// A product with W comes with a hundred or so operations on vectors.
	products := int(min(3000, mostWork/2/float64(w.Arcs()+100*w.Nodes())))
	r := spectral.NewLanczos(w.Nodes()).Extremes(w.Apply, spectral.LanczosSettings{MaxProducts: products})
	low, high := r.Low.Value, r.High.Value
	k.outward("r_asym", &k.plan.RAsym, max(high, -low), 1, r.Converged)
	k.outward("lambda_2", k.plan.Lambda2, high, 1, r.Converged)
	k.outward("lambda_n", k.plan.LambdaN, low, -1, r.Converged)
	if claim, mu, ok := k.lowest(); ok {
		if low < mu-design.ClaimTolerance {
			k.atLeast(claim, mu, low, "an eigenvalue is below what the plan promises")
		} else {
			k.unproved(claim, mu, fmt.Sprintf("Lanczos finds %.12g; that no eigenvalue is smaller is not proved", low))
		}
	}
	const why = "the plan calls it proved, but not all eigenvalues are known"
	k.holds("r_asym_kind", k.plan.RAsymKind != design.Proved, why)
	k.holds("iterations_kind", k.plan.IterationsKind != design.Proved, why)
	k.estimatedIterations(max(high, -low), r.Converged)
}

// outward checks an end of the spectrum, in the direction of sign. A claim further out than a converged iteration finds
// is no estimate that anybody can repeat.
func (k *check) outward(claim string, claimed *float64, found, sign float64, converged bool) {
	if claimed == nil {
		k.holds(claim, false, "an undirected plan states it")
		return
	}
	f := Finding{Claim: claim, Status: Unproved, Claimed: *claimed, Recomputed: found, Tolerance: design.ClaimTolerance,
		Detail: "found by Lanczos; that no eigenvalue lies further out is not proved"}
	switch past := sign * (*claimed - found); {
	case !(past >= -design.ClaimTolerance):
		f.Status, f.Detail = False, "an eigenvalue lies further out"
	case converged && past > agreement:
		f.Status, f.Tolerance, f.Detail = False, agreement, "Lanczos finds no eigenvalue so far out"
	}
	k.add(f)
}

// estimatedIterations checks a count where only the ends of the spectrum are known. It is stated as the first k with
// √(n−1)·r^k ≤ target: enough, perhaps more than needed. At least r^k is left after k rounds, so fewer than that
// reaches are too few.
func (k *check) estimatedIterations(found float64, converged bool) {
	p := k.plan
	count, target := p.Iterations, p.TargetError
	enough := math.Log(target/math.Sqrt(float64(k.parties()-1))) / math.Log(p.RAsym)
	switch {
	case count < 0:
		k.holds("iterations", false, fmt.Sprintf("%d rounds were claimed; a count is not negative", count))
	case count == 0 && (found >= 1-neverTolerance || converged):
		k.holds("iterations", found >= 1-neverTolerance,
			"0 means that the target is never reached, but the consensus error shrinks in every round")
	case count > 0 && !(math.Pow(found, float64(count)) <= target*(1+iterationRounding)):
		k.atMost("iterations reach the target", target*(1+iterationRounding), math.Pow(found, float64(count)),
			"an eigenvalue alone leaves more")
	case count > 0 && p.RAsym < 1 && float64(count) > enough*(1+iterationRounding)+1:
		k.holds("iterations", false, fmt.Sprintf("at this r_asym %.0f rounds are enough", math.Ceil(enough)))
	default:
		if _, after, ok := k.simulate(count); ok && after > surelyMore*target {
			k.atMost("iterations reach the target", target, after, "simulated from random starts")
			return
		}
		k.unproved("iterations", float64(count), "not all eigenvalues are known")
	}
}
