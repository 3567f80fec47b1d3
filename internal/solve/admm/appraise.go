package admm

import (
	"cmp"
	"math"
	"slices"

	"github.com/batopo/batopo/internal/ground/spectral"
	"github.com/batopo/batopo/topology"

	"gonum.org/v1/gonum/mat"
)

// An appraiser turns weights that are only nearly right into valid ones and says how good they are.
type appraiser struct {
	n         int
	edges     []topology.Edge
	degree    []float64
	laplacian *mat.SymDense
	eigen     *spectral.Eigen
}

func newAppraiser(n int, edges []topology.Edge) *appraiser {
	return &appraiser{n: n, edges: edges, degree: make([]float64, n), laplacian: spectral.NewSym(n),
		eigen: spectral.NewEigen(n)}
}

// scale multiplies g ≥ 0 by the number for which W = I − L(g) is best among those without
// negative entries, and returns its r_asym; 1, and g unchanged, if W does not average. It costs
// one set of eigenvalues.
func (a *appraiser) scale(g []float64) float64 {
	return a.multiply(g, func(low, high float64) float64 { return 2 / (low + high) })
}

// lower divides g by a number, if need be, so that W = I − L(g) has no negative entry, and returns its r_asym.
func (a *appraiser) lower(g []float64) float64 {
	return a.multiply(g, func(_, _ float64) float64 { return 1 })
}

// multiply is scale with the best factor between the eigenvalues of L(g), if rows leave room for that.
func (a *appraiser) multiply(g []float64, best func(low, high float64) float64) float64 {
	a.load(g)
	values, ok := a.eigen.Values(a.laplacian)
	if !ok || values[1] <= 0 {
		return 1
	}
	low, high := values[1], values[a.n-1]
	factor := min(best(low, high), allowed/slices.Max(a.degree))
	for k := range g {
		g[k] *= factor
	}
	return max(math.Abs(1-factor*low), math.Abs(1-factor*high))
}

// allowed is the largest weighted degree: a hair less than 1, so that no self weight is rounded to below 0.
const allowed = 1 - 1e-14

// load writes L(g).
func (a *appraiser) load(g []float64) {
	raw := a.laplacian.RawSymmetric()
	clear(raw.Data)
	clear(a.degree)
	for k, e := range a.edges {
		a.degree[e.I] += g[k]
		a.degree[e.J] += g[k]
		raw.Data[e.I*raw.Stride+e.J] = -g[k]
	}
	for i, d := range a.degree {
		raw.Data[i*raw.Stride+i] = d
	}
}

// A candidate is a feasible choice of edges with valid weights: a plan in the making.
type candidate struct {
	chosen  []bool
	weights []float64 // per candidate edge; 0 where not chosen
	rAsym   float64
}

// appraise gives a feasible choice its first weights: those of g if they serve, the best
// constant if that is better. Both cost one set of eigenvalues.
func (a *appraiser) appraise(chosen []bool, g []float64) candidate {
	constant, copied := make([]float64, len(g)), make([]float64, len(g))
	sum, count := 0.0, 0
	for k, in := range chosen {
		if in {
			sum += g[k]
			count++
		}
	}
	// Edges that rounding brought in may have no weight yet; give them something to begin with.
	least := sum / float64(count) / 4
	for k, in := range chosen {
		if in {
			constant[k], copied[k] = 1, max(g[k], least)
		}
	}
	best := candidate{chosen: slices.Clone(chosen), weights: constant, rAsym: a.scale(constant)}
	if r := a.scale(copied); sum > 0 && r < best.rAsym {
		best.weights, best.rAsym = copied, r
	}
	return best
}

// A shortlist keeps the best few candidates with different edges, best first.
type shortlist struct {
	most int
	list []candidate
}

func (s *shortlist) offer(c candidate) {
	k := slices.IndexFunc(s.list, func(known candidate) bool { return slices.Equal(known.chosen, c.chosen) })
	switch {
	case k < 0:
		s.list = append(s.list, c)
	case c.rAsym < s.list[k].rAsym:
		s.list[k] = c
	}
	s.sort()
	s.list = s.list[:min(len(s.list), s.most)]
}

func (s *shortlist) sort() {
	slices.SortStableFunc(s.list, func(a, b candidate) int { return cmp.Compare(a.rAsym, b.rAsym) })
}
