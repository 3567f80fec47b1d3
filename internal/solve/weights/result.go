package weights

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/batopo/batopo/design"
)

// A Result holds weights, what they achieve and what is proved about them.
type Result struct {
	// Weights has one entry per edge of the graph in order, or per arc of the lift. For FMMC none is
	// negative and at no node do they sum to more than 1.
	Weights []float64

	// RAsym = max(|λ₂|, |λₙ|), Lambda2 and LambdaN are computed from Weights, whatever the solver believed.
	// Kind says how: proved by all eigenvalues, or estimated by Lanczos.
	RAsym, Lambda2, LambdaN float64
	Kind                    design.Certainty

	// Bound is a value that no weights on this graph beat: of r_asym, or of λ₂ under a
	// MinEigenvalue. Certificate proves it; it is nil if the settings say so. Graphs that are too large have neither.
	Bound       float64
	Certificate *design.Certificate

	// ZeroEdges lists the edges (arcs) whose weight is exactly 0: they may be left out.
	ZeroEdges []int

	Iterations int
	Stop       design.Stop
}

// Value returns what was minimised: RAsym, or Lambda2 under a MinEigenvalue.
func (r *Result) Value(s Settings) float64 {
	if s.MinEigenvalue != nil {
		return r.Lambda2
	}
	return r.RAsym
}

// result cleans the weights up and measures them; extremes computes λ₂ and λₙ from such weights.
func (w *interior) result(s Settings, stop design.Stop,
	extremes func(weights []float64) (lambda2, lambdaN float64)) *Result {
	r := &Result{Kind: design.Proved, Bound: w.bound, Iterations: w.iterations, Stop: stop}
	x := slices.Clone(w.x[:w.p.vars])
	w.pullIn(x)
	measure := func() float64 {
		r.Weights = slices.Clone(x)
		r.Lambda2, r.LambdaN = extremes(r.Weights)
		r.RAsym = max(math.Abs(r.Lambda2), math.Abs(r.LambdaN))
		return r.Value(s)
	}
	value := measure()
	if w.p.limited && stop != design.Rejected && stop != design.Interrupted {
		kept := slices.Clone(x)
		for _, below := range zeroLevels {
			if !w.clearBelow(x, below) {
				break
			}
			if measure() <= value+s.Tolerance {
				break
			}
			copy(x, kept)
			measure()
		}
	}
	for k, g := range r.Weights {
		if g == 0 {
			r.ZeroEdges = append(r.ZeroEdges, k)
		}
	}
	return r
}

// zeroLevels are the weights below which an edge is taken to be unused, tried in
// turn. An interior-point method leaves such weights at (complementarity)/(multiplier).
var zeroLevels = []float64{1e-5, 1e-6, 1e-7, 1e-8, 1e-9}

// clearBelow sets to 0 the weights that are below a level and below their
// multipliers, and reports whether there were any.
func (w *interior) clearBelow(x []float64, level float64) bool {
	found := false
	for k, low := range w.low {
		if x[k] < min(level, low) {
			x[k], found = 0, true
		}
	}
	return found
}

// pullIn makes sure that rounding pushes no row sum above 1.
func (w *interior) pullIn(x []float64) {
	const rounding = 1e-13
	if len(w.slack) > 0 && slices.Min(w.slack) < rounding {
		floats.Scale(1-rounding, x)
	}
}
