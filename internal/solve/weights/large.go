package weights

import (
	"math"
	"slices"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/ground/spectral"
	"github.com/batopo/batopo/topology"
)

// Beyond these sizes the interior-point method would take minutes and gigabytes.
const (
	exactNodes = 1024
	exactEdges = 3000
)

// Proves reports whether Solve finds the best weights of a graph of that size, with their certificate.
func Proves(g *topology.Graph) bool { return g.Nodes() <= exactNodes && len(g.Edges()) <= exactEdges }

// simple returns the better of equal weights and weights 1/max(dᵢ, dⱼ), each scaled to its best. Nothing is proved
// about others.
func simple(g *topology.Graph, s Settings) *Result {
	var p program
	p.set(len(g.Edges()), s)
	edges := g.Edges()
	equal, byDegree := make([]float64, len(edges)), make([]float64, len(edges))
	for k, e := range edges {
		equal[k], byDegree[k] = 1, 1/float64(max(g.Degree(e.I), g.Degree(e.J)))
	}
	a, b := p.scaled(g, equal), p.scaled(g, byDegree)
	if b.Value(s) < a.Value(s) {
		a = b
	}
	return a
}

// scaled multiplies weights by their best factor t, which turns an eigenvalue λ of W into 1 − t(1 − λ).
func (p *program) scaled(g *topology.Graph, x []float64) *Result {
	ends := spectral.NewLanczos(g.Nodes()).Extremes(func(dst, v []float64) {
		copy(dst, v)
		for k, e := range g.Edges() {
			flow := x[k] * (v[e.I] - v[e.J])
			dst[e.I] -= flow
			dst[e.J] += flow
		}
	}, spectral.LanczosSettings{})
	up, down := 1-ends.High.Value, 1-ends.Low.Value
	t := 2 / (up + down)
	if p.floored {
		t = (1 - p.floor) / down
	}
	if p.limited {
		sum := make([]float64, g.Nodes())
		for k, e := range g.Edges() {
			sum[e.I] += x[k]
			sum[e.J] += x[k]
		}
		const rounding = 1e-13
		t = min(t, (1-rounding)/slices.Max(sum))
	}
	r := &Result{Weights: slices.Clone(x), Lambda2: 1 - t*up, LambdaN: 1 - t*down, Kind: design.Estimate,
		Stop: design.Constructed}
	for k := range r.Weights {
		r.Weights[k] *= t
	}
	r.RAsym = max(math.Abs(r.Lambda2), math.Abs(r.LambdaN))
	return r
}
