package search

import (
	"context"
	"math"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/topology"
)

// first returns the better of two graphs that take no search, for one that was stopped before it had met any, as
// happens while relatives of other sizes are searched; nil where there is neither.
func (p *Portfolio) first(ctx context.Context) *Solution {
	var best *Solution
	if p.problem.Symmetry != OnlyFree {
		best = simplest(p.problem)
	}
	for _, f := range p.frames {
		if f.size > 1 || f.orbits > mostFree {
			continue
		}
		// After ctx has ended a task finds the weights of its start, and does no more.
		c, err := p.task(f, nil, 1, 0, 0).Run(ctx, nil)
		if err == nil && c != nil && (best == nil || c.Value(p.problem) < best.Value(p.problem)) {
			best = c
		}
	}
	return best
}

// simplest returns a circulant graph with weights in closed form: node i is joined to those at shifts that grow
// geometrically, as many as every node's limit and the budget of edges allow. It is nil where not even a ring fits.
func simplest(p Problem) *Solution {
	p = p.plain()
	if p.Space != nil {
		return nil
	}
	degree := p.everywhere()
	if degree < 2 {
		return nil
	}
	// More shifts make no better first plan, and a larger graph takes longer to write down.
	const most = 8
	count := min(degree/2, most, (p.Nodes-1)/2)
	q := Problem{Nodes: p.Nodes, MaxEdges: count * p.Nodes, MaxDegree: 2 * count}
	f := degreeFrame(q, q.Nodes)
	w := newWiring(f)
	for k := range count {
		shift := int(math.Round(math.Pow(float64(p.Nodes)/2, float64(k)/float64(count))))
		for ; shift <= (p.Nodes-1)/2; shift++ {
			if a := (topology.Arc{S: shift}); w.fits(f.lift(nil).Canonical(a)) {
				w.add(f.lift(nil).Canonical(a))
				break
			}
		}
	}
	c := newCandidate(f, w.arcs, scaled(f, w.arcs, p.weighing(coarse, 0)))
	c.Stop = design.Interrupted
	return c
}
