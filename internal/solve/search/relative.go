package search

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/batopo/batopo/topology"
)

// A relative is a search for a graph with a few nodes more or less than wanted. Numbers like
// primes have no symmetry worth the name, but their neighbours have; a good graph on one more node,
// less that node, is a better start than a random one.
type relative struct {
	portfolio *Portfolio
	offset    int // its nodes minus the problem's
	tasks     int // in the round under way
	done      bool
}

const (
	relativePart = 0.5 // of the budget that goes to relatives
	mostFree     = 600 // nodes for which a search without symmetry is affordable
	mostListed   = 256 // nodes for which it is worth that on restricted problems that have symmetries: n³ each time
	transplants  = 8   // starts made from a relative
	mostHubbed   = 64  // nodes of a graph for which hubs are tried
)

// rich reports whether some symmetry leaves enough freedom.
func rich(frames []*frame, nodes int) bool {
	return slices.ContainsFunc(frames, func(f *frame) bool {
		return f.size > 2 && f.orbits >= fewestOrbits(nodes) && f.orbits <= mostOrbits
	})
}

// fewestOrbits is how many orbits a promising symmetry has: with few of them graphs
// mix ever worse as they grow.
func fewestOrbits(nodes int) int { return max(2, int(math.Log2(float64(nodes)))-5) }

// relatives returns searches for the nearest numbers of nodes that have rich symmetries.
func relatives(p Problem, seed uint64, evaluations int) []*relative {
	var out []*relative
	if p.Nodes < 9 {
		return nil
	}
	for _, offset := range []int{1, -1, 2, -2} {
		q := p
		q.Nodes += offset
		q.Degrees = nil
		q.MaxDegree = p.degree(0)
		// Taking a node out frees its edges; putting one in splits half as many.
		q.MaxEdges = min(p.MaxEdges+offset*q.MaxDegree, q.Nodes*q.MaxDegree/2)
		if offset < 0 {
			q.MaxEdges = p.MaxEdges + offset*((q.MaxDegree+1)/2)
		}
		if q.Validate() != nil || !rich(frames(q, nil), q.Nodes) {
			continue
		}
		sub := &Portfolio{problem: q, seed: seed + uint64(offset)<<40, frames: frames(q, nil)}
		sub.frames = slices.DeleteFunc(sub.frames, func(f *frame) bool { return f.size == 1 })
		out = append(out, &relative{portfolio: sub, offset: offset})
		if len(out) == 2 {
			break
		}
	}
	for _, r := range out {
		r.portfolio.budget = evaluations / len(out)
		r.portfolio.divide()
	}
	return out
}

// relativeTasks returns the next tasks of all relatives that are still searching.
func (p *Portfolio) relativeTasks() []Task {
	var tasks []Task
	for _, r := range p.relatives {
		r.tasks = 0
		if r.done {
			continue
		}
		next := r.portfolio.Next()
		r.tasks, r.done = len(next), next == nil
		for _, t := range next {
			t.foreign = true
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// mergeRelatives hands results to the relatives whose tasks they are; false when no
// relative is searching.
func (p *Portfolio) mergeRelatives(results []*Solution) bool {
	active := false
	for _, r := range p.relatives {
		if r.tasks > 0 {
			r.portfolio.Merge(results[:r.tasks])
			results, active = results[r.tasks:], true
		}
	}
	return active
}

// transplanted returns starts for the problem made from the best graphs of the relatives.
func (p *Portfolio) transplanted() []*Solution {
	free := p.frames[0]
	var out []*Solution
	for _, r := range p.relatives {
		if len(r.portfolio.pool) == 0 {
			continue
		}
		for i := range transplants {
			// The best twice, in case a node was missed badly.
			c := r.portfolio.pool[min(i/2, len(r.portfolio.pool)-1)]
			rng := rand.New(rand.NewPCG(p.seed, uint64(i)<<32|1))
			w := newWiring(free)
			w.graft(c.Graph, rng)
			w.fill(rng)
			out = append(out, &Solution{frame: free, arcs: w.arcs, Evaluations: c.Evaluations})
		}
	}
	return out
}

// graft fills a wiring without symmetry from a graph with more or fewer nodes.
func (w *wiring) graft(g *topology.Graph, rng *rand.Rand) {
	edges := slices.Clone(g.Edges())
	rng.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
	// Which nodes go is left to chance: they change places with the last ones.
	name := topology.InOrder(g.Nodes())
	for last := g.Nodes() - 1; last >= w.f.orbits; last-- {
		i := rng.IntN(last + 1)
		name[i], name[last] = name[last], name[i]
	}
	for k, e := range edges {
		edges[k] = topology.Edge{I: name[e.I], J: name[e.J]}
	}
	add := func(i, j int) {
		if a := (topology.Arc{A: min(i, j), B: max(i, j)}); i != j && w.fits(a) {
			w.add(a)
		}
	}
	// A node that is put in sits on edges, as on subdivided roads: both ends become its neighbours.
	for extra := g.Nodes(); extra < w.f.orbits; extra++ {
		for range w.f.caps[extra] / 2 {
			last := len(edges) - 1
			add(edges[last].I, extra)
			add(edges[last].J, extra)
			edges = edges[:last]
		}
	}
	for _, e := range edges {
		if max(e.I, e.J) < w.f.orbits {
			add(e.I, e.J)
		}
	}
}

// hubs returns starts in which one or two nodes know all others, when no limit forbids that and edges are
// scarce: a star is the best tree, but random starts do not find it.
func (p *Portfolio) hubs() []*Solution {
	n, free := p.problem.Nodes, p.loose[0]
	if p.problem.degree(0) < n-1 || p.problem.MaxEdges > 2*n || n > mostHubbed || free.size > 1 {
		return nil
	}
	var out []*Solution
	for count := 1; count <= 2; count++ {
		w := newWiring(free)
		for hub := range count {
			for i := hub + 1; i < n; i++ {
				if a := (topology.Arc{A: hub, B: i}); w.fits(a) {
					w.add(a)
				}
			}
		}
		w.fill(rand.New(rand.NewPCG(p.seed, uint64(count)<<32|2)))
		out = append(out, &Solution{frame: free, arcs: w.arcs})
	}
	return out
}
