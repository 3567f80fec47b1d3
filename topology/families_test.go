package topology_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/batopo/batopo/internal/ground/limits"
	"github.com/batopo/batopo/topology"
)

func TestFamiliesAgainstTextbook(t *testing.T) {
	fixed := func(build func(int) (*topology.Graph, error)) func(n, _ int) (*topology.Graph, error) {
		return func(n, _ int) (*topology.Graph, error) { return build(n) }
	}
	// Edges, least and largest degree and diameter follow from the definitions.
	tests := []struct {
		name                     string
		build                    func(n, k int) (*topology.Graph, error)
		n, k                     int
		edges, least, most, diam int
	}{
		{"ring", fixed(topology.Ring), 1, 0, 0, 0, 0, 0},
		{"ring", fixed(topology.Ring), 2, 0, 1, 1, 1, 1},
		{"ring", fixed(topology.Ring), 3, 0, 3, 2, 2, 1},
		{"ring", fixed(topology.Ring), 16, 0, 16, 2, 2, 8},
		{"path", fixed(topology.Path), 1, 0, 0, 0, 0, 0},
		{"path", fixed(topology.Path), 9, 0, 8, 1, 2, 8},
		{"grid", fixed(topology.Grid), 1, 0, 0, 0, 0, 0},
		{"grid", fixed(topology.Grid), 12, 0, 17, 2, 4, 5},
		{"grid of a prime is a path", fixed(topology.Grid), 13, 0, 12, 1, 2, 12},
		{"torus with a side of 2 has single edges", fixed(topology.Torus), 8, 0, 12, 3, 3, 3},
		{"torus", fixed(topology.Torus), 2, 0, 1, 1, 1, 1},
		{"torus", fixed(topology.Torus), 4, 0, 4, 2, 2, 2},
		{"torus", fixed(topology.Torus), 12, 0, 24, 4, 4, 3},
		{"torus", fixed(topology.Torus), 16, 0, 32, 4, 4, 4},
		{"torus of a prime is a ring", fixed(topology.Torus), 13, 0, 13, 2, 2, 6},
		{"hypercube", fixed(topology.Hypercube), 1, 0, 0, 0, 0, 0},
		{"hypercube", fixed(topology.Hypercube), 32, 0, 80, 5, 5, 5},
		{"star", fixed(topology.Star), 1, 0, 0, 0, 0, 0},
		{"star", fixed(topology.Star), 8, 0, 7, 1, 7, 2},
		{"complete", fixed(topology.Complete), 7, 0, 21, 6, 6, 1},
		{"k-nearest", topology.KNearest, 1, 0, 0, 0, 0, 0},
		{"k-nearest", topology.KNearest, 2, 1, 1, 1, 1, 1},
		{"k-nearest", topology.KNearest, 10, 4, 20, 4, 4, 3},
		{"k-nearest of all is complete", topology.KNearest, 6, 5, 15, 5, 5, 1},
		{"k-nearest of all is complete", topology.KNearest, 7, 6, 21, 6, 6, 1},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s/n=%d,k=%d", tt.name, tt.n, tt.k), func(t *testing.T) {
			g, err := tt.build(tt.n, tt.k)
			if err != nil {
				t.Fatal(err)
			}
			d := g.Degrees()
			diam := slices.Max(hops(g))
			if got := len(g.Edges()); g.Nodes() != tt.n || got != tt.edges || slices.Min(d) != tt.least ||
				slices.Max(d) != tt.most || diam != tt.diam {
				t.Errorf("%d nodes, %d edges, degrees %d … %d, diameter %d, want %d, %d, %d … %d, %d",
					g.Nodes(), got, slices.Min(d), slices.Max(d), diam, tt.n, tt.edges, tt.least, tt.most, tt.diam)
			}
		})
	}
}

func TestFamiliesRefuse(t *testing.T) {
	builders := map[string]func(int) (*topology.Graph, error){
		"ring": topology.Ring, "path": topology.Path, "grid": topology.Grid, "torus": topology.Torus,
		"hypercube": topology.Hypercube, "star": topology.Star, "complete": topology.Complete,
	}
	for name, build := range builders {
		for _, n := range []int{0, -1, limits.Nodes + 1, 1 << 40} {
			if g, err := build(n); err == nil || g != nil {
				t.Errorf("%s on %d nodes: got no error", name, n)
			}
		}
	}
	type pair struct{ n, k int }
	for p, want := range map[pair]string{
		{6, 3}: "must be even", {6, 6}: "must be 1 … 5", {6, 0}: "must be 1 … 5", {0, 2}: "number of nodes",
		{6, 1 << 62}: "must be 1 … 5",
	} {
		if _, err := topology.KNearest(p.n, p.k); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("KNearest(%d, %d): error %v, want one that says %q", p.n, p.k, err, want)
		}
	}
	for p, want := range map[pair]string{
		{7, 3}: "must be even", {6, 6}: "must be 0 … 5", {6, 1}: "cannot be connected", {2, 0}: "cannot be connected",
		{0, 2}:             "number of nodes",
		{1 << 16, 1 << 10}: "has 33554432 edges; at most 1048576", {1 << 20, 4}: "must be 1 … 131072",
	} {
		if _, err := topology.RandomRegular(p.n, p.k, 1); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("RandomRegular(%d, %d): error %v, want one that says %q", p.n, p.k, err, want)
		}
	}
	if _, err := topology.Complete(10000); err == nil || !strings.Contains(err.Error(), "49995000 edges") {
		t.Errorf("Complete(10000): error %v, want one that names its 49995000 edges", err)
	}
}

func TestRandomRegularIsRegularConnectedAndRepeatable(t *testing.T) {
	for n := 1; n <= 24; n++ {
		for d := range n {
			if n*d%2 == 1 || n > d+1 && d < 2 {
				continue
			}
			for seed := range uint64(5) {
				g, err := topology.RandomRegular(n, d, seed)
				if err != nil {
					t.Fatal(err)
				}
				if slices.Min(g.Degrees()) != d || g.MaxDegree() != d || !g.Connected() {
					t.Fatalf("n=%d d=%d seed=%d: degrees %v, connected %v", n, d, seed, g.Degrees(), g.Connected())
				}
				again, _ := topology.RandomRegular(n, d, seed)
				if !slices.Equal(g.Edges(), again.Edges()) {
					t.Fatalf("n=%d d=%d seed=%d: two calls give different graphs", n, d, seed)
				}
			}
		}
	}
}

// TestRandomRegularIsUniform draws the connected 2-regular graphs on 5 nodes (4!/2 = 12) and the cubic graphs on 6
// nodes (70), all connected: 10 copies of K3,3 and 60 prisms. All must come about equally often.
func TestRandomRegularIsUniform(t *testing.T) {
	for _, tt := range []struct{ n, d, graphs int }{{5, 2, 12}, {6, 3, 70}} {
		draws := 200 * tt.graphs
		count := make(map[string]int)
		for seed := range draws {
			g, err := topology.RandomRegular(tt.n, tt.d, uint64(seed))
			if err != nil {
				t.Fatal(err)
			}
			count[fmt.Sprint(g.Edges())]++
		}
		if len(count) != tt.graphs {
			t.Errorf("n=%d d=%d: %d different graphs, want %d", tt.n, tt.d, len(count), tt.graphs)
		}
		chi := 0.0
		for _, c := range count {
			diff := float64(c) - 200
			chi += diff * diff / 200
		}
		// The statistic has mean f and variance 2f for f degrees of freedom; 6 standard deviations are far out.
		f := float64(tt.graphs - 1)
		if limit := f + 6*math.Sqrt(2*f); chi > limit {
			t.Errorf("n=%d d=%d: chi² = %.1f over %d graphs, more than %.1f: not uniform", tt.n, tt.d, chi, tt.graphs, limit)
		}
	}
}

func TestGridShape(t *testing.T) {
	for n, want := range map[int][2]int{1: {1, 1}, 2: {1, 2}, 12: {3, 4}, 13: {1, 13}, 36: {6, 6}, 48: {6, 8},
		128: {8, 16}} {
		if r, c := topology.GridShape(n); r != want[0] || c != want[1] {
			t.Errorf("GridShape(%d) = %d, %d, want %d, %d", n, r, c, want[0], want[1])
		}
	}
}

func BenchmarkRandomRegular(b *testing.B) {
	for b.Loop() {
		if _, err := topology.RandomRegular(10000, 10, 1); err != nil {
			b.Fatal(err)
		}
	}
}
