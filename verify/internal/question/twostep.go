package question

import "math"

// twoStep is the argument that plays tr(W⁴ − ρ²W²) ≤ 1 − ρ² against rows of W², for weights of any sign.
type twoStep struct {
	squared float64 // ρ²
	longest float64 // no row has a larger Σⱼ W_ij²
	level   float64 // γ: what entries of W² between neighbours are compared with; any positive number is a proof
}

// refutedByTwoSteps reports whether no W within the limits has value v or less.
func (l Limits) refutedByTwoSteps(level, v float64) bool {
	rho := l.unshifted(v)
	if !(rho > 0) {
		return false
	}
	t := twoStep{squared: rho * rho, longest: l.rowNorm(rho), level: level}
	rows := l.newRows(t.row, math.Inf(-1))
	return rows.total() > 1-rho*rho+rounding*float64(l.Nodes)
}

// row returns the least that a node with d neighbours contributes, over all lengths s = Σⱼ W_ij² of its row.
// Between the places where a formula changes the contribution is a convex quadratic in s, so
// it is least there, at the end of the range, or where the derivative of one of the quadratics vanishes.
func (t twoStep) row(d int) float64 {
	degree := float64(d)
	low, high := 1/(1+degree), t.longest
	if low > high {
		return math.Inf(1)
	}
	pairs, slope := degree*(degree-1), t.squared+2*t.level
	least := min(t.contribution(d, low), t.contribution(d, high))
	try := func(s float64) { least = min(least, t.contribution(d, min(max(s, low), high))) }
	try(slope / 2)
	if d == 1 {
		return least
	}
	steep, flat := through(d)
	for _, l := range [2]line{steep, flat} {
		try((t.level*pairs - l.offset) / l.slope)
		try((slope + 2*t.level*l.slope - 2*l.slope*l.offset/pairs) / (2 + 2*l.slope*l.slope/pairs))
	}
	if steep != flat {
		try(flat.offset / (steep.slope - flat.slope)) // where they cross
	}
	return least
}

// contribution is s² − (ρ² + 2γ)s + 2γ − γ²d − C(L(s)): L limits the weight of two-step walks through the node; γ pays
// for them up to C.
func (t twoStep) contribution(d int, s float64) float64 {
	degree := float64(d)
	value := s*s - (t.squared+2*t.level)*s + 2*t.level - t.level*t.level*degree
	if d == 1 {
		return value // no walk leads through
	}
	pairs := degree * (degree - 1)
	steep, flat := through(d)
	weight := min(steep.slope*s, flat.slope*s+flat.offset, t.level*pairs)
	return value - 2*t.level*weight + weight*weight/pairs
}

// A line limits the weight of two-step walks through a node by slope·s + offset.
type line struct{ slope, offset float64 }

// through returns the two limits for a node with d ≥ 2 neighbours. The first holds for any weights; the second
// uses that positive and negative weights cannot both be large, since together they make 1 less the
// self weight. It needs d ≥ 4; below, the first is returned twice.
func through(d int) (steep, flat line) {
	degree := float64(d)
	steep = line{slope: degree - 1}
	if d < 4 {
		return steep, steep
	}
	return steep, line{slope: degree/2 - 1, offset: 0.5 + 0.5/(degree-3)}
}
