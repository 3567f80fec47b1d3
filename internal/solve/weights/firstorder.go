package weights

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/spectral"
	"github.com/batopo/batopo/mixing"
	"github.com/batopo/batopo/topology"
)

// Beyond these sizes the interior-point method would take minutes and gigabytes.
const (
	exactNodes = 1024
	exactEdges = 3000
)

// firstOrder improves weights of a large graph with a bundle of extreme eigenvectors.
type firstOrder struct {
	graph    *topology.Graph
	lift     topology.Lift
	settings Settings
	model    *bundle
	lanczos  *spectral.Lanczos
	sum      []float64 // of the weights at every node
	x        []float64 // candidate

	evaluations int
	best        float64 // value of model.centre
	bound       float64
	certificate *design.Certificate
}

// solveLarge finds good weights and a bound. Each evaluation costs some hundred products with W.
func solveLarge(ctx context.Context, g *topology.Graph, s Settings) (*Result, error) {
	f := &firstOrder{graph: g, lift: asLift(g), settings: s, model: newBundle(g, s),
		lanczos: spectral.NewLanczos(g.Nodes()), sum: make([]float64, g.Nodes()), x: make([]float64, len(g.Edges())),
		bound: math.Inf(-1)}
	f.start()
	return f.result(f.run(ctx))
}

// start compares equal weights with weights 1/max(dᵢ, dⱼ), each scaled as well as can be, and
// builds the model around the better ones.
func (f *firstOrder) start() {
	for k := range f.x {
		f.x[k] = 1 / f.model.degree
	}
	f.best = math.Inf(1)
	f.try()
	for k, e := range f.graph.Edges() {
		f.x[k] = 1 / float64(max(f.graph.Degree(e.I), f.graph.Degree(e.J)))
	}
	high, low := f.try()
	f.model.upper, f.model.lower = newSubspace(high, 0.5), newSubspace(low, 0.5)
	if f.model.floored {
		f.model.upper.v.Data[0] = 1
	}
	// An edge's pull is about 2/n; a tenth of its weight is a good first step.
	f.model.trust = 0.1 * floats.Sum(f.model.centre) / 2
}

// try evaluates the candidate x, scaled to its best, makes it the centre if it is better, and returns the extreme
// eigenvectors, owned by lanczos. Scaling g by t turns an eigenvalue λ of W into 1 − t(1 − λ), so it needs no new ones.
func (f *firstOrder) try() (high, low []float64) {
	const accuracy = 1e-5 // of eigenvectors; any vector gives a valid model
	f.evaluations++       // another start vector each time finds other vectors of multiple eigenvalues
	r := f.lanczos.Extremes(f.apply, spectral.LanczosSettings{Tolerance: accuracy, Seed: uint64(f.evaluations)})
	up, down := 1-r.High.Value, 1-r.Low.Value
	t := f.scale(up, down)
	value := f.valueAt(t, up, down)
	if value < f.best {
		f.best = value
		for k, g := range f.x {
			f.model.centre[k] = t * g
		}
	}
	return r.High.Vector, r.Low.Vector
}

// apply writes W·v to dst for the weights x.
func (f *firstOrder) apply(dst, v []float64) {
	copy(dst, v)
	for k, e := range f.graph.Edges() {
		t := f.x[k] * (v[e.I] - v[e.J])
		dst[e.I] -= t
		dst[e.J] += t
	}
}

// scale returns the best factor for x, whose Laplacian has extreme eigenvalues up and down on the complement of the
// all-ones vector.
func (f *firstOrder) scale(up, down float64) float64 {
	t := 2 / (up + down)
	if f.model.floored {
		t = (1 - f.model.floor) / down
	}
	if f.model.limited {
		clear(f.sum)
		for k, e := range f.graph.Edges() {
			f.sum[e.I] += f.x[k]
			f.sum[e.J] += f.x[k]
		}
		const rounding = 1e-13
		t = min(t, (1-rounding)/slices.Max(f.sum))
	}
	return t
}

func (f *firstOrder) valueAt(t, up, down float64) float64 {
	if f.model.floored {
		return 1 - t*up
	}
	return max(1-t*up, t*down-1)
}

// run does proximal bundle steps: go where the model is least, add the eigenvectors found there to the model,
// and move its centre if the value fell.
func (f *firstOrder) run(ctx context.Context) design.Stop {
	const (
		patience = 15   // evaluations without
		progress = 2e-4 // of the distance to 1 gained, before giving up
	)
	s := f.settings
	mark, since := f.best, 0
	for {
		f.prove()
		if s.Progress != nil {
			s.Progress(design.Progress{Phase: design.Polishing, Done: f.evaluations, Total: s.MaxIterations,
				Dual: f.best - f.bound, Feasible: true, Best: f.best, Bound: f.bound})
		}
		switch {
		case f.best-f.bound <= s.Tolerance:
			return design.Converged
		case s.Cutoff != 0 && f.bound > s.Cutoff:
			return design.Rejected
		case f.evaluations >= s.MaxIterations:
			return design.BudgetSpent
		case ctx.Err() != nil:
			return design.Interrupted
		case since >= patience:
			return design.Stalled
		}
		expected := f.model.minimise()
		if math.IsNaN(expected) {
			return design.Breakdown
		}
		copy(f.x, f.model.g)
		before := f.best
		high, low := f.try()
		if gain := before - f.best; gain > 0 && gain >= 0.1*(before-expected) {
			f.model.trust *= 1.5
		} else {
			f.model.trust *= 0.8
		}
		f.model.upper.renew(high)
		f.model.lower.renew(low)
		since++
		if mark-f.best > progress*(1-mark) {
			mark, since = f.best, 0
		}
	}
}

// prove keeps the best bound that the model's multipliers have given.
func (f *firstOrder) prove() {
	if c, value := f.model.certificate(f.lift, f.settings); value > f.bound {
		f.certificate, f.bound = c, value
	}
}

// result measures the weights with all eigenvalues where that is possible and there is time for it, else with a
// finer Lanczos run.
func (f *firstOrder) result(stop design.Stop) (*Result, error) {
	r := &Result{Weights: slices.Clone(f.model.centre), Bound: f.bound, Certificate: f.certificate,
		Iterations: f.evaluations, Stop: stop}
	if f.graph.Nodes() <= mixing.DenseLimit && stop != design.Interrupted {
		// A context that ends only now does not take the exact value from weights that are found already.
		lambda2, lambdaN, err := extremes(context.Background(), f.graph, r.Weights)
		if err != nil {
			return nil, err
		}
		r.Lambda2, r.LambdaN, r.Kind = lambda2, lambdaN, design.Proved
	} else {
		copy(f.x, r.Weights)
		l := f.lanczos.Extremes(f.apply, spectral.LanczosSettings{})
		r.Lambda2, r.LambdaN, r.Kind = l.High.Value, l.Low.Value, design.Estimate
	}
	r.RAsym = max(math.Abs(r.Lambda2), math.Abs(r.LambdaN))
	if f.settings.NoCertificate {
		r.Certificate = nil
	}
	for k, g := range r.Weights {
		if g == 0 {
			r.ZeroEdges = append(r.ZeroEdges, k)
		}
	}
	return r, nil
}
