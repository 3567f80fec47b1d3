package question

import "math"

// anyGraph is what holds on every graph: eigenvalues keep to the limit from below, and
// weights that are not negative have 0 ≤ tr W ≤ 1 + (n−1)λ₂.
func (l Limits) anyGraph() float64 {
	switch {
	case l.Lowest == nil:
		return 0
	case l.Signed:
		return *l.Lowest
	}
	return max(*l.Lowest, -1/float64(l.Nodes-1))
}

// narrow turns λ₂(L)/λ_max(L) ≤ ratio for L = I − W into a bound.
func (l Limits) narrow(ratio float64) float64 {
	if l.Lowest == nil {
		return (1 - ratio) / (1 + ratio)
	}
	return 1 - (1-*l.Lowest)*ratio
}

// tree: λ₂(L)/λ_max(L) ≤ 1/n, and λ₂(L) ≤ 1/(n−1) where self weights are not negative.
func (l Limits) tree() float64 {
	value := l.narrow(1 / float64(l.Nodes))
	if !l.Signed {
		value = max(value, 1-1/float64(l.Nodes-1))
	}
	return value
}

// ring: averaged over its rotations and reflections, W is a circulant with one weight.
func (l Limits) ring() float64 {
	eigenvalue := func(k int) float64 { return 1 - math.Cos(2*math.Pi*float64(k)/float64(l.Nodes)) }
	return l.narrow(eigenvalue(1) / eigenvalue(l.Nodes/2))
}

// shifted turns a bound ρ on r_asym for weights of any sign into one for this spectrum: (W − cI)/(1 − c)
// has the same graph, and the right c makes [μ, λ₂] symmetric about 0.
func (l Limits) shifted(rho float64) float64 {
	if l.Lowest == nil {
		return rho
	}
	mu := *l.Lowest
	return (mu + (2-mu)*rho) / (1 + rho)
}

// unshifted is the inverse of shifted.
func (l Limits) unshifted(v float64) float64 {
	if l.Lowest == nil {
		return v
	}
	mu := *l.Lowest
	return (v - mu) / (2 - mu - v)
}

// rowNorm is the largest (W²)_ii when r_asym is rho.
func (l Limits) rowNorm(rho float64) float64 {
	return rho*rho + (1-rho*rho)/float64(l.Nodes)
}

// ball: around the node of smallest degree few nodes lie within k steps.
func (l Limits) ball(k int) float64 {
	degree := l.smallest()
	within, sphere := 1+degree, 0
	for _, most := range l.Degrees[l.Nodes-degree:] {
		sphere += most - 1
	}
	for step := 2; step <= k && within < l.Nodes && sphere > 0; step++ {
		within += sphere
		sphere *= l.largest() - 1
	}
	if within >= l.Nodes {
		return l.shifted(0)
	}
	n := float64(l.Nodes)
	chebyshev := math.Sqrt((n - 1) / (n/float64(within) - 1))
	return l.shifted(1 / math.Cosh(math.Acosh(chebyshev)/float64(k)))
}

// cut: few edges leave a set, and no single weight can be large. Of all cuts the best.
func (l Limits) cut() float64 {
	n, d := float64(l.Nodes), float64(l.largest())
	best := 0.0
	for _, c := range l.Cuts {
		m := float64(c.Inside)
		possible := func(rho float64) bool {
			root := 1 - (d+1)*(1-d*l.rowNorm(rho)) + rounding*d*d
			weight := (1 + math.Sqrt(root)) / (d + 1)
			return root >= 0 && rho >= 1-float64(c.Edges)*weight*n/(m*(n-m))
		}
		best = max(best, bisect(0, 1, func(rho float64) bool { return !possible(rho) }))
	}
	return l.shifted(best)
}

// bisect returns the largest number of [low, high] up to which below holds; low if it holds nowhere.
func bisect(low, high float64, below func(float64) bool) float64 {
	const resolution = 1e-13
	for high-low > resolution {
		middle := (low + high) / 2
		if below(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}
