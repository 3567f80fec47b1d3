package mixing

import (
	"context"
	"fmt"

	"github.com/batopo/batopo/topology"
)

// A Rule puts weights on a given graph by a formula.
type Rule struct {
	Name string
	Doc  string // one line
	Mix  func(g *topology.Graph) (*Matrix, error)
}

// Rules lists the rules. All give nonnegative weights but the last.
var Rules = []Rule{
	{"metropolis", "1/(1 + max(dᵢ, dⱼ)) on edge {i, j}", Metropolis},
	{"metropolis-hastings", "1/max(dᵢ, dⱼ) on edge {i, j}", MetropolisHastings},
	{"uniform", "1/(1 + d) on every edge and for the node itself; regular graphs only", Uniform},
	{"maximum-degree", "1/max d on every edge", MaximumDegree},
	{"best-constant", "the same weight on every edge, the best that keeps all weights nonnegative", BestConstant},
	{"best-constant-unlimited", "the same weight on every edge, the best of all; self weights may be negative",
		BestConstantUnlimited},
}

// FindRule returns the rule of that name; the error lists those that exist.
func FindRule(name string) (Rule, error) {
	return find("weight rule", name, Rules, func(r Rule) string { return r.Name })
}

// perEdge builds the matrix whose weight on each edge depends on the degrees of its ends.
func perEdge(g *topology.Graph, weight func(di, dj int) float64) (*Matrix, error) {
	weights := make([]float64, len(g.Edges()))
	for k, e := range g.Edges() {
		weights[k] = weight(g.Degree(e.I), g.Degree(e.J))
	}
	return FromEdges(g, weights)
}

// Metropolis gives edge {i, j} the weight 1/(1 + max(dᵢ, dⱼ)). On a regular graph
// every node then listens equally to itself and to each neighbour. Connected
// graphs always have r_asym < 1, because every self weight is positive.
func Metropolis(g *topology.Graph) (*Matrix, error) {
	return perEdge(g, func(di, dj int) float64 { return 1 / float64(1+max(di, dj)) })
}

// MetropolisHastings gives edge {i, j} the weight 1/max(dᵢ, dⱼ), which is the
// chain of that name for the uniform distribution (Boyd, Diaconis and Xiao 2004).
// Bipartite regular graphs get no self weight, so r_asym = 1 there.
func MetropolisHastings(g *topology.Graph) (*Matrix, error) {
	return perEdge(g, func(di, dj int) float64 { return 1 / float64(max(di, dj)) })
}

// Uniform makes every node listen equally to itself and its d neighbours, with weight
// 1/(1 + d). Columns sum to 1 only on regular graphs; others are refused.
func Uniform(g *topology.Graph) (*Matrix, error) {
	for i := range g.Nodes() {
		if g.Degree(i) != g.Degree(0) {
			return nil, fmt.Errorf("mixing: uniform weights need a regular graph, but node 0 has degree %d "+
				"and node %d has degree %d; "+
				"use the rule metropolis", g.Degree(0), i, g.Degree(i))
		}
	}
	return Metropolis(g)
}

// MaximumDegree gives every edge the weight 1/d_max.
func MaximumDegree(g *topology.Graph) (*Matrix, error) {
	return constant(g, 1/float64(max(1, g.MaxDegree())))
}

// BestConstant gives every edge the same weight α, chosen to make r_asym least
// among those with nonnegative self weights: α = min(2/(μ₂ + μₙ), 1/d_max), where
// μ₂ and μₙ are the smallest positive and the largest eigenvalue of the Laplacian
// (Xiao and Boyd 2004). r_asym falls until 2/(μ₂ + μₙ) and rises after it, so the limit,
// where it binds, is the best.
func BestConstant(g *topology.Graph) (*Matrix, error) {
	alpha, err := bestConstant(g)
	if err != nil {
		return nil, err
	}
	return constant(g, min(alpha, 1/float64(max(1, g.MaxDegree()))))
}

// BestConstantUnlimited gives every edge the weight 2/(μ₂ + μₙ) of BestConstant even
// where that makes self weights negative.
func BestConstantUnlimited(g *topology.Graph) (*Matrix, error) {
	alpha, err := bestConstant(g)
	if err != nil {
		return nil, err
	}
	return constant(g, alpha)
}

func constant(g *topology.Graph, weight float64) (*Matrix, error) {
	return perEdge(g, func(_, _ int) float64 { return weight })
}

// bestConstant returns 2/(μ₂ + μₙ). The eigenvalues of the Laplacian L come from those of
// I − L/d_max, so every method that Spectrum knows serves here too.
func bestConstant(g *topology.Graph) (float64, error) {
	if len(g.Edges()) == 0 {
		return 0, nil
	}
	w, err := MaximumDegree(g)
	if err != nil {
		return 0, err
	}
	// Nothing to cancel: a rule of weights costs one spectrum, and the caller cannot go on without it.
	s, err := w.spectrum(context.Background())
	if err != nil {
		return 0, fmt.Errorf("mixing: best constant weight: %w", err)
	}
	return 2 / (float64(g.MaxDegree()) * (2 - s.Lambda2 - s.LambdaN)), nil
}
