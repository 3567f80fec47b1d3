package search

import (
	"math/bits"
	"slices"
	"sync"
)

// A smallGraph holds the neighbours of up to eight nodes as bits.
type smallGraph struct {
	n   int
	row [8]uint8
}

func (g smallGraph) degree(i int) int { return bits.OnesCount8(g.row[i]) }

func (g smallGraph) edges() int {
	sum := 0
	for i := range g.n {
		sum += g.degree(i)
	}
	return sum / 2
}

func (g smallGraph) connected() bool {
	reached := uint8(1)
	for {
		next := reached
		for i := range g.n {
			if reached>>i&1 == 1 {
				next |= g.row[i]
			}
		}
		if next == reached {
			return bits.OnesCount8(reached) == g.n
		}
		reached = next
	}
}

// extensible reports whether another edge fits into the budget and the degree limit.
func (g smallGraph) extensible(budget, most int) bool {
	if g.edges() >= budget {
		return false
	}
	for i := range g.n {
		for j := range i {
			if g.row[i]>>j&1 == 0 && g.degree(i) < most && g.degree(j) < most {
				return true
			}
		}
	}
	return false
}

// code packs the lower triangle into an integer: two graphs with the same
// code are the same, node by node.
func (g smallGraph) code() uint32 {
	var c uint32
	for i := range g.n {
		c = c<<i | uint32(g.row[i]&(1<<i-1))
	}
	return c
}

// allGraphs returns one graph of every isomorphism class on n ≤ 8 nodes within limits on edges and degrees, connected
// or not.
func allGraphs(n, edges, degree int) []smallGraph {
	graphs := slices.DeleteFunc(slices.Clone(classes[n]()), func(g smallGraph) bool {
		for i := range n {
			if g.degree(i) > degree {
				return true
			}
		}
		return g.edges() > edges
	})
	// Fewest edges last: good values come early and cut the rest short.
	slices.SortStableFunc(graphs, func(a, b smallGraph) int { return b.edges() - a.edges() })
	return graphs
}

// classes[n]() has one graph of every isomorphism class on n nodes. Each is one on n−1 nodes plus a node; canonical
// forms show which ones are new. They are found once: every budget of a sweep asks for them.
var classes [ExhaustiveNodes + 1]func() []smallGraph

func init() {
	classes[1] = func() []smallGraph { return []smallGraph{{n: 1}} }
	for n := 2; n < len(classes); n++ {
		classes[n] = sync.OnceValue(func() (out []smallGraph) {
			seen := map[uint32]bool{}
			for _, g := range classes[n-1]() {
				g.n = n
				for neighbours := range uint8(1 << (n - 1)) {
					h := g.join(neighbours).canonical()
					if code := h.code(); !seen[code] {
						seen[code] = true
						out = append(out, h)
					}
				}
			}
			return out
		})
	}
}

// join connects the last node to a set of others.
func (g smallGraph) join(neighbours uint8) smallGraph {
	last := g.n - 1
	g.row[last] = neighbours
	for i := range last {
		g.row[i] |= neighbours >> i & 1 << last
	}
	return g
}

// canonical returns the graph with the smallest code among those relabellings that sort the
// nodes by an invariant partition: all of them are tried, so isomorphic graphs end up equal.
func (g smallGraph) canonical() smallGraph {
	var best smallGraph
	bestCode := ^uint32(0)
	var colour [8]uint8
	g.refine(&colour)
	g.search(colour, func(order [8]uint8) {
		h := g.relabel(order)
		if c := h.code(); c < bestCode {
			best, bestCode = h, c
		}
	})
	return best
}

// refine splits colour classes by how many neighbours of each colour their nodes have, until nothing
// changes. Colours are numbered by what the nodes look like, not by their names.
func (g smallGraph) refine(colour *[8]uint8) {
	for classes := 0; ; {
		var look, room [8]uint64
		distinct := room[:0]
		for i := range g.n {
			// The colour, then the number of neighbours of each colour, four bits each.
			look[i] = uint64(colour[i]) << 36
			for j := range g.n {
				if g.row[i]>>j&1 == 1 {
					look[i] += 1 << (4 * colour[j])
				}
			}
			distinct = append(distinct, look[i])
		}
		slices.Sort(distinct)
		distinct = slices.Compact(distinct)
		for i := range g.n {
			at, _ := slices.BinarySearch(distinct, look[i])
			colour[i] = uint8(at)
		}
		if len(distinct) == classes {
			return
		}
		classes = len(distinct)
	}
}

// search calls yield with every order of the nodes that individualisation and refinement lead to:
// in the first class with several nodes each is singled out in turn.
func (g smallGraph) search(colour [8]uint8, yield func(order [8]uint8)) {
	var size [9]int
	for i := range g.n {
		size[colour[i]]++
	}
	for class := range g.n {
		if size[class] <= 1 {
			continue
		}
		for i := range g.n {
			if int(colour[i]) != class {
				continue
			}
			split := colour
			for j := range g.n {
				// Make room: the chosen node keeps its number, all others at or above move up.
				if j != i && int(colour[j]) >= class {
					split[j]++
				}
			}
			g.refine(&split)
			g.search(split, yield)
		}
		return
	}
	yield(colour)
}

// relabel calls node i order[i].
func (g smallGraph) relabel(order [8]uint8) smallGraph {
	h := smallGraph{n: g.n}
	for i := range g.n {
		for j := range g.n {
			h.row[order[i]] |= g.row[i] >> j & 1 << order[j]
		}
	}
	return h
}
