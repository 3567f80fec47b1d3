package verify

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/mixing"

	"gonum.org/v1/gonum/floats"
)

// With 16 Gaussian starts the mean square error differs from its expectation ‖E‖_F² by these factors in one case of ten
// million at most, whatever E is: χ² with 16 degrees of freedom is above 64 or below 1.
const (
	starts     = 16
	surelyMore = 2 // as a factor of the error, not of its square
	surelyLess = 0.25
)

// simulate averages from random starts and returns the root mean square error after count − 1 rounds and after count;
// ok is false where that is too much work.
func (k *check) simulate(count int) (before, after float64, ok bool) {
	n, period := k.parties(), len(k.matrices)
	arcs := 0.0
	for _, w := range k.matrices {
		arcs += float64(w.Arcs() + n)
	}
	if count < 1 || float64(count)/float64(period)*arcs*starts > mostWork/4 {
		return 0, 0, false
	}
	random := rand.New(rand.NewPCG(1, 0x70726f6265))
	x, y := make([]float64, n), make([]float64, n)
	for range starts {
		for i := range x {
			x[i] = random.NormFloat64()
		}
		for t := range count {
			if t == count-1 {
				before += square2(x)
			}
			k.matrices[t%period].Apply(y, x)
			x, y = y, x
		}
		after += square2(x)
	}
	return math.Sqrt(before / starts), math.Sqrt(after / starts), true
}

// square2 is ‖x − mean‖².
func square2(x []float64) float64 {
	mean := floats.Sum(x) / float64(len(x))
	sum := 0.0
	for _, v := range x {
		sum += (v - mean) * (v - mean)
	}
	return sum
}

// probe checks a directed or time-varying plan that is too large for the product of its period: claims are refuted
// where a vector shows that they are false, and listed as not proved otherwise.
func (k *check) probe(why string) {
	p := k.plan
	found := k.stretch()
	f := Finding{Claim: "r_asym", Status: Unproved, Claimed: p.RAsym, Recomputed: found, Tolerance: design.ClaimTolerance,
		Detail: why}
	if !(p.RAsym >= found-design.ClaimTolerance) {
		f.Status, f.Detail = False, "some error between nodes shrinks less"
	}
	k.add(f)
	k.unprovedKind("r_asym_kind", p.RAsymKind, why)
	k.unprovedKind("iterations_kind", p.IterationsKind, why)
	before, after, ok := k.simulate(p.Iterations)
	switch {
	case p.Iterations < 0:
		k.holds("iterations", false, fmt.Sprintf("%d rounds were claimed; a count is not negative", p.Iterations))
	case ok && after > surelyMore*p.TargetError:
		k.atMost("iterations reach the target", p.TargetError, after, "simulated from random starts")
	case ok && p.Iterations > 1 && before < surelyLess*p.TargetError:
		k.holds("iterations are the fewest", false, fmt.Sprintf("one round before, the error from random starts is %.3g",
			before))
	case p.Iterations == 0 && p.RAsym < 1-neverTolerance:
		k.holds("iterations", false, "0 means that the target is never reached, but r_asym is below 1")
	default:
		k.unproved("iterations", float64(p.Iterations), why)
	}
}

// nothingLeft is a part of a vector that may be all rounding: what comes after is no evidence.
const nothingLeft = 1e-12

// stretch returns a number that r_asym is not below: by how much a period shrinks some vector at least, per round. The
// vector comes from a few steps of power iteration on EᵀE.
func (k *check) stretch() float64 {
	n := k.parties()
	arcs := 0.0
	for _, w := range k.matrices {
		arcs += float64(w.Arcs() + n)
	}
	random := rand.New(rand.NewPCG(2, 0x70726f6265))
	x, y := make([]float64, n), make([]float64, n)
	for i := range y {
		y[i] = random.NormFloat64()
	}
	// unit makes y, centred, the next x of length 1, and returns how long it was; false where nothing is left of it.
	unit := func() (float64, bool) {
		x, y = y, x
		floats.AddConst(-floats.Sum(x)/float64(n), x)
		length := floats.Norm(x, 2)
		floats.Scale(1/length, x)
		return length, length > nothingLeft
	}
	unit()
	best := math.Inf(-1) // ln of the most that was left of a unit vector
	for range int(max(1, min(50, mostWork/8/arcs))) {
		left := 0.0
		for _, w := range k.matrices {
			w.Apply(y, x)
			length, ok := unit()
			if !ok {
				return math.Exp(best / float64(len(k.matrices)))
			}
			left += math.Log(length)
		}
		best = max(best, left)
		for _, w := range slices.Backward(k.matrices) {
			applyTransposed(w, y, x)
			if _, ok := unit(); !ok {
				return math.Exp(best / float64(len(k.matrices)))
			}
		}
	}
	return math.Exp(best / float64(len(k.matrices)))
}

// applyTransposed computes dst = Wᵀx.
func applyTransposed(w *mixing.Matrix, dst, x []float64) {
	for i, self := range w.Self() {
		dst[i] = self * x[i]
	}
	for i := range x {
		from, weight := w.Row(i)
		for t, j := range from {
			dst[j] += weight[t] * x[i]
		}
	}
}
