package replan

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/batopo/batopo/cluster"
	"github.com/batopo/batopo/topology"
)

// worthExchanging is the part by which the spread must shrink for two edges to change: every change costs something.
const worthExchanging = 1e-3

// An edit is a set of edges on its way from those of the running plan to better ones.
type edit struct {
	room    *room
	spread  *spread
	edges   []topology.Edge
	weight  map[topology.Edge]float64 // of the running plan
	changes int                       // dropped and added so far
	most    int
	value   float64 // by spread
}

func newEdit(c *cluster.Cluster, degree, most int, weight map[topology.Edge]float64, s *spread) *edit {
	edges := make([]topology.Edge, 0, len(weight))
	for e := range weight {
		edges = append(edges, e)
	}
	slices.SortFunc(edges, topology.Edge.Compare)
	return &edit{room: newRoom(c, degree, edges), spread: s, edges: edges, weight: weight, most: most}
}

// distance counts the edges that are not in both sets.
func (e *edit) distance(edges []topology.Edge) int {
	kept := 0
	for _, x := range edges {
		if _, old := e.weight[x]; old {
			kept++
		}
	}
	return len(edges) + len(e.weight) - 2*kept
}

func (e *edit) set(edges []topology.Edge) {
	e.edges, e.changes = edges, e.distance(edges)
}

func (e *edit) judge() float64 { return e.spread.value(e.edges, e.room.degrees) }

// thin drops edges until every resource carries what it may: of those on the resource with the most too many the one
// of least weight whose loss leaves the graph whole. It reports whether that was possible within the changes.
func (e *edit) thin() bool {
	for e.room.tooMuch() > 0 {
		if e.changes >= e.most {
			return false
		}
		k := e.lightest(e.busiest())
		if k < 0 {
			return false
		}
		e.room.count(e.edges[k], -1)
		e.set(slices.Delete(slices.Clone(e.edges), k, k+1))
	}
	return true
}

// busiest returns the resource that carries the most edges too many.
func (e *edit) busiest() int {
	worst, most := -1, 0
	for l, load := range e.room.load {
		if over := load - e.room.may[l]; over > most {
			worst, most = l, over
		}
	}
	return worst
}

// lightest returns the edge of least weight on a resource whose loss leaves the graph connected; −1: none.
func (e *edit) lightest(resource int) int {
	var on []int
	for k, x := range e.edges {
		if slices.Contains(e.room.resources(x), resource) {
			on = append(on, k)
		}
	}
	slices.SortStableFunc(on, func(a, b int) int { return cmp.Compare(e.weight[e.edges[a]], e.weight[e.edges[b]]) })
	for _, k := range on {
		if e.connectedWithout(k) {
			return k
		}
	}
	return -1
}

func (e *edit) connectedWithout(k int) bool {
	rest := slices.Delete(slices.Clone(e.edges), k, k+1)
	g, err := topology.New(e.room.c.Nodes(), rest)
	return err == nil && g.Connected()
}

// fill adds edges where there is room, the most useful of a few random ones each time.
func (e *edit) fill(rng *rand.Rand, tries int) {
	for e.changes < e.most {
		open := e.open()
		if len(open) == 0 {
			return
		}
		rng.Shuffle(len(open), func(a, b int) { open[a], open[b] = open[b], open[a] })
		best, value := topology.Edge{}, 2.0
		for _, x := range open[:min(tries, len(open))] {
			if v := e.with(x); v < value {
				best, value = x, v
			}
		}
		e.room.count(best, 1)
		e.set(append(slices.Clone(e.edges), best))
		slices.SortFunc(e.edges, topology.Edge.Compare)
	}
}

// with judges one more edge.
func (e *edit) with(x topology.Edge) float64 {
	e.room.count(x, 1)
	v := e.spread.value(append(e.edges, x), e.room.degrees)
	e.room.count(x, -1)
	return v
}

// open lists the pairs that have room for an edge.
func (e *edit) open() []topology.Edge {
	var out []topology.Edge
	taken := map[topology.Edge]bool{}
	for _, x := range e.edges {
		taken[x] = true
	}
	for _, x := range e.room.c.Candidates() {
		if !taken[x] && e.room.fits(x) {
			out = append(out, x)
		}
	}
	return out
}

// exchange takes two edges a–b, c–d and makes them a–c, b–d wherever that spreads the eigenvalues less.
func (e *edit) exchange(rng *rand.Rand, tries int) {
	e.value = e.judge()
	for range tries {
		k, l := rng.IntN(len(e.edges)), rng.IntN(len(e.edges))
		x, y := e.edges[k], e.edges[l]
		if rng.IntN(2) == 0 {
			y.I, y.J = y.J, y.I
		}
		p, q := topology.Edge{I: min(x.I, y.I), J: max(x.I, y.I)}, topology.Edge{I: min(x.J, y.J), J: max(x.J, y.J)}
		if p.I == p.J || q.I == q.J || p == q || slices.Contains(e.edges, p) || slices.Contains(e.edges, q) {
			continue
		}
		next := slices.Clone(e.edges)
		next[k], next[l] = p, q
		if e.distance(next) > e.most {
			continue
		}
		e.try(next, [2]topology.Edge{e.edges[k], e.edges[l]}, [2]topology.Edge{p, q})
	}
	slices.SortFunc(e.edges, topology.Edge.Compare)
}

// try goes over to the next edges if they fit and are better.
func (e *edit) try(next []topology.Edge, out, in [2]topology.Edge) {
	e.room.count(out[0], -1)
	e.room.count(out[1], -1)
	fits := e.room.fits(in[0])
	if fits {
		e.room.count(in[0], 1)
		fits = e.room.fits(in[1])
		e.room.count(in[0], -1)
	}
	if fits {
		e.room.count(in[0], 1)
		e.room.count(in[1], 1)
		if v := e.spread.value(next, e.room.degrees); v < e.value*(1-worthExchanging) {
			e.value = v
			e.set(next)
			return
		}
		e.room.count(in[0], -1)
		e.room.count(in[1], -1)
	}
	e.room.count(out[0], 1)
	e.room.count(out[1], 1)
}
