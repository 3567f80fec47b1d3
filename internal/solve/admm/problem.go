package admm

import (
	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/feasible"
	"github.com/batopo/batopo/topology"
)

// A problem is (20), or (28) when there are limits, laid out for the iteration. It is
// not written after newProblem.
type problem struct {
	layout
	budget   int             // r
	edges    []topology.Edge // candidates
	entry    []int           // edge {i, j} → place of (i, j) in a packed triangle
	diagonal []int           // node i → place of (i, i) in a packed triangle
	rows     [][]int         // M by rows: the candidates on each limit
	uses     [][]int         // M by columns: the limits of each candidate
	capacity []float64       // e
	alpha    float64         // α
	sparse   bool            // |x₁|₀ ≤ r also where z is selected
}

// newProblem lays out a valid space. Limits that say nothing are left out: those that cannot be exceeded, and, if
// limits must be met exactly, those that follow from others. So are limits of an Exact space that need not be met: the
// paper's M has none, and rounding keeps them.
func newProblem(space design.Space) (*problem, error) {
	p := &problem{budget: space.MaxEdges, edges: space.Candidates, alpha: 1}
	p.n, p.m = space.Nodes, len(space.Candidates)
	p.diagonal = make([]int, p.n)
	for i := range p.n {
		p.diagonal[i] = i*p.n - i*(i-1)/2
	}
	p.entry = make([]int, p.m)
	for k, e := range p.edges {
		p.entry[k] = p.diagonal[e.I] + e.J - e.I
	}
	kept, err := bindingLimits(space)
	if err != nil {
		return nil, err
	}
	p.uses = make([][]int, p.m)
	for a, l := range kept {
		limit := space.Limits[l]
		p.rows = append(p.rows, limit.Edges)
		p.capacity = append(p.capacity, float64(limit.Max))
		for _, k := range limit.Edges {
			p.uses[k] = append(p.uses[k], a)
		}
	}
	p.q = len(p.rows)
	p.selecting = p.q > 0
	p.slack = p.selecting && !space.Exact
	return p, nil
}

func bindingLimits(space design.Space) (kept []int, err error) {
	if space.Exact {
		return feasible.IndependentLimits(space)
	}
	for l, limit := range space.Limits {
		if limit.Max < len(limit.Edges) {
			kept = append(kept, l)
		}
	}
	return kept, nil
}

// frozen returns the problem of the weights alone on some of the candidates: no limits,
// and a budget that allows all of them.
func (p *problem) frozen(chosen []bool) *problem {
	var edges []topology.Edge
	for k, in := range chosen {
		if in {
			edges = append(edges, p.edges[k])
		}
	}
	f, err := newProblem(design.Space{Nodes: p.n, Candidates: edges, MaxEdges: len(edges)})
	if err != nil {
		panic(err) // only limits can be wrong, and there are none
	}
	f.alpha = p.alpha
	return f
}

// satisfy sets S, y, T (and ν, w) of x from g and λ̃ (and z) by the equations of (20), (28):
//
//	S = −(L − λ̃ I + α11ᵀ/n),  T = 2I − (L + λ̃ I),  y = 1 − diag(L),  ν = z − g,  w = e − M z
func (p *problem) satisfy(x *point) {
	for k := range x.s {
		x.s[k] = -p.alpha / float64(p.n)
	}
	clear(x.t)
	for i := range x.y {
		x.y[i] = 1
	}
	for k, e := range p.edges {
		g, at := x.g[k], p.entry[k]
		x.s[at] += g
		x.t[at] = g
		x.y[e.I] -= g
		x.y[e.J] -= g
	}
	lambda := x.lambda[0]
	for i, at := range p.diagonal {
		degree := 1 - x.y[i]
		x.s[at] += lambda - degree
		x.t[at] = 2 - lambda - degree
	}
	for k := range x.nu {
		x.nu[k] = x.z[k] - x.g[k]
	}
	for a := range x.w {
		x.w[a] = p.capacity[a]
		for _, k := range p.rows[a] {
			x.w[a] -= x.z[k]
		}
	}
}
