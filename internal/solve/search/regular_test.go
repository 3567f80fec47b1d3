package search

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/topology"
)

// twelve holds the neighbours of twelve nodes as bits.
type twelve [12]uint16

// quarticGraphs is the number of connected 4-regular graphs on 12 nodes up to isomorphism (OEIS A006820).
const quarticGraphs = 1544

// No 4-regular graph on 12 nodes is better than the 0.4 that the search finds: all of them are looked at. So of the
// gap at (12, 24) under maximum degree 4 the bound is at fault, not the graph, unless a graph with fewer edges wins.
func TestNoQuarticGraphOnTwelveNodesIsBetter(t *testing.T) {
	if testing.Short() {
		t.Skip("looks at 1544 graphs; make deep does")
	}
	graphs := quartic()
	if len(graphs) != quarticGraphs {
		t.Fatalf("%d connected 4-regular graphs on 12 nodes; there are %d", len(graphs), quarticGraphs)
	}
	p := Problem{Nodes: 12, MaxEdges: 24, Sign: design.NonNegative}
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
	if got := best.Value(p); math.Abs(got-0.4) > 1e-6 {
		t.Errorf("the best of all has r_asym %.6f, want 0.4", got)
	}
}

// quartic lists the connected 4-regular graphs on 12 nodes, one of each isomorphism class. Exchanging the ends of two
// edges leads from every 4-regular graph to every other, so it follows all exchanges until none is new or the known
// number is found.
func quartic() (connected []twelve) {
	var first twelve
	for i := range 12 {
		for _, step := range []int{1, 2, 10, 11} {
			first[i] |= 1 << ((i + step) % 12)
		}
	}
	first = first.canonical()
	seen, all := map[twelve]bool{first: true}, []twelve{first}
	connected = append(connected, first)
	for k := 0; k < len(all) && len(connected) < quarticGraphs; k++ {
		for _, h := range all[k].exchanges() {
			if h = h.canonical(); seen[h] {
				continue
			}
			seen[h] = true
			all = append(all, h)
			if h.connected() {
				connected = append(connected, h)
			}
		}
	}
	return connected
}

func (g twelve) arcs() (list []topology.Arc) {
	for i := range 12 {
		for j := range i {
			if g[i]>>j&1 == 1 {
				list = append(list, topology.Arc{A: j, B: i})
			}
		}
	}
	return list
}

func (g twelve) connected() bool {
	reached := uint16(1)
	for before := uint16(0); before != reached; {
		before = reached
		for i := range 12 {
			if before>>i&1 == 1 {
				reached |= g[i]
			}
		}
	}
	return reached == 1<<12-1
}

// exchanges replaces edges a–b and c–d by a–c and b–d, in every way that leaves a simple graph.
func (g twelve) exchanges() (list []twelve) {
	edges := g.arcs()
	for k, e := range edges {
		for _, f := range edges[:k] {
			for _, f := range []topology.Arc{f, {A: f.B, B: f.A}} {
				if e.A == f.A || e.B == f.B || e.A == f.B || e.B == f.A || g[e.A]>>f.A&1 == 1 || g[e.B]>>f.B&1 == 1 {
					continue
				}
				h := g
				for _, flip := range [][2]int{{e.A, e.B}, {f.A, f.B}, {e.A, f.A}, {e.B, f.B}} {
					h[flip[0]] ^= 1 << flip[1]
					h[flip[1]] ^= 1 << flip[0]
				}
				list = append(list, h)
			}
		}
	}
	return list
}

// canonical returns the least of the relabellings that individualisation and refinement lead to; it is the same for
// isomorphic graphs.
func (g twelve) canonical() twelve {
	best := twelve{math.MaxUint16}
	var colour [12]uint64
	for i := range 12 {
		for j := range 12 { // neighbours in common, with neighbours and with others
			common := uint64(bits.OnesCount16(g[i] & g[j]))
			colour[i] += 1 << (4 * common) << (32 * uint64(g[i]>>j&1))
		}
	}
	g.search(colour, &best)
	return best
}

// refine gives nodes numbers by what they and their neighbours look like until no more differ, and returns how many do.
// Two looks that share a number by chance only leave more to try.
func (g twelve) refine(colour *[12]uint64) int {
	for classes := 0; ; {
		sorted := *colour
		slices.Sort(sorted[:])
		distinct := slices.Compact(sorted[:])
		if len(distinct) == classes || len(distinct) == 12 {
			for i := range 12 {
				at, _ := slices.BinarySearch(distinct, colour[i])
				colour[i] = uint64(at)
			}
			return len(distinct)
		}
		classes = len(distinct)
		look := *colour
		for i := range 12 {
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

func (g twelve) search(colour [12]uint64, best *twelve) {
	if g.refine(&colour) == 12 {
		var h twelve
		for i := range 12 {
			for row := g[i]; row != 0; row &= row - 1 {
				h[colour[i]] |= 1 << colour[bits.TrailingZeros16(row)]
			}
		}
		if slices.Compare(h[:], best[:]) < 0 {
			*best = h
		}
		return
	}
	var size [12]int
	for _, c := range colour {
		size[c]++
	}
	class := slices.IndexFunc(size[:], func(s int) bool { return s > 1 })
	for i, c := range colour {
		if int(c) == class {
			split := colour
			split[i] = 12
			g.search(split, best)
		}
	}
}
