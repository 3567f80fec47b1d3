package search

import (
	"math"

	"batopo/design"
	"batopo/topology"
)

// simplest returns a circulant graph with weights in closed form, for a search that was stopped before it had met any graph: node i is
// joined to those at shifts that grow geometrically, as many as every node's limit and the budget of edges allow. It is nil where not even a ring
// fits, and for up to mostFree nodes, of which a search meets its first graph at once.
func simplest(p Problem) *Candidate {
	p = p.plain()
	if p.Space != nil || p.Nodes <= mostFree {
		return nil
	}
	degree := 2 * p.MaxEdges / p.Nodes
	for i := range p.Nodes {
		degree = min(degree, p.degree(i))
	}
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
