package verify

import (
	"fmt"
	"math"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"
)

const (
	// iterationRounding is how far two sums over the same powers may differ.
	iterationRounding = 1e-9
	// eigenRounding is how far two computations of one eigenvalue differ at most; k rounds raise it to the power k.
	// It matters from some 10⁷ rounds on, where one round more or less is below it: rings of tens of thousands of nodes.
	eigenRounding = 1e-14
)

// powerRounding is how far errors after some rounds may differ from the target, in parts of it; never far, whatever
// count is claimed.
func powerRounding(rounds int) float64 {
	return min(iterationRounding+eigenRounding*float64(rounds), 1e-3)
}

const fewestClaim = "iterations are the fewest"

// A decay gives the error ‖product of all rounds so far − J‖_F just before round k, and after it.
type decay func(k int) (before, after float64)

// powers is the decay of a normal W with these eigenvalues, or their moduli, besides the all-ones vector's.
func powers(others []float64) decay {
	after := func(rounds int) float64 {
		sum := 0.0
		for _, v := range others {
			sum += math.Pow(v*v, float64(rounds))
		}
		return math.Sqrt(sum)
	}
	return func(k int) (float64, float64) { return after(k - 1), after(k) }
}

// iterations checks that the claimed count reaches the target and one less does not. A count that the plan calls an
// estimate is refuted in the same way, but not called proved. The factor per round was recomputed.
func (k *check) iterations(factor float64, errors decay) {
	count, target := k.plan.Iterations, k.plan.TargetError
	switch {
	case count < 0:
		k.holds("iterations", false, fmt.Sprintf("%d rounds were claimed; a count is not negative", count))
	case count == 0:
		k.holds("iterations", factor >= 1-neverTolerance,
			"0 means that the target is never reached, but the consensus error shrinks in every round")
	default:
		before, after := errors(count)
		slack := powerRounding(count)
		fewest := count == 1 || before > target*(1-slack)
		if k.plan.IterationsKind == design.Estimate && after <= target*(1+slack) && fewest {
			k.unproved("iterations", float64(count), "the plan calls it an estimate")
			return
		}
		k.atMost("iterations reach the target", target*(1+slack), after, "")
		k.holds(fewestClaim, fewest, fmt.Sprintf("%d rounds are enough", count-1))
	}
}

// neverTolerance is how close to 1 a recomputed factor per round counts as 1, since it was computed by other arithmetic
// than the claim.
const neverTolerance = 10 * mixing.NearUnity
