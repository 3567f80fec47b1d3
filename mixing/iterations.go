package mixing

import (
	"context"
	"math"
	"sort"

	"gonum.org/v1/gonum/mat"
)

const (
	// NearUnity is how close to 1 a computed r_asym counts as 1: rounding in eigenvalues is a hundred times smaller,
	// and the slowest connected graph that is supported, a ring of limits.Nodes nodes, is at 1 − 7.7e-10.
	NearUnity = 1e-13
	// maxPower limits the powers of W that are tried.
	maxPower = 1 << 40
)

// Iterations returns the first k ≥ 1 with ‖W^k − J‖_F ≤ target, which is the root
// mean square error of x ← Wx after k rounds from a standard Gaussian start.
// It is 1 when W averages exactly; ok is false when W does not average at all
// (for normal W: r_asym is 1 or more), or when that is not known.
//
// Normal W: ‖W^k − J‖_F² = Σ |λ|^{2k}, O(n log k). Others: powers of the dense matrix, O(n³ log k). Where only the ends
// of the spectrum are estimated, k is the first with √(n−1)·r^k ≤ target: enough, perhaps more than needed.
//
// Powers of more than a few hundred nodes may take long. If ctx ends first, err is ctx.Err(); otherwise it is nil.
func (s Spectrum) Iterations(ctx context.Context, target float64) (k int, ok bool, err error) {
	if s.deviation == nil {
		k, ok = s.normalIterations(target)
		return k, ok, nil
	}
	if !(target > 0) || s.RAsym > 1+NearUnity {
		return 0, false, nil
	}
	k, err = within(ctx, s.Nodes, func() (int, error) {
		k, _ := firstPower(ctx, s.deviation, target, maxPower)
		if k == 0 {
			return 0, ctx.Err() // where that is nil no power suffices
		}
		return k, nil
	})
	return k, k > 0, err
}

// normalIterations is Iterations where W is normal or estimated.
func (s Spectrum) normalIterations(target float64) (k int, ok bool) {
	switch {
	case !(target > 0) || s.RAsym > 1+NearUnity:
		return 0, false
	case s.Estimated && s.RAsym < 1-NearUnity:
		return max(1, int(math.Ceil(s.enough(target)))), true
	case !s.complete():
		return 0, false
	case s.errorAfter(1) <= target:
		return 1, true
	case s.RAsym > 1-NearUnity:
		return 0, false
	}
	return sort.Search(int(s.enough(target))+2, func(k int) bool { return k > 0 && s.errorAfter(k) <= target }), true
}

// enough solves √(n−1)·r^k = target for k. The left side is an upper limit of the error.
func (s Spectrum) enough(target float64) float64 {
	return math.Log(target/math.Sqrt(float64(s.Nodes-1))) / math.Log(s.RAsym)
}

// complete reports whether all eigenvalues are known.
func (s Spectrum) complete() bool { return len(s.Moduli) == s.Nodes-1 }

// errorAfter returns ‖W^k − J‖_F of a normal W, k ≥ 1.
func (s Spectrum) errorAfter(k int) float64 {
	sum := 0.0
	for _, r := range s.Moduli {
		sum += math.Exp(2 * float64(k) * math.Log(r))
	}
	return math.Sqrt(sum)
}

// firstPower returns the first k with ‖bᵏ‖_F ≤ target for ‖b‖₂ ≤ 1, which makes the norms fall with k, and the power
// before it, nil for k = 1. It squares b until the norm is small enough and then adds the powers of two that are still
// too few. k is 0 where no power up to most is small enough, or ctx has ended.
func firstPower(ctx context.Context, b *mat.Dense, target float64, most int) (k int, before *mat.Dense) {
	if mat.Norm(b, 2) <= target {
		return 1, nil
	}
	squares := []*mat.Dense{b} // squares[j] = b^(2^j), all with norms above target
	for {
		if 1<<(len(squares)-1) >= most || ctx.Err() != nil {
			return 0, nil
		}
		last, next := squares[len(squares)-1], new(mat.Dense)
		next.Mul(last, last)
		if mat.Norm(next, 2) <= target {
			break
		}
		squares = append(squares, next)
	}
	before = squares[len(squares)-1] // the highest known power that is not enough
	k = 1 << (len(squares) - 1)
	for j := len(squares) - 2; j >= 0; j-- {
		if ctx.Err() != nil {
			return 0, nil
		}
		var next mat.Dense
		next.Mul(before, squares[j])
		if mat.Norm(&next, 2) > target {
			before, k = &next, k+1<<j
		}
	}
	return k + 1, before
}

// EffectiveNeighbors returns n_W(γ) of Vogels, Hendrikx and Jaggi (2022), the
// number of nodes over which a random walk with decay γ in [0, 1) averages noise:
// [1/(1−γ)] / [(1/n) Σ |λ|²/(1−γ|λ|²)] over all n eigenvalues. It is n for the
// complete graph and 1 without communication. ok is false where the eigenvalues
// are not known or γ is out of range.
func (s Spectrum) EffectiveNeighbors(gamma float64) (neighbors float64, ok bool) {
	if !s.complete() || !(gamma >= 0 && gamma < 1) || s.RAsym > 1+NearUnity {
		return 0, false
	}
	sum := 1 / (1 - gamma)
	for _, r := range s.Moduli {
		sum += r * r / (1 - gamma*r*r)
	}
	return float64(s.Nodes) / (1 - gamma) / sum, true
}
