package search

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/batopo/batopo/internal/ground/spectral"
	"github.com/batopo/batopo/topology"
)

// A core is a graph on hubs 0 … hubs−1; leaves are hung on them evenly.
type core struct {
	hubs  int
	edges []topology.Edge
	value float64 // r_asym with the best of a few simple weights
}

const (
	mostHubs   = 24
	weightings = 16 // shares of a hub's weight that are tried for its core edges
)

// cores lists how the hubs of a graph that has spare edges more than nodes may be joined, the most promising first: by
// a path or a star of all of them, and by as many chords as there are edges left. Cores of fewer edges are among them,
// since what is left over may be worth more elsewhere.
func cores(nodes, spare int) []core {
	var out []core
	spares := []int{-1, 0, spare / 2, spare - 1, spare}
	slices.Sort(spares)
	for _, spare := range slices.Compact(spares) {
		for hubs := 1; hubs <= min(nodes, mostHubs) && spare >= -1; hubs++ {
			count := min(hubs+spare, topology.Pairs(hubs))
			var path, star []topology.Edge
			for i := 1; i < hubs; i++ {
				path, star = append(path, topology.Edge{I: i - 1, J: i}), append(star, topology.Edge{I: 0, J: i})
			}
			for _, edges := range [][]topology.Edge{path, star} {
				c := core{hubs: hubs, edges: withChords(hubs, count, edges)}
				c.value = c.estimate(nodes)
				out = append(out, c)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b core) int { return cmp.Compare(a.value, b.value) })
	return out
}

// withChords adds edges up to a number, between hubs of few neighbours that are far apart on the ring of all.
func withChords(hubs, count int, edges []topology.Edge) []topology.Edge {
	degree := make([]int, hubs)
	for _, e := range edges {
		degree[e.I]++
		degree[e.J]++
	}
	rest := slices.DeleteFunc(topology.AllPairs(hubs), func(e topology.Edge) bool { return slices.Contains(edges, e) })
	apart := func(e topology.Edge) int { return min(e.J-e.I, hubs-e.J+e.I) }
	for len(edges) < count {
		best := slices.MinFunc(rest, func(a, b topology.Edge) int {
			return cmp.Or(max(degree[a.I], degree[a.J])-max(degree[b.I], degree[b.J]),
				degree[a.I]+degree[a.J]-degree[b.I]-degree[b.J], apart(b)-apart(a))
		})
		edges = append(edges, best)
		degree[best.I]++
		degree[best.J]++
		rest = slices.DeleteFunc(rest, func(e topology.Edge) bool { return e == best })
	}
	return edges
}

// estimate returns r_asym under equal weights on the core, of the best size, with leaves that share what is left of
// their hub. Leaves of one hub are alike: a hub and the mean of its leaves stand for all of them.
func (c core) estimate(nodes int) float64 {
	degree := make([]int, c.hubs)
	for _, e := range c.edges {
		degree[e.I]++
		degree[e.J]++
	}
	leaves := make([]int, c.hubs)
	for k := range nodes - c.hubs {
		leaves[k%c.hubs]++
	}
	m, solver := spectral.NewSym(2*c.hubs), spectral.NewOwnEigen(2*c.hubs)
	best := 1.0
	for k := range weightings {
		share := float64(k+1) / (weightings + 1) / float64(max(1, slices.Max(degree)))
		best = min(best, c.contraction(m, solver, share, degree, leaves))
	}
	return best
}

func (c core) contraction(m *mat.SymDense, solver *spectral.Eigen, share float64, degree, leaves []int) float64 {
	m.Zero()
	worst := 0.0
	for h := range c.hubs {
		left := 1 - share*float64(degree[h])
		if leaves[h] == 0 {
			m.SetSym(h, h, left)
			continue
		}
		w := left / float64(leaves[h])
		m.SetSym(c.hubs+h, c.hubs+h, 1-w)
		m.SetSym(h, c.hubs+h, w*math.Sqrt(float64(leaves[h])))
		if leaves[h] > 1 {
			worst = max(worst, 1-w)
		}
	}
	for _, e := range c.edges {
		m.SetSym(e.I, e.J, share)
	}
	values, ok := solver.Values(m)
	if !ok {
		return 1
	}
	// The last is the 1 of the mean of all nodes. A hub without leaves has an entry 0 in place of theirs.
	return max(worst, math.Abs(values[0]), math.Abs(values[len(values)-2]))
}
