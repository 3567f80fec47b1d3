package search

import (
	"math/rand/v2"
	"slices"

	"github.com/batopo/batopo/topology"
)

// Symmetry and random starts find no good graph with hardly more edges than a tree. Good ones have a few hubs, joined
// by a core of edges, and all other nodes are leaves on them, evenly; the best tree is the star, one hub and no core.
// So where edges are scarce the last rounds go on from graphs of that kind.
const (
	nearTree     = 1.1 // edges per node, from which on the usual rounds do better
	nearPart     = 0.3 // of the evaluations, on top of them
	nearKeep     = 3   // of these graphs that are gone on from
	mostTrees    = 16  // graphs whose weights are found
	fewestTrees  = 4   // the same on more nodes than
	fewForTrees  = 150
	mostForTrees = 1 << 14 // nodes: a wiring without symmetry has a bit per pair
)

// nearTree reports whether the rounds for scarce edges are made.
func (p *Portfolio) nearTree() bool {
	return p.free().size == 1 && p.problem.Nodes <= mostForTrees &&
		float64(p.problem.budget()) <= nearTree*float64(p.problem.Nodes)
}

// free is the problem without symmetry, and without the degree limit of the usual rounds.
func (p *Portfolio) free() *frame {
	if p.loose != nil {
		return p.loose[0]
	}
	return p.frames[0]
}

// trees returns tasks that find the weights of graphs on a few hubs, as far as these fit.
func (p *Portfolio) trees() []Task {
	most := mostTrees
	if p.problem.Nodes > fewForTrees {
		most = fewestTrees
	}
	var tasks []Task
	var seen [][]topology.Arc
	rank := p.byRoom()
	for _, c := range cores(p.problem.Nodes, p.problem.budget()-p.problem.Nodes) {
		w := newWiring(p.free())
		if !w.hang(c, rank) {
			continue
		}
		w.fill(rand.New(rand.NewPCG(p.seed, uint64(len(tasks))<<32|4)))
		arcs := slices.Clone(w.arcs)
		slices.SortFunc(arcs, topology.Arc.Compare)
		if w.missing() > 0 || slices.ContainsFunc(seen, func(s []topology.Arc) bool { return slices.Equal(s, arcs) }) {
			continue
		}
		seen = append(seen, arcs)
		tasks = append(tasks, p.task(p.free(), &Solution{frame: p.free(), arcs: w.arcs}, 1, firstHeat, len(tasks)))
		if len(tasks) == most {
			break
		}
	}
	return tasks
}

// byRoom orders nodes by how many neighbours they may have at most, those with the most first.
func (p *Portfolio) byRoom() []int {
	f := p.free()
	room := make([]int, f.orbits)
	for i := range room {
		if f.table == nil {
			room[i] = f.caps[i]
			continue
		}
		w := newWiring(f)
		for j := range f.orbits {
			if a := arcBetween(i, j); i != j && w.fits(a) {
				w.add(a)
			}
		}
		room[i] = len(w.arcs)
	}
	order := topology.InOrder(f.orbits)
	slices.SortStableFunc(order, func(i, j int) int { return room[j] - room[i] })
	return order
}

func arcBetween(i, j int) topology.Arc { return topology.Arc{A: min(i, j), B: max(i, j)} }

// hang makes a core of the first nodes and hangs all others on it, in that order: on the hub with the fewest neighbours
// that may have one more, else on a node as near to the hubs as can be. It reports whether all nodes could be joined.
func (w *wiring) hang(c core, order []int) bool {
	join := func(i, j int) bool {
		a := arcBetween(i, j)
		if !w.fits(a) {
			return false
		}
		w.add(a)
		return true
	}
	neighbors := make([]int, c.hubs)
	for _, e := range c.edges {
		if join(order[e.I], order[e.J]) {
			neighbors[e.I]++
			neighbors[e.J]++
		}
	}
	hubs := topology.InOrder(c.hubs)
	full := 0 // of the joined nodes, those before have no room left
	for k := c.hubs; k < len(order); k++ {
		slices.SortStableFunc(hubs, func(i, j int) int { return neighbors[i] - neighbors[j] })
		at := slices.IndexFunc(hubs, func(h int) bool { return join(order[h], order[k]) })
		if at >= 0 {
			neighbors[hubs[at]]++
			continue
		}
		if w.f.table != nil {
			full = c.hubs // it depends on the pair whether there is room
		}
		for full = max(full, c.hubs); full < k && !join(order[full], order[k]); full++ {
		}
		if full == k {
			return false
		}
	}
	g, _ := w.f.lift(w.arcs).Graph()
	return g.Connected()
}
