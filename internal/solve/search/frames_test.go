package search

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/batopo/batopo/design"
	"github.com/batopo/batopo/internal/solve/scenario"
	"github.com/batopo/batopo/topology"
)

// bcube is the scenario of that name with a budget of its own, its limits met exactly or not exceeded.
func bcube(edges int, most [2]int, exact bool) *design.Space {
	s := scenario.BCube(most)
	s.MaxEdges, s.Exact = edges, exact
	return &s
}

// server is the same for the scenario of eight GPUs.
func server(edges int, most [7]int, exact bool) *design.Space {
	s := scenario.Server(most)
	s.MaxEdges, s.Exact = edges, exact
	return &s
}

func sizes(fs []*frame) []int {
	var out []int
	for _, f := range fs {
		out = append(out, f.size)
	}
	return out
}

func TestFramesOfDifferentProblems(t *testing.T) {
	classes := make([]int, 16)
	for i := range classes {
		classes[i] = 2 + 4*(i%2) // alternating 2 and 6
	}
	for _, c := range []struct {
		name string
		p    Problem
		want []int
	}{
		{"equal nodes", Problem{Nodes: 12, MaxEdges: 24}, []int{1, 2, 3, 4, 6, 12}},
		{"prime", Problem{Nodes: 13, MaxEdges: 24}, []int{1, 13}},
		{"two classes of eight", Problem{Nodes: 16, MaxEdges: 32, Degrees: classes}, []int{1, 2, 4, 8}},
		// In fours and twos one node in five uses 2 of its 3 places.
		{"classes of five and three", Problem{Nodes: 8, MaxEdges: 10, Degrees: []int{3, 3, 3, 3, 3, 2, 2, 2}},
			[]int{1, 2, 4}},
		{"far classes", Problem{Nodes: 8, MaxEdges: 10, Degrees: []int{7, 7, 7, 7, 7, 1, 1, 1}}, []int{1}},
		// Digit 0 turns round with consecutive numbers, digit 1 with a stride of four; half-turns too.
		{"bcube", Problem{Nodes: 16, MaxEdges: 24, Space: bcube(24, [2]int{1, 2}, false)}, []int{1, 2, 2, 4, 4}},
		// Two halves of a server may be exchanged, and the GPUs below each switch, but switches do not turn in fours.
		{"server", Problem{Nodes: 8, MaxEdges: 12, Space: server(12, [7]int{1, 1, 1, 1, 4, 4, 6}, false)}, []int{1, 2, 2}},
	} {
		if got := sizes(frames(c.p, nil)); !slices.Equal(got, c.want) {
			t.Errorf("%s: orbits of size %v, want %v", c.name, got, c.want)
		}
	}
}

// A space whose limits are degrees of nodes is the same problem as one with Degrees.
func TestPlainDegreesAreRecognised(t *testing.T) {
	s := &design.Space{Nodes: 6, MaxEdges: 9, Candidates: topology.AllPairs(6)}
	s.Limits = scenario.Ports(6, s.Candidates, func(i int) int { return 2 + i%2 })
	p := Problem{Nodes: 6, MaxEdges: 9, Space: s}
	if got, want := p.plain(), []int{2, 3, 2, 3, 2, 3}; got.Space != nil || !slices.Equal(got.Degrees, want) {
		t.Errorf("degrees %v, want %v", got.Degrees, want)
	}
	s.Limits[3].Edges = s.Limits[3].Edges[1:] // not all edges of node 3
	if p.plain().Space == nil {
		t.Error("a limit on some edges of a node was taken for its degree")
	}
	s.Limits[3] = design.Limit{Max: 2, Edges: []int{0, 1, 2, 3, 4}}
	if p.plain().Space == nil {
		t.Error("a limit on a shared resource was taken for a degree")
	}
}

// Whatever moves do, the graph that a wiring stands for keeps the problem's limits, and what the
// wiring counts is what is there.
func TestWiringsKeepTheirLimits(t *testing.T) {
	classes := []int{2, 6, 2, 6, 2, 6, 2, 6, 2, 6, 2, 6}
	for _, c := range []struct {
		name string
		p    Problem
	}{
		{"regular", Problem{Nodes: 12, MaxEdges: 24, MaxDegree: 4}},
		{"odd budget", Problem{Nodes: 12, MaxEdges: 23, MaxDegree: 5}},
		{"budget alone", Problem{Nodes: 12, MaxEdges: 20}},
		{"two classes", Problem{Nodes: 12, MaxEdges: 24, Degrees: classes}},
		{"bcube", Problem{Nodes: 16, MaxEdges: 24, Space: bcube(24, [2]int{1, 2}, false)}},
		{"bcube and degrees", Problem{Nodes: 16, MaxEdges: 30, MaxDegree: 3, Space: bcube(30, [2]int{2, 3}, false)}},
		{"server", Problem{Nodes: 8, MaxEdges: 12, Space: server(12, [7]int{1, 1, 1, 1, 4, 4, 6}, false)}},
	} {
		for _, f := range frames(c.p, nil) {
			name := fmt.Sprintf("%s %dx%d", c.name, f.orbits, f.size)
			rng := rand.New(rand.NewPCG(1, 2))
			w := newWiring(f)
			w.fill(rng)
			var m move
			applied := 0
			for range 400 {
				if !w.propose(rng, &m) {
					continue
				}
				edges := w.edges
				w.apply(&m)
				applied++
				if w.edges < edges {
					t.Fatalf("%s: move %v leaves %d of %d edges", name, m.all(), w.edges, edges)
				}
				checkWiring(t, name, c.p, w)
			}
			if applied == 0 && f.orbits > 1 && f.size <= 2 {
				t.Errorf("%s: no move was proposed in 400 draws", name)
			}
		}
	}
}

// checkWiring compares a wiring with its graph.
func checkWiring(t *testing.T, name string, p Problem, w *wiring) {
	t.Helper()
	lift, err := topology.NewLift(w.f.orbits, w.f.size, w.arcs)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	c := &Solution{frame: w.f, ArcWeights: make([]float64, len(w.arcs))}
	c.spread(lift)
	if got := len(c.Graph.Edges()); got != w.edges {
		t.Fatalf("%s: %d edges counted, the graph has %d", name, w.edges, got)
	}
	open := 0
	for r, n := range w.load {
		if n < w.f.caps[r] {
			open++
		}
	}
	if open != w.open {
		t.Fatalf("%s: %d resources counted open, %d are", name, w.open, open)
	}
	if err := p.Check(c.Graph); err != nil && c.Graph.Connected() {
		t.Fatalf("%s: arcs %v: %v", name, w.arcs, err)
	}
}

// What is remembered of a budget serves the next: the same frames come out as without, whether the limits still turn
// with the nodes or not, and also when the candidates are others.
func TestMemoryChangesNoFrames(t *testing.T) {
	var m Memory
	for k, s := range []*design.Space{
		bcube(24, [2]int{1, 2}, false), bcube(40, [2]int{2, 3}, false), bcube(40, [2]int{2, 3}, true),
		server(12, [7]int{1, 1, 1, 1, 4, 4, 6}, false), server(12, [7]int{1, 2, 1, 1, 4, 4, 6}, false),
		server(14, [7]int{1, 1, 1, 1, 4, 4, 8}, false), bcube(24, [2]int{1, 2}, false),
	} {
		p := Problem{Nodes: s.Nodes, MaxEdges: s.MaxEdges, Space: s}
		got, want := frames(p, &m), frames(p, nil)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("space %d: orbits of size %v and other frames; want %v", k, sizes(got), sizes(want))
		}
		if before := m.last; frames(p, &m) == nil || m.last != before {
			t.Errorf("space %d: the same limits are examined twice", k)
		}
	}
}
