package search

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/topology"
)

// mostRows is the largest number of nodes whose graphs are listed here.
const mostRows = 16

// A wired graph holds the neighbours of up to 16 nodes as bits.
type wired [mostRows]uint16

// A quest lists the 4-regular graphs on a number of nodes in which every node has enough nodes within two steps, itself
// included.
type quest struct {
	nodes, within int
}

const four = 4 // the degree of every node

// All graphs are listed: the counts are those of OEIS A006820.
func TestConnectedQuarticGraphsAreCounted(t *testing.T) {
	for nodes, want := range map[int]int{8: 6, 10: 59, 11: 265} {
		if got := len(quest{nodes: nodes}.graphs()); got != want {
			t.Errorf("%d connected 4-regular graphs on %d nodes; there are %d", got, nodes, want)
		}
	}
	wide := quest{nodes: 11, within: 11}
	all := slices.DeleteFunc(quest{nodes: 11}.graphs(), func(g wired) bool { return !wide.roomy(g) })
	if got := wide.graphs(); len(all) == 0 || !slices.Equal(got, all) {
		t.Errorf("%d graphs on 11 nodes have all nodes within two steps; %d were listed", len(all), len(got))
	}
}

// No 4-regular graph on 12 nodes is better than the 0.4 that the search finds: all of them get their best weights. On
// 16 nodes only those do in which every node has 14 nodes within two steps; the ball argument refuses the others.
func TestNoQuarticGraphIsBetter(t *testing.T) {
	if testing.Short() {
		t.Skip("solves 2258 graphs twice; make deep does")
	}
	for _, test := range []struct {
		nodes, within int
		graphs        int
		best          float64
	}{
		{12, 0, 1544, 0.4},
		{16, 14, 714, 0.458123},
	} {
		if least := leastBall(test.nodes, test.best); test.within > least {
			t.Fatalf("graphs on %d nodes may be better with balls of %d", test.nodes, least)
		}
		graphs := quest{test.nodes, test.within}.graphs()
		if len(graphs) != test.graphs {
			t.Fatalf("%d graphs on %d nodes, want %d", len(graphs), test.nodes, test.graphs)
		}
		for _, sign := range []design.Sign{design.NonNegative, design.Free} {
			p := Problem{Nodes: test.nodes, MaxEdges: 2 * test.nodes, Sign: sign}
			c := &census{problem: p, frame: degreeFrame(p, 1)}
			for _, g := range graphs {
				if err := c.look(t.Context(), g.arcs()); err != nil {
					t.Fatal(err)
				}
			}
			best, err := c.finish(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got := best.Value(p); math.Abs(got-test.best) > 1e-6 {
				t.Errorf("%d nodes, %s: the best of all has r_asym %.6f, want %.6f", test.nodes, sign, got, test.best)
			}
		}
	}
}

// leastBall is how many nodes every node has within two steps where r_asym is below rate: 1/B ≤ 1/n + (1 − 1/n)/T² with
// T the Chebyshev polynomial of degree 2 at 1/rate.
func leastBall(nodes int, rate float64) int {
	n, t := float64(nodes), 2/(rate*rate)-1
	return int(math.Ceil(n / (1 + (n-1)/(t*t))))
}

// graphs lists the connected ones, one of each isomorphism class. A graph without edges grows: one node at a time gets
// all the neighbours it still needs, in every way, and of isomorphic results one is kept. Which node is next does not
// matter, since it gets its neighbours in every complete graph.
func (q quest) graphs() []wired {
	var complete []wired
	for level := []wired{{}}; len(level) > 0; {
		var next []wired
		seen := map[wired]bool{}
		for _, g := range level {
			q.fill(g, q.open(g), 0, func(h wired) {
				if h = q.canonical(h); seen[h] {
					return
				}
				seen[h] = true
				if q.open(h) >= 0 {
					next = append(next, h)
				} else if q.connected(h) {
					complete = append(complete, h)
				}
			})
		}
		level = next
	}
	slices.SortFunc(complete, func(a, b wired) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(complete) // the last nodes may be complete together, so levels may have graphs in common
}

// open returns the node with the most neighbours among those that need more; −1: none does.
func (q quest) open(g wired) int {
	node, most := -1, -1
	for i := range q.nodes {
		if d := bits.OnesCount16(g[i]); d < four && d > most {
			node, most = i, d
		}
	}
	return node
}

// fill gives a node neighbours among the nodes numbered from or above. Nodes without neighbours are alike, so only the
// first of them is tried.
func (q quest) fill(g wired, node, from int, found func(wired)) {
	if bits.OnesCount16(g[node]) == four {
		found(g)
		return
	}
	lone := false
	for j := from; j < q.nodes; j++ {
		if j == node || g[node]>>j&1 == 1 || bits.OnesCount16(g[j]) == four || g[j] == 0 && lone {
			continue
		}
		lone = lone || g[j] == 0
		h := g
		h[node] |= 1 << j
		h[j] |= 1 << node
		if q.roomy(h) {
			q.fill(h, node, j+1, found)
		}
	}
}

// roomy reports whether every node can still have enough nodes within two steps: an edge that is missing brings at most
// a neighbour and its three others, or one node at distance two.
func (q quest) roomy(g wired) bool {
	for i := range q.nodes {
		ball := g[i] | 1<<i
		more := (four - bits.OnesCount16(g[i])) * four
		for row := g[i]; row != 0; row &= row - 1 {
			j := bits.TrailingZeros16(row)
			ball |= g[j]
			more += four - bits.OnesCount16(g[j])
		}
		if bits.OnesCount16(ball)+more < q.within {
			return false
		}
	}
	return true
}

func (g wired) arcs() (list []topology.Arc) {
	for i := range mostRows {
		for j := range i {
			if g[i]>>j&1 == 1 {
				list = append(list, topology.Arc{A: j, B: i})
			}
		}
	}
	return list
}

func (q quest) connected(g wired) bool {
	reached := uint16(1)
	for before := uint16(0); before != reached; {
		before = reached
		for row := before; row != 0; row &= row - 1 {
			reached |= g[bits.TrailingZeros16(row)]
		}
	}
	return bits.OnesCount16(reached) == q.nodes
}

// canonical returns the least of the relabellings that individualisation and refinement lead to; it is the same for
// isomorphic graphs.
func (q quest) canonical(g wired) wired {
	best := wired{math.MaxUint16}
	var colour [mostRows]uint64
	for i := range q.nodes {
		for j := range q.nodes { // neighbours in common, with neighbours and with others
			common := uint64(bits.OnesCount16(g[i] & g[j]))
			colour[i] += 1 << (5 * common) << (30 * uint64(g[i]>>j&1))
		}
	}
	q.search(g, colour, &best)
	return best
}

// refine gives nodes numbers by what they and their neighbours look like until no more differ, and returns how many do.
// Two looks that share a number by chance only leave more to try.
func (q quest) refine(g wired, colour *[mostRows]uint64) int {
	for classes := 0; ; {
		sorted := *colour
		slices.Sort(sorted[:q.nodes])
		distinct := slices.Compact(sorted[:q.nodes])
		if len(distinct) == classes || len(distinct) == q.nodes {
			for i := range q.nodes {
				at, _ := slices.BinarySearch(distinct, colour[i])
				colour[i] = uint64(at)
			}
			return len(distinct)
		}
		classes = len(distinct)
		look := *colour
		for i := range q.nodes {
			look[i] *= 0x9e3779b97f4a7c15
			for row := g[i]; row != 0; row &= row - 1 {
				x := colour[bits.TrailingZeros16(row)] + 0x632be59bd9b4e019
				x ^= x >> 29
				look[i] += x * 0xbf58476d1ce4e5b9
			}
		}
		*colour = look
	}
}

func (q quest) search(g wired, colour [mostRows]uint64, best *wired) {
	if q.refine(g, &colour) == q.nodes {
		var h wired
		for i := range q.nodes {
			for row := g[i]; row != 0; row &= row - 1 {
				h[colour[i]] |= 1 << colour[bits.TrailingZeros16(row)]
			}
		}
		if slices.Compare(h[:], best[:]) < 0 {
			*best = h
		}
		return
	}
	var size [mostRows]int
	for _, c := range colour[:q.nodes] {
		size[c]++
	}
	class := slices.IndexFunc(size[:], func(s int) bool { return s > 1 })
	var tried []int
	for i, c := range colour[:q.nodes] {
		twin := func(j int) bool { return g[i]&^(1<<j) == g[j]&^(1<<i) } // they may change places
		if int(c) == class && !slices.ContainsFunc(tried, twin) {
			tried = append(tried, i)
			split := colour
			split[i] = mostRows
			q.search(g, split, best)
		}
	}
}
