package verify

import (
	"fmt"
	"math"

	"batopo/design"
	"batopo/mixing"
	"batopo/spectral"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// decay is what the recomputed spectrum says about convergence: the error ‖Wᵏ − J‖_F after k rounds.
type decay func(k int) float64

// denseLimit is how many nodes an n × n eigenproblem may have here.
const denseLimit = 2048

// spectrum rechecks r_asym, the eigenvalues, the smallest eigenvalue asked for and the iterations.
func (k *check) spectrum() {
	switch {
	case len(k.plan.Rounds) > 0:
		k.schedule()
	case k.plan.Directed:
		k.directed()
	case k.plan.Lift != nil:
		k.lift()
	case k.plan.Nodes <= denseLimit:
		k.symmetric(denseEigenvalues(k.matrices[0]))
	default:
		k.large()
	}
}

// denseEigenvalues returns the eigenvalues of a symmetric W other than that of the all-ones
// vector. W − 3J moves that one from 1 to −2, below all others of a convergent W.
func denseEigenvalues(w *mixing.Matrix) []float64 {
	n := w.Nodes()
	shifted := w.Sym()
	for i := range n {
		for j := i; j < n; j++ {
			shifted.SetSym(i, j, shifted.At(i, j)-3/float64(n))
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(shifted, false) {
		return nil
	}
	return eigen.Values(nil)[1:]
}

// symmetric checks the claims of an undirected plan against all its other eigenvalues, ascending.
func (k *check) symmetric(others []float64) {
	if len(others) == 0 {
		k.holds("r_asym", false, "the eigenvalue iteration did not converge")
		return
	}
	low, high := others[0], others[len(others)-1]
	k.number("r_asym", k.plan.RAsym, max(math.Abs(low), math.Abs(high)), eigenTolerance)
	k.optional("lambda_2", k.plan.Lambda2, high)
	k.optional("lambda_n", k.plan.LambdaN, low)
	if mu := k.plan.MinEigenvalue; mu != nil {
		k.atMost("min_eigenvalue", low+eigenTolerance, *mu, "the smallest eigenvalue is below what the plan promises")
	}
	k.iterations(func(rounds int) float64 {
		sum := 0.0
		for _, v := range others {
			sum += math.Pow(v*v, float64(rounds))
		}
		return math.Sqrt(sum)
	})
}

func (k *check) optional(claim string, claimed *float64, recomputed float64) {
	if claimed == nil {
		k.holds(claim, false, "an undirected plan states it")
		return
	}
	k.number(claim, *claimed, recomputed, eigenTolerance)
}

// iterations checks that the claimed count reaches the target and one less does not. A count that the plan calls
// an estimate is refuted in the same way, but not called proved. Without the error over rounds, nil, there is nothing to check.
func (k *check) iterations(error decay) {
	const rounding = 1e-9
	count, target := k.plan.Iterations, k.plan.TargetError
	switch {
	case count < 0:
		k.holds("iterations", false, fmt.Sprintf("%d rounds were claimed; a count is not negative", count))
	case error == nil && k.plan.IterationsKind == design.Proved:
		k.holds("iterations", false, "the plan calls them proved, but not all eigenvalues are known")
	case error == nil:
		k.estimated(count)
	case count == 0:
		k.holds("iterations", k.plan.RAsym >= 1-1e-12, "0 means that the target is never reached, but r_asym is below 1")
	default:
		reached, fewest := error(count), count == 1 || error(count-1) > target*(1-rounding)
		if k.plan.IterationsKind == design.Estimate && reached <= target*(1+rounding) && fewest {
			k.estimated(count)
			return
		}
		k.atMost("iterations reach the target", target*(1+rounding), reached, "")
		k.holds("iterations are the fewest", fewest, fmt.Sprintf("%d rounds are enough", count-1))
	}
}

func (k *check) estimated(count int) {
	k.unproved("iterations", float64(count), "the plan calls it an estimate")
}

// directed checks ‖W − J‖₂ by singular values and powers of the dense matrix.
func (k *check) directed() {
	w := k.matrices[0]
	if w.Nodes() > denseLimit/2 {
		s, err := w.Spectrum() // circulants of any size
		if err != nil {
			k.unproved("r_asym", k.plan.RAsym, err.Error())
			return
		}
		k.number("r_asym", k.plan.RAsym, s.RAsym, eigenTolerance)
		return
	}
	deviation := minusMean(w.Dense())
	k.number("r_asym", k.plan.RAsym, norm2(deviation), eigenTolerance)
	k.iterations(func(rounds int) float64 {
		var power mat.Dense
		power.Pow(deviation, rounds)
		return mat.Norm(&power, 2)
	})
}

// schedule checks the product of one period.
func (k *check) schedule() {
	if k.plan.Nodes > denseLimit/2 {
		k.unproved("r_asym", k.plan.RAsym, fmt.Sprintf("a time-varying plan is rechecked for up to %d nodes", denseLimit/2))
		return
	}
	period := len(k.matrices)
	k.number("r_asym", k.plan.RAsym, math.Exp(logFactor(k.matrices)/float64(period)), eigenTolerance)
	k.iterations(k.after)
}

// after multiplies so many rounds of a schedule and returns what is left. It ends early once that is well below
// the target, or a period lowers it no more: an edited plan may claim any number of rounds.
func (k *check) after(rounds int) float64 {
	const enough, rounding = 0.999, 1e-12
	product, left, before := identity(k.plan.Nodes), math.Inf(1), math.Inf(1)
	for t := range rounds {
		product = apply(k.matrices[t%len(k.matrices)], product)
		left = mat.Norm(minusMean(product), 2)
		if left < enough*k.plan.TargetError {
			break
		}
		if (t+1)%len(k.matrices) == 0 {
			if !(left < before*(1-rounding)) {
				break
			}
			before = left
		}
	}
	return left
}

// logFactor returns ln ‖product − J‖₂, −∞ when a round removes all disagreement, up to rounding. The product of a
// long period can be closer to J than rounding lets one see, so its size is divided out after every round.
func logFactor(rounds []*mixing.Matrix) float64 {
	n := rounds[0].Nodes()
	d, size := minusMean(identity(n)), 0.0
	for _, w := range rounds {
		d = apply(w, d)
		column := make([]float64, n)
		for j := range n {
			mat.Col(column, j, d)
			floats.AddConst(-floats.Sum(column)/float64(n), column) // columns of product − J sum to 0
			d.SetCol(j, column)
		}
		left, before := mat.Norm(d, 2), math.Sqrt(float64(n-1))
		if left <= mixing.ExactTolerance*before {
			return math.Inf(-1)
		}
		d.Scale(before/left, d)
		size += math.Log(left / before)
	}
	return size + math.Log(norm2(d))
}

// large gives what Lanczos finds for a big graph without symmetry: an eigenvalue this large exists, so
// a smaller claim is false; that no larger one exists is not proved.
func (k *check) large() {
	w := k.matrices[0]
	r := spectral.NewLanczos(w.Nodes()).Extremes(w.Apply, spectral.LanczosSettings{})
	size := max(r.High.Value, -r.Low.Value) // Rayleigh quotients, so r_asym is no smaller
	f := Finding{Claim: "r_asym", Status: Unproved, Claimed: k.plan.RAsym, Recomputed: size, Tolerance: eigenTolerance,
		Detail: "found by Lanczos; that no other eigenvalue is larger is not proved"}
	if k.plan.RAsym < size-f.Tolerance || k.plan.RAsymKind == design.Proved {
		f.Status = False
	}
	k.add(f)
	k.iterations(nil)
}

func (k *check) unproved(claim string, claimed float64, why string) {
	k.add(Finding{Claim: claim, Status: Unproved, Claimed: claimed, Detail: why})
}

func identity(n int) *mat.Dense {
	m := mat.NewDense(n, n, nil)
	for i := range n {
		m.Set(i, i, 1)
	}
	return m
}

// apply returns W·m, column by column of the sparse W.
func apply(w *mixing.Matrix, m *mat.Dense) *mat.Dense {
	n := w.Nodes()
	out := mat.NewDense(n, n, nil)
	x, y := make([]float64, n), make([]float64, n)
	for j := range n {
		mat.Col(x, j, m)
		w.Apply(y, x)
		out.SetCol(j, y)
	}
	return out
}

// minusMean returns m − J.
func minusMean(m *mat.Dense) *mat.Dense {
	n, _ := m.Dims()
	out := mat.NewDense(n, n, nil)
	out.Apply(func(_, _ int, v float64) float64 { return v - 1/float64(n) }, m)
	return out
}

// norm2 is the largest singular value.
func norm2(m *mat.Dense) float64 {
	var svd mat.SVD
	if !svd.Factorize(m, mat.SVDNone) {
		return math.NaN()
	}
	return svd.Values(nil)[0]
}
