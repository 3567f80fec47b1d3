package topology_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/topology"
)

func TestNewReportsEveryBadEdge(t *testing.T) {
	_, err := topology.New(4, []topology.Edge{{I: 0, J: 1}, {I: 2, J: 2}, {I: 1, J: 7}, {I: -1, J: 0}, {I: 1, J: 0}})
	if err == nil {
		t.Fatal("five edges, four of them bad: got no error")
	}
	for _, want := range []string{"edge 1 joins node 2 to itself", "edge 2 is 1–7", "edge 3 is -1–0",
		"edge 0–1 appears twice"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error %q does not say %q", err, want)
		}
	}
	if _, err := topology.New(0, nil); err == nil {
		t.Error("0 nodes: got no error")
	}
	many := make([]topology.Edge, 1000)
	if _, err := topology.New(3, many); err == nil || strings.Count(err.Error(), "\n") != limits.Complaints {
		t.Errorf("1000 bad edges: error has too many lines or is missing:\n%v", err)
	}
}

// randomGraph keeps each pair with probability 1/2.
func randomGraph(n int, rng *rand.Rand) *topology.Graph {
	var edges []topology.Edge
	for _, e := range topology.AllPairs(n) {
		if rng.Uint64()&1 == 0 {
			edges = append(edges, e)
		}
	}
	g, err := topology.New(n, edges)
	if err != nil {
		panic(err)
	}
	return g
}

func TestNeighborsAgreeWithEdges(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for n := 1; n <= 20; n++ {
		g := randomGraph(n, rng)
		for i := range n {
			var want []int
			for j := range n {
				if _, ok := g.EdgeIndex(i, j); ok && i != j {
					want = append(want, j)
				}
			}
			if got := g.Neighbors(i); !slices.Equal(got, want) || g.Degree(i) != len(want) {
				t.Fatalf("n=%d node %d: neighbours %v, degree %d, want %v", n, i, got, g.Degree(i), want)
			}
		}
		for k, e := range g.Edges() {
			if at, ok := g.EdgeIndex(e.J, e.I); !ok || at != k {
				t.Fatalf("EdgeIndex(%d, %d) = %d, %v, want %d", e.J, e.I, at, ok, k)
			}
		}
	}
}

// All pairs come once, in order: (0,1), (0,2), …, (0,n−1), (1,2), ….
func TestAllPairsAreInOrder(t *testing.T) {
	for n := 1; n <= 12; n++ {
		pairs := topology.AllPairs(n)
		if len(pairs) != topology.Pairs(n) {
			t.Errorf("n=%d: %d pairs, want %d", n, len(pairs), topology.Pairs(n))
		}
		for k, e := range pairs {
			if e.I >= e.J || e.J >= n || k > 0 && pairs[k-1].Compare(e) >= 0 {
				t.Errorf("n=%d: pair %d is %v", n, k, e)
			}
		}
	}
}

// far is more hops than there are between nodes that are joined.
const far = 1000

// hops are the hops between all pairs of nodes, by the textbook cubic algorithm of Floyd and Warshall.
func hops(g *topology.Graph) []int {
	n := g.Nodes()
	dist := make([]int, n*n)
	for i := range n {
		for j := range n {
			dist[i*n+j] = far
			if _, ok := g.EdgeIndex(i, j); ok {
				dist[i*n+j] = 1
			}
		}
		dist[i*n+i] = 0
	}
	for k := range n {
		for i := range n {
			for j := range n {
				dist[i*n+j] = min(dist[i*n+j], dist[i*n+k]+dist[k*n+j])
			}
		}
	}
	return dist
}

func TestComponentsMatchFloydWarshall(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for n := 1; n <= 16; n++ {
		g := randomGraph(n, rng)
		dist, components := hops(g), 0
		for i := range n {
			first := true
			for j := range n {
				first = first && (j >= i || dist[i*n+j] >= far)
			}
			if first {
				components++
			}
		}
		count, of := g.Components()
		if connected := slices.Max(dist) < far; g.Connected() != connected || count != components {
			t.Fatalf("n=%d %v: connected %v in %d components, want %v in %d",
				n, g.Edges(), g.Connected(), count, connected, components)
		}
		for i := range n {
			for j := range n {
				if (of[i] == of[j]) != (dist[i*n+j] < far) {
					t.Fatalf("n=%d %v: components %v", n, g.Edges(), of)
				}
			}
		}
	}
}

func TestLiftMatchesItsDefinition(t *testing.T) {
	tests := []struct {
		name         string
		orbits, size int
		arcs         []topology.Arc
		want         func() (*topology.Graph, error)
	}{
		{"ring", 1, 7, []topology.Arc{{S: -1}}, func() (*topology.Graph, error) { return topology.Ring(7) }},
		{"matching is one edge per pair", 1, 4, []topology.Arc{{S: 2}, {S: 1}},
			func() (*topology.Graph, error) { return topology.Complete(4) }},
		{"torus 3 × 5 as three rings in a ring", 3, 5, []topology.Arc{
			{A: 0, B: 0, S: 1}, {A: 1, B: 1, S: 4}, {A: 2, B: 2, S: 1}, {A: 0, B: 1}, {A: 2, B: 1}, {A: 2, B: 0},
		}, func() (*topology.Graph, error) { return topology.Torus(15) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l, err := topology.NewLift(tt.orbits, tt.size, tt.arcs)
			if err != nil {
				t.Fatal(err)
			}
			want, err := tt.want()
			if err != nil {
				t.Fatal(err)
			}
			g, arcs := l.Graph()
			if !slices.Equal(g.Edges(), want.Edges()) || l.Edges() != len(want.Edges()) || l.Nodes() != want.Nodes() {
				t.Errorf("got %v, want %v", g.Edges(), want.Edges())
			}
			count := make([]int, len(l.Arcs))
			for _, arc := range arcs {
				count[arc]++
			}
			for k, arc := range l.Arcs {
				if count[k] != l.EdgesOf(arc) {
					t.Errorf("arc %v labels %d edges, want %d", arc, count[k], l.EdgesOf(arc))
				}
			}
		})
	}
}

func TestNewLiftRefuses(t *testing.T) {
	for want, arcs := range map[string][]topology.Arc{
		"shift 0":       {{A: 1, B: 1, S: 6}},
		"appears twice": {{A: 0, B: 1, S: 2}, {A: 1, B: 0, S: 4}},
		"orbits are":    {{A: 0, B: 2, S: 1}},
	} {
		if _, err := topology.NewLift(2, 6, arcs); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("arcs %v: error %v, want one that says %q", arcs, err, want)
		}
	}
	for want, shape := range map[string][2]int{
		"at least 1 orbit": {0, 6}, "1 orbits of size 1000000000; it may have at most 131072 nodes": {1, 1_000_000_000},
		"of size 4294967296; it may have at most": {1 << 32, 1 << 32}, "orbit of size 1, got 2 of size -3": {2, -3},
	} {
		if _, err := topology.NewLift(shape[0], shape[1], nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%d orbits of size %d: error %v, want one that says %q", shape[0], shape[1], err, want)
		}
	}
	var many []topology.Arc
	for s := range 100 {
		many = append(many, topology.Arc{S: s + 1})
	}
	if _, err := topology.NewLift(1, 1<<17, many); err == nil || !strings.Contains(err.Error(), "at most 1048576 edges") {
		t.Errorf("100 arcs on 131072 nodes: error %v", err)
	}
	if _, err := topology.NewLift(1, 1<<17, many[:10]); err == nil ||
		!strings.Contains(err.Error(), "a lift of 1310720 edges") {
		t.Errorf("10 arcs on 131072 nodes: error %v", err)
	}
	// Shifts of any sign and size mean what they are modulo the size of an orbit.
	l, err := topology.NewLift(2, 6, []topology.Arc{{A: 1, B: 0, S: math.MinInt}, {A: 0, B: 0, S: -1}})
	if want := []topology.Arc{{S: 1}, {A: 0, B: 1, S: 2}}; err != nil || !slices.Equal(l.Arcs, want) {
		t.Errorf("arcs %v and %v, want %v", l.Arcs, err, want) // 2⁶³ is 2 modulo 6
	}
}
